//! The hand-written evaluation: what each feature of a position is worth.
//!
//! Material and piece-square values are kept up move by move (see [`super::Evaluator`]); the other terms are computed
//! from the bitboards. Every term is one function of a colour, so that the two sides cannot be treated differently; what
//! depends on direction is seen from that colour's side of the board. The numbers are in hundredths of a pawn and were
//! set by hand: rough values that a network will replace.

use crate::attacks;
use crate::board::Board;
use crate::types::{
    Bitboard, Color, Direction, Piece, PieceMap, PieceType, PieceTypeMap, Rank, Score, Square,
    SquareMap,
};

use super::tapered::{Tapered, t};

/// The worth of the right to move.
pub(super) const TEMPO: Score = Score(14);

/// How a kind of piece likes the squares: the sum of a term for the rank, one for the file and one for the centre.
struct Shape {
    base: Tapered,
    /// From the own first rank to the last.
    ranks: [Tapered; 8],
    /// The files a, b, c, d; the other wing is alike.
    files: [Tapered; 4],
    /// For each ring nearer to the centre: none at the edge, three times for d4, e4, d5 and e5.
    centre: Tapered,
}

const SHAPES: PieceTypeMap<Shape> = PieceTypeMap::new([
    Shape {
        base: t(80, 104),
        ranks: [t(0, 0), t(0, 0), t(0, 0), t(3, 4), t(10, 12), t(18, 28), t(36, 50), t(0, 0)],
        files: [t(-8, 5), t(-2, 3), t(-2, 0), t(4, -3)],
        centre: t(6, 0),
    },
    Shape {
        base: t(312, 296),
        ranks: [t(-8, -8), t(-2, -2), t(4, 2), t(9, 6), t(14, 8), t(12, 6), t(2, 0), t(-14, -8)],
        files: [Tapered::ZERO; 4],
        centre: t(8, 6),
    },
    Shape {
        base: t(336, 316),
        ranks: [t(-9, -3), t(3, 0), t(4, 2), t(3, 3), t(4, 3), t(4, 2), t(0, 1), t(-6, 0)],
        files: [Tapered::ZERO; 4],
        centre: t(3, 3),
    },
    Shape {
        base: t(462, 528),
        ranks: [t(0, 0), t(-4, -2), t(-4, 0), t(-4, 4), t(0, 8), t(6, 10), t(18, 16), t(8, 12)],
        files: [t(-3, 0), t(0, 0), t(4, 0), t(7, 0)],
        centre: Tapered::ZERO,
    },
    Shape {
        base: t(986, 1000),
        ranks: [t(0, -8), t(3, -4), t(1, 0), t(-2, 5), t(-2, 9), t(4, 12), t(6, 12), t(4, 8)],
        files: [t(-2, 0), t(0, 0), t(0, 0), t(0, 0)],
        centre: t(1, 6),
    },
    Shape {
        base: t(0, -12),
        ranks: [
            t(0, -8),
            t(-12, 0),
            t(-34, 4),
            t(-52, 8),
            t(-60, 12),
            t(-64, 14),
            t(-64, 8),
            t(-64, 0),
        ],
        files: [t(14, 0), t(22, 0), t(-2, 0), t(-16, 0)],
        centre: t(0, 11),
    },
]);

/// How much each kind of piece keeps the game a middlegame.
const PHASES: PieceTypeMap<i32> = PieceTypeMap::new([0, 1, 1, 2, 4, 0]);

/// For each square a knight, bishop, rook, queen can move to, and the number of squares that is neither good nor bad.
const MOBILITY: PieceTypeMap<(Tapered, i32)> = PieceTypeMap::new([
    (Tapered::ZERO, 0),
    (t(4, 4), 4),
    (t(5, 5), 6),
    (t(2, 5), 6),
    (t(1, 4), 12),
    (Tapered::ZERO, 0),
]);

/// The weight of each attacked square beside the enemy king, by the kind of the attacker.
const KING_ATTACK: PieceTypeMap<usize> = PieceTypeMap::new([0, 2, 2, 3, 4, 0]);
/// The divisor that turns the square of the summed weights into hundredths of a pawn, and the most this may come to.
const KING_ATTACK_DIVISOR: usize = 7;
const MAX_KING_ATTACK: usize = 240;

const PASSED: [Tapered; 8] =
    [t(0, 0), t(0, 8), t(0, 12), t(6, 26), t(18, 48), t(38, 84), t(64, 130), t(0, 0)];
/// For a passed pawn from its fourth rank on, per rank beyond the third and per step of distance from the square in front.
const PASSED_ENEMY_KING_DISTANCE: Tapered = t(0, 5);
const PASSED_OWN_KING_DISTANCE: Tapered = t(0, -3);

