//! Drawn endings: positions that cannot be won, and material with which a win is rare.
//!
//! The network learned from few games that reached such endings, and gives the side with more
//! material an advantage. Near the end of a game that is the wrong goal: it trades into a draw.
//!
//! Source: <https://www.chessprogramming.org/Draw_Evaluation>

use crate::board::Board;
use crate::types::{Bitboard, Color, File, PieceType, Rank, Score, Square};

use super::{pawn_ending, queen_rook};

/// Most pieces of a position whose evaluation may be scaled, kings included.
const MAX_PIECES: usize = 8;
/// Percentage of the evaluation that is kept where nothing is known.
const WHOLE: i32 = 100;

/// Returns whether the side `strong`, which has more than its king, cannot win against a bare king.
///
/// - One or two knights.
/// - King and pawn in a drawn position.
/// - Pawns on one rook file, with bishops that do not attack the square of promotion or without,
///   if the bare king stands on that square or next to it.
/// - Pawns on one rook file behind their own king, which the bare king confines to that file from
///   the bishop's file. The tables of two such pawns have no exception.
///
/// Sources: <https://www.chessprogramming.org/KPK>,
/// <https://www.chessprogramming.org/Wrong_Color_Bishop_and_Rook_Pawn>
pub(super) fn is_dead(board: &Board, strong: Color) -> bool {
    let pieces = |piece_type| board.pieces_of(strong, piece_type);
    let (pawns, knights) = (pieces(PieceType::Pawn), pieces(PieceType::Knight));
    let bishops = pieces(PieceType::Bishop);
    let king = Bitboard::square(board.king_square(strong));
    let others = board.colors(strong) - king - pawns - knights - bishops;
    if others.any() {
        false
    } else if pawns.is_empty() {
        bishops.is_empty() && knights.count() <= 2
    } else if knights.any() {
        false
    } else if bishops.is_empty() && !pawns.more_than_one() {
        is_drawn_pawn_ending(board, strong)
    } else {
        stops_rook_pawns(board, strong) || confines_king(board, strong)
    }
}

fn is_drawn_pawn_ending(board: &Board, strong: Color) -> bool {
    let Some(pawn) = board.pieces_of(strong, PieceType::Pawn).first() else { return false };
    let [king, bare] = [strong, !strong].map(|color| board.king_square(color).relative_to(strong));
    let is_bare_to_move = board.side_to_move() != strong;
    !pawn_ending::is_won(pawn.relative_to(strong), king, bare, is_bare_to_move)
}

fn stops_rook_pawns(board: &Board, strong: Color) -> bool {
    let bare = board.king_square(!strong);
    rook_pawn_promotion(board, strong).is_some_and(|square| bare.distance(square) <= 1)
}

/// Returns whether the bare king gets beside the promotion square before a rook pawn is there, if
/// nothing stands in its way.
fn reaches_rook_pawns(board: &Board, strong: Color) -> bool {
    let Some(promotion) = rook_pawn_promotion(board, strong) else { return false };
    let bare_moves = board.king_square(!strong).distance(promotion) - 1;
    let pawns = board.pieces_of(strong, PieceType::Pawn).into_iter();
    let pawn_moves = pawns.map(|pawn| pawn.distance(promotion)).min().unwrap_or(0);
    bare_moves + u8::from(board.side_to_move() == strong) <= pawn_moves
}

/// Returns the promotion square of pawns on one rook file, if no bishop of theirs attacks it.
fn rook_pawn_promotion(board: &Board, strong: Color) -> Option<Square> {
    let pawns = board.pieces_of(strong, PieceType::Pawn);
    let bishops = board.pieces_of(strong, PieceType::Bishop);
    let file =
        [File::A, File::H].into_iter().find(|&file| pawns.is_subset_of(Bitboard::file(file)))?;
    let promotion = Square::new(file, Rank::Eighth.relative_to(strong));
    let is_dark = Bitboard::DARK_SQUARES.contains(promotion);
    let same_colour = if is_dark { Bitboard::DARK_SQUARES } else { !Bitboard::DARK_SQUARES };
    (bishops & same_colour).is_empty().then_some(promotion)
}

/// Returns whether the bare king is beside the other one or a rank farther, which stands before its
/// pawns. Whichever side moves, it keeps its distance, and the other king has the one file.
fn confines_king(board: &Board, strong: Color) -> bool {
    let [king, bare] = [strong, !strong].map(|color| board.king_square(color).relative_to(strong));
    let bishops_file = match king.file() {
        File::A => File::C,
        File::H => File::F,
        _ => return false,
    };
    let is_behind = |pawn: Square| {
        let pawn = pawn.relative_to(strong);
        pawn.file() == king.file() && pawn.rank() < king.rank()
    };
    // Beside the promotion square, the seventh rank guards the way out too.
    let beside = Square::new(bishops_file, king.rank().min(Rank::Seventh));
    board.pieces_of(strong, PieceType::Bishop).is_empty()
        && board.pieces_of(strong, PieceType::Pawn).into_iter().all(is_behind)
        && (bare == beside || beside.forward(Color::White) == Some(bare))
}

/// Scales an evaluation for the side to move by what its material promises. With a queen against a
/// rook, [`queen_rook::evaluate`] takes its place.
#[inline]
pub(crate) fn scale(board: &Board, score: Score) -> Score {
    if board.occupied().count() > MAX_PIECES { score } else { scale_few(board, score) }
}

#[cold]
fn scale_few(board: &Board, score: Score) -> Score {
    if let Some(score) = queen_rook::evaluate(board) {
        return score;
    }
    let own = board.side_to_move();
    let strong = if score > Score::DRAW { own } else { !own };
    Score(score.0 * percent_kept(board, strong) / WHOLE)
}

/// Numbers of one side's pieces.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
struct Material {
    pawns: usize,
    knights: usize,
    bishops: usize,
    rooks: usize,
    queens: usize,
}

impl Material {
    fn of(board: &Board, color: Color) -> Self {
        let count = |piece_type| board.pieces_of(color, piece_type).count();
        Self {
            pawns: count(PieceType::Pawn),
            knights: count(PieceType::Knight),
            bishops: count(PieceType::Bishop),
            rooks: count(PieceType::Rook),
            queens: count(PieceType::Queen),
        }
    }

    fn minors(self) -> usize {
        self.knights + self.bishops
    }

    fn majors(self) -> usize {
        self.rooks + self.queens
    }

    /// Returns whether these are exactly so many rooks, bishops and knights, without pawns.
    fn is_only(self, rooks: usize, bishops: usize, knights: usize) -> bool {
        self == Self { pawns: 0, knights, bishops, rooks, queens: 0 }
    }
}