const BISHOP_PAIR: Tapered = t(26, 46);
const ROOK_ON_OPEN_FILE: Tapered = t(20, 8);
const ROOK_ON_HALF_OPEN_FILE: Tapered = t(9, 7);
const DOUBLED_PAWN: Tapered = t(-7, -18);
const ISOLATED_PAWN: Tapered = t(-11, -12);
const PROTECTED_PAWN: Tapered = t(9, 6);
const PAWN_THREAT: Tapered = t(44, 34);
/// For each own pawn on the three files around the king, one or two ranks before him.
const KING_SHIELD: Tapered = t(11, 0);

/// Material and piece-square value of a piece on a square, from White's point of view. `[piece][square]`
static PIECE_SQUARE: PieceMap<SquareMap<Tapered>> = piece_square_table();

const fn piece_square_table() -> PieceMap<SquareMap<Tapered>> {
    let mut table = [SquareMap::filled(Tapered::ZERO); Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        table[index] = piece_table(Piece::ALL[index]);
        index += 1;
    }
    PieceMap::new(table)
}

const fn piece_table(piece: Piece) -> SquareMap<Tapered> {
    let shape = &SHAPES.as_array()[piece.piece_type() as usize];
    let sign = if matches!(piece.color(), Color::White) { 1 } else { -1 };
    let mut values = [Tapered::ZERO; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index].relative_to(piece.color());
        let (file, rank) = (from_edge(square.file() as usize), square.rank() as usize);
        let ring = if file < from_edge(rank) { file } else { from_edge(rank) };
        let value = shape.base.plus(shape.ranks[rank]).plus(shape.files[file]);
        values[index] = value.plus(shape.centre.times(ring as i32)).times(sign);
        index += 1;
    }
    SquareMap::new(values)
}

/// The distance of a file or rank from the nearer edge, 0 to 3.
const fn from_edge(line: usize) -> usize {
    if line < 4 { line } else { 7 - line }
}

/// Material and piece-square value of a piece on a square, from White's point of view.
#[inline]
pub(super) fn piece_square(piece: Piece, square: Square) -> Tapered {
    PIECE_SQUARE[piece][square]
}

/// What a piece adds to the phase.
#[inline]
pub(super) fn phase(piece: Piece) -> i32 {
    PHASES[piece.piece_type()]
}

/// What a kind of piece is worth wherever it stands.
pub(super) fn base_value(piece_type: PieceType) -> Tapered {
    SHAPES.as_array()[piece_type as usize].base
}

/// Passed, doubled, isolated and protected pawns of `us`, and the pieces they attack.
pub(super) fn pawns(board: &Board, us: Color) -> Tapered {
    let pawns = board.pieces_of(us, PieceType::Pawn);
    let own = north_up(pawns, us);
    let enemy = north_up(board.pieces_of(!us, PieceType::Pawn), us);
    let behind_own = fill_south(own).shift(Direction::South);
    let before_enemy = fill_south(enemy | sideways(enemy)).shift(Direction::South);
    let beside_own = fill_files(sideways(own));
    let passed = own - behind_own - before_enemy;
    let attacked = pawn_attacks(pawns, us);
    let targets = board.colors(!us) - board.pieces(PieceType::Pawn) - board.pieces(PieceType::King);
    DOUBLED_PAWN * (own & behind_own).count()
        + ISOLATED_PAWN * (own - beside_own).count()
        + PROTECTED_PAWN * (pawns & attacked).count()
        + PAWN_THREAT * (targets & attacked).count()
        + passed.into_iter().map(|pawn| passed_pawn(board, us, pawn)).sum()
}

/// A passed pawn on `pawn`, seen from its own side of the board: the further the better, and in the endgame the kings
/// race to the square before it.
fn passed_pawn(board: &Board, us: Color, pawn: Square) -> Tapered {
    let rank = pawn.rank() as usize;
    let weight = rank.saturating_sub(Rank::Third as usize);
    let stop = pawn.forward(Color::White).unwrap_or(pawn);
    let distance = |king: Color| distance(board.king_square(king).relative_to(us), stop);
    PASSED[rank]
        + PASSED_ENEMY_KING_DISTANCE * (weight * distance(!us))
        + PASSED_OWN_KING_DISTANCE * (weight * distance(us))
}