/// Returns the percentage that the evaluation in favour of the side `strong` keeps:
///
/// - a lone minor piece cannot mate;
/// - rook against bishop or knight, with a minor piece on both sides or none, is usually drawn:
///   KRvKB, KRvKN, KRBvKR, KRNvKR;
/// - a last pawn, with at most a minor piece beside it, can be exchanged for a minor piece;
/// - bishops of opposite colours with few pawns hold a pawn less, often two;
/// - rook pawns with a bishop that does not attack the square of promotion do not win if the bare
///   king gets there;
/// - two rook pawns that block each other are decided in 24 of 100 positions of the tables, on
///   other files in 44 to 62;
/// - a queen does not stop a pawn on the seventh rank of a rook's or bishop's file with its king
///   beside it, unless the queen's king is near.
///
/// Source: <https://www.chessprogramming.org/Bishops_of_Opposite_Colors>
fn percent_kept(board: &Board, strong: Color) -> i32 {
    let (own, their) = (Material::of(board, strong), Material::of(board, !strong));
    if own.pawns == 0 && own.majors() == 0 && own.minors() <= 1 {
        return 0;
    }
    let is_lone_minor = their.pawns == 0 && their.majors() == 0 && their.minors() == 1;
    if own.is_only(1, 0, 0) && is_lone_minor {
        return 17;
    }
    if their.is_only(1, 0, 0) && (own.is_only(1, 1, 0) || own.is_only(1, 0, 1)) {
        return if own.bishops == 1 { 40 } else { 20 };
    }
    if own.pawns == 1 && own.majors() == 0 && own.minors() <= 1 && is_lone_minor {
        return 50;
    }
    let is_bishop_and_pawns = own.pawns > 0 && own.minors() == own.bishops && own.majors() == 0;
    if their == Material::default() && is_bishop_and_pawns && reaches_rook_pawns(board, strong) {
        return 30;
    }
    if is_pawn_alone(own) && is_pawn_alone(their) && is_blocked_on_rook_file(board, strong) {
        return 50;
    }
    if has_opposite_bishops(board, own, their) {
        return if own.pawns <= their.pawns + 1 { 40 } else { 70 };
    }
    if is_held_by_seventh_rank(board, strong, own, their) { 20 } else { WHOLE }
}

fn is_pawn_alone(side: Material) -> bool {
    side == Material { pawns: 1, ..Material::default() }
}

/// Returns whether of one pawn for each side that of `strong` is blocked by the other's on a rook
/// file.
fn is_blocked_on_rook_file(board: &Board, strong: Color) -> bool {
    let pawn = |color| board.pieces_of(color, PieceType::Pawn).first();
    let (Some(own), Some(their)) = (pawn(strong), pawn(!strong)) else { return false };
    own.file() == their.file()
        && matches!(own.file(), File::A | File::H)
        && own.rank().relative_to(strong) < their.rank().relative_to(strong)
}

fn has_opposite_bishops(board: &Board, own: Material, their: Material) -> bool {
    let is_bishop_alone = |side: Material| side.majors() == 0 && side.minors() == side.bishops;
    let bishops = board.pieces(PieceType::Bishop);
    is_bishop_alone(own)
        && is_bishop_alone(their)
        && (own.bishops, their.bishops) == (1, 1)
        && (bishops & Bitboard::DARK_SQUARES).count() == 1
}

fn is_held_by_seventh_rank(board: &Board, strong: Color, own: Material, their: Material) -> bool {
    const FAR: u8 = 5;
    let is_queen = own == Material { pawns: 0, knights: 0, bishops: 0, rooks: 0, queens: 1 };
    let Some(pawn) = board.pieces_of(!strong, PieceType::Pawn).first() else { return false };
    let promotion = pawn.forward(!strong);
    is_queen
        && is_pawn_alone(their)
        && pawn.rank().relative_to(!strong) == Rank::Seventh
        && matches!(pawn.file(), File::A | File::C | File::F | File::H)
        && promotion.is_some_and(|promotion| {
            board.king_square(!strong).distance(promotion) <= 1
                && board.king_square(strong).distance(promotion) >= FAR
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a position")
    }

    #[test]
    fn dead_endings_are_dead_for_either_side() {
        const ALWAYS: [bool; 2] = [true; 2];
        const NEVER: [bool; 2] = [false; 2];
        for (placement, is_drawn) in [
            ("8/8/4k3/8/8/8/8/N1N1K3", ALWAYS),
            ("8/8/4k3/8/8/8/N7/N1N1K3", NEVER),
            ("8/8/4k3/8/8/8/P7/N3K3", NEVER),
            // A rook pawn: the dark bishop does not attack a8.
            ("k7/8/8/P7/8/8/8/B3K3", ALWAYS),
            ("k7/8/8/P7/8/8/8/1B2K3", NEVER),
            ("2k5/8/8/P7/8/8/8/B3K3", NEVER),
            ("k7/8/8/P7/P7/8/8/B3K3", ALWAYS),
            ("k7/8/8/PP6/8/8/8/B3K3", NEVER),
            ("k7/8/8/P7/P7/8/8/4K3", ALWAYS),
            // A king before its rook pawns, and the other king beside it.
            ("7K/5k2/8/8/7P/7P/8/8", ALWAYS),
            ("7K/4k3/8/8/7P/7P/8/8", NEVER),
            ("8/2k5/K7/P7/P7/P7/8/8", ALWAYS),
            ("8/8/K7/P1k5/P7/P7/8/8", NEVER),
            ("8/2k5/K7/P7/P7/1P6/8/8", NEVER),
            // The opposition, with White to move and with Black.
            ("4k3/8/4K3/4P3/8/8/8/8", NEVER),
            ("4k3/8/8/4K3/4P3/8/8/8", [false, true]),
            ("8/8/4k3/8/4K3/4P3/8/8", [true, false]),
        ] {
            for (side, is_drawn) in ["w", "b"].into_iter().zip(is_drawn) {
                let white = board(&format!("{placement} {side} - - 0 1"));
                assert_eq!(is_dead(&white, Color::White), is_drawn, "{placement} {side}");
                assert_eq!(is_dead(&white.flipped(), Color::Black), is_drawn, "{placement} {side}");
            }
        }
    }

    #[test]
    fn drawish_material_keeps_a_part() {
        for (placement, kept) in [
            ("4k3/8/8/3b4/8/8/8/R3K3", 17),
            ("4k3/8/8/3n4/8/8/8/R3K3", 17),
            ("4k3/8/8/3r4/8/8/8/RB2K3", 40),
            ("4k3/8/8/3r4/8/8/8/RN2K3", 20),
            ("4k3/8/8/3r4/8/8/7P/RN2K3", 100),
            ("4k3/8/8/3b4/8/8/4P3/4K3", 50),
            ("4k3/8/8/3n4/8/8/4P3/B3K3", 50),
            ("4k3/8/8/3n4/8/8/4PP2/B3K3", 100),
            // The bishop on d5 is on a light square.
            ("4k3/5p2/8/3b4/8/8/4PP2/B3K3", 40),
            ("4k3/8/8/3b4/8/8/4PP2/B3K3", 70),
            ("4k3/8/8/3b4/8/8/4PP2/1B2K3", 100),
            ("4k3/4p3/8/8/8/8/8/B3K3", 0),
            // The light bishop does not attack h8. The bare king gets there in time, or not.
            ("8/8/4k3/8/8/7P/8/1B2K3", 30),
            ("k7/8/8/8/7P/8/8/1B2K3", 100),
            ("8/8/4k3/8/8/7P/8/B3K3", 100),
            // Rook pawns that block each other, have passed each other, stand on another file.
            ("8/8/7p/8/1K5P/8/7k/8", 50),
            ("8/8/7P/8/1K5p/8/7k/8", 100),
            ("8/8/6p1/8/1K4P1/8/7k/8", 100),
            ("8/8/8/8/3Q4/8/1K5p/7k", 20),
            ("8/8/8/8/3Q1K2/8/7p/7k", 100),
            ("8/8/8/8/3Q4/8/1K4p1/7k", 100),
            ("4k3/8/8/8/8/8/8/RN2K3", 100),
        ] {
            let white = board(&format!("{placement} w - - 0 1"));
            assert_eq!(percent_kept(&white, Color::White), kept, "{placement}");
            assert_eq!(percent_kept(&white.flipped(), Color::Black), kept, "{placement}");
            // The side that is worse off keeps its score.
            assert_eq!(scale(&white, Score(200)), Score(2 * kept));
        }
        assert_eq!(scale(&board("4k3/8/8/3b4/8/8/8/R3K3 w - - 0 1"), Score(-200)), Score(0));
        assert_eq!(scale(&Board::startpos(), Score(40)), Score(40));
    }
}