/// The freedom of the pieces of `us`, their aim at the enemy king, the pair of bishops, and rooks on open files.
pub(super) fn pieces(board: &Board, us: Color) -> Tapered {
    let own_pawns = board.pieces_of(us, PieceType::Pawn);
    let enemy_pawns = board.pieces_of(!us, PieceType::Pawn);
    let shut = own_pawns | board.king_square(us).into() | pawn_attacks(enemy_pawns, !us);
    let king_zone = attacks::king(board.king_square(!us));
    let (mut value, mut pressure) = (Tapered::ZERO, 0);
    for piece_type in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
        let (worth, usual) = MOBILITY[piece_type];
        for square in board.pieces_of(us, piece_type) {
            let reach = attacks::piece(piece_type, square, board.occupied());
            value += worth.times((reach - shut).count() as i32 - usual);
            pressure += KING_ATTACK[piece_type] * (reach & king_zone).count();
        }
    }
    let king_attack = (pressure * pressure / KING_ATTACK_DIVISOR).min(MAX_KING_ATTACK);
    let has_pair = board.pieces_of(us, PieceType::Bishop).more_than_one();
    let half_open = board.pieces_of(us, PieceType::Rook) - fill_files(own_pawns);
    let open = half_open - fill_files(enemy_pawns);
    value
        + t(king_attack as i32, 0)
        + BISHOP_PAIR * usize::from(has_pair)
        + ROOK_ON_OPEN_FILE * open.count()
        + ROOK_ON_HALF_OPEN_FILE * (half_open - open).count()
}

/// The pawns of `us` that shelter their king.
pub(super) fn shelter(board: &Board, us: Color) -> Tapered {
    let king = Bitboard::square(board.king_square(us));
    let forward = Direction::forward(us);
    let before = (king | sideways(king)).shift(forward);
    let shield = (before | before.shift(forward)) & board.pieces_of(us, PieceType::Pawn);
    KING_SHIELD * shield.count()
}

/// The part of an advantage of `strong`, in 64ths, that is likely to be worth anything: without pawns a minor piece more
/// rarely wins, and bishops on squares of different colours hold a pawn or two less.
pub(super) fn winning_chances(board: &Board, strong: Color) -> i32 {
    let lead = piece_points(board, strong) - piece_points(board, !strong);
    if board.pieces_of(strong, PieceType::Pawn).is_empty() && lead <= 3 {
        return 10;
    }
    let bishops = board.pieces(PieceType::Bishop);
    let others = board.pieces(PieceType::Knight)
        | board.pieces(PieceType::Rook)
        | board.pieces(PieceType::Queen);
    let one_each = Color::ALL.into_iter().all(|color| (bishops & board.colors(color)).count() == 1);
    let opposite = (bishops & Bitboard::DARK_SQUARES).count() == 1;
    if others.is_empty() && one_each && opposite { 34 } else { 64 }
}

/// The pieces other than pawns in the beginner's count: minor pieces 3, rooks 5, queens 9.
fn piece_points(board: &Board, color: Color) -> i32 {
    let count = |piece_type| board.pieces_of(color, piece_type).count() as i32;
    3 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5 * count(PieceType::Rook)
        + 9 * count(PieceType::Queen)
}

fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    sideways(pawns.shift(Direction::forward(color)))
}

/// The squares beside those of the set.
fn sideways(set: Bitboard) -> Bitboard {
    set.shift(Direction::East) | set.shift(Direction::West)
}

/// The set as `us` sees it: its own side of the board in the south.
fn north_up(set: Bitboard, us: Color) -> Bitboard {
    match us {
        Color::White => set,
        Color::Black => set.flip_ranks(),
    }
}

/// The set and all squares south of it.
fn fill_south(Bitboard(mut set): Bitboard) -> Bitboard {
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    Bitboard(set)
}

/// The files on which the set has a square.
fn fill_files(set: Bitboard) -> Bitboard {
    fill_south(set) | fill_south(set.flip_ranks()).flip_ranks()
}

/// The number of king's moves between two squares on an empty board.
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    let ranks = (a.rank() as usize).abs_diff(b.rank() as usize);
    files.max(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::File;

    #[test]
    fn piece_squares_mirror() {
        for piece_type in PieceType::ALL {
            for square in Square::ALL {
                let white = piece_square(Piece::new(Color::White, piece_type), square);
                let black = piece_square(Piece::new(Color::Black, piece_type), square.flip_rank());
                assert_eq!(white, -black);
            }
        }
    }

    #[test]
    fn kings_castle_early_and_come_out_late() {
        let king = |square| piece_square(Piece::WhiteKing, square);
        assert!(king(Square::G1).middlegame > king(Square::E1).middlegame);
        assert!(king(Square::B1).middlegame > king(Square::E3).middlegame);
        assert!(king(Square::E4).endgame > king(Square::G1).endgame + 30);
    }

    #[test]
    fn files_fill_both_ways() {
        let set = Bitboard::square(Square::E4) | Bitboard::square(Square::A8);
        assert_eq!(fill_files(set), Bitboard::file(File::E) | Bitboard::file(File::A));
        assert_eq!(distance(Square::A1, Square::C8), 7);
    }
}
