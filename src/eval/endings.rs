//! Endings against a bare king that are known: wins, where the mate is beyond the horizon of the
//! search and the network gives every position nearly the same score, and dead draws (`drawn.rs`).
//!
//! Idea: a side with mating material gets a score above the usual ones of the network, plus a
//! gradient towards the mate: the bare king at the edge (with bishop and knight in a corner that
//! the bishop attacks) and the kings close together. The score falls with the halfmove clock. It is
//! a draw where the fifty-move rule leaves fewer plies than nearly all mates need.
//!
//! Conditions: one side has only its king. The other has a queen, a rook, bishops on both square
//! colours, or bishop and knight, besides any other pieces. Captures by the bare king are left to
//! the search. Stalemate is detected here, because quiescence search does not detect it.
//!
//! Units: hundredths of a pawn.
//!
//! Source: <https://www.chessprogramming.org/Mop-up_Evaluation>,
//! <https://www.chessprogramming.org/KBNK_Endgame>

use crate::board::Board;
use crate::types::{Bitboard, Color, PieceType, PieceTypeMap, Score};

use super::distances::{center_distance, corner_distance, moves_to_edge, steps};
use super::drawn;

/// Lowest score of a won ending, far above the usual scores of the network.
pub const KNOWN_WIN: Score = Score(10_000);

/// Values that reward promotions and keeping pieces.
const MATERIAL: PieceTypeMap<i32> = PieceTypeMap::new([100, 300, 320, 500, 900, 0]);
const MAX_MATERIAL: i32 = 5_000;
/// Bonus of a pawn for each rank above its own side's first.
const PAWN_RANK: i32 = 10;

/// Bonus for each step (file or rank) of the bare king from the four central squares.
const EDGE: i32 = 60;
/// Bonus for each step towards a corner of the bishop's colour.
const CORNER: i32 = 120;
/// Bonus for each step of the kings towards each other.
const KINGS: i32 = 40;
/// Fall of a won score for each ply of the halfmove clock. All of them together are less than the
/// least material.
const CLOCK: i32 = 4;

/// Returns the side that wins against a bare king, whoever is to move.
#[inline]
pub fn winner(board: &Board) -> Option<Color> {
    if has_bare_king(board) { winner_against_bare_king(board) } else { None }
}

/// Returns the score of a known ending for the side to move, with a halfmove clock of zero: at
/// least [`KNOWN_WIN`] or at most its negative, or a draw.
#[inline]
pub fn evaluate(board: &Board) -> Option<Score> {
    if has_bare_king(board) { evaluate_against_bare_king(board) } else { None }
}

/// Returns the score of a known ending at the halfmove clock of the board, from that of
/// [`evaluate`]; `None` for other positions.
#[inline]
pub fn at_clock(board: &Board, score: Score) -> Option<Score> {
    if is_known(score) {
        Some(won_at_clock(board, score))
    } else {
        (score == Score::DRAW && has_bare_king(board)).then_some(score)
    }
}

/// Returns whether a score is that of a won ending or a forced win, for either side.
#[inline]
pub const fn is_known(score: Score) -> bool {
    score.0 >= KNOWN_WIN.0 || score.0 <= -KNOWN_WIN.0
}

#[inline]
fn has_bare_king(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| is_bare(board, color))
}

#[inline]
fn is_bare(board: &Board, color: Color) -> bool {
    !board.colors(color).more_than_one()
}

#[cold]
fn winner_against_bare_king(board: &Board) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| is_bare(board, !color) && can_mate(board, color))
}

#[cold]
fn evaluate_against_bare_king(board: &Board) -> Option<Score> {
    let Some(winner) = winner_against_bare_king(board) else {
        let strong = if is_bare(board, Color::White) { Color::Black } else { Color::White };
        return drawn::is_dead(board, strong).then_some(Score::DRAW);
    };
    let is_bare_to_move = board.side_to_move() != winner;
    if is_bare_to_move && !board.in_check() && !board.has_legal_move() {
        return Some(Score::DRAW);
    }
    let score = KNOWN_WIN + material(board, winner) + mating_progress(board, winner);
    Some(if is_bare_to_move { -score } else { score })
}

#[cold]
fn won_at_clock(board: &Board, score: Score) -> Score {
    let clock = i32::from(board.halfmove_clock());
    if 100 - clock < plies_to_mate(board) {
        return Score::DRAW;
    }
    score - CLOCK * clock * score.0.signum()
}

/// Returns the plies in which the fastest tenth of the positions like this one ends in mate,
/// against a bare king: 0 with pawns, which set the halfmove clock back, and with more pieces than
/// needed.
///
/// They depend on the distance of the kings and on that of the bare king from an edge, or with
/// minor pieces from a corner; the numbers are fitted to tablebases.
pub fn plies_to_mate(board: &Board) -> i32 {
    let Some(winner) = winner(board) else { return 0 };
    let (king, bare) = (board.king_square(winner), board.king_square(!winner));
    let has = |piece_type| board.pieces(piece_type).any();
    let bishops = board.pieces(PieceType::Bishop);
    let kings = i32::from(king.distance(bare));
    let plies = match board.occupied().count() {
        3 if has(PieceType::Queen) => 2 * kings - 3 + 3 * moves_to_edge(bare),
        3 if has(PieceType::Rook) => 3 * kings - 5 + 7 * moves_to_edge(bare),
        4 if bishops.more_than_one() => 3 * kings - 5 + 3 * (6 - center_distance(bare)),
        4 if bishops.any() && has(PieceType::Knight) => {
            let is_dark = (bishops & Bitboard::DARK_SQUARES).any();
            3 * kings - 5 + 6 * corner_distance(bare, is_dark).min(6)
        }
        _ => 0,
    };
    let is_bare_to_move = board.side_to_move() != winner;
    (plies - i32::from(is_bare_to_move)).max(0)
}

/// Returns whether a side can force mate against a bare king without its pawns.
fn can_mate(board: &Board, color: Color) -> bool {
    let has = |piece_type| board.pieces_of(color, piece_type).any();
    has(PieceType::Queen)
        || has(PieceType::Rook)
        || has(PieceType::Bishop) && has(PieceType::Knight)
        || has_bishop_pair(board, color)
}

fn has_bishop_pair(board: &Board, color: Color) -> bool {
    let bishops = board.pieces_of(color, PieceType::Bishop);
    (bishops & Bitboard::DARK_SQUARES).any() && (bishops - Bitboard::DARK_SQUARES).any()
}

fn material(board: &Board, winner: Color) -> i32 {
    let material_of =
        |piece_type| MATERIAL[piece_type] * board.pieces_of(winner, piece_type).count() as i32;
    let pieces: i32 = PieceType::ALL.into_iter().map(material_of).sum();
    let pawns = board.pieces_of(winner, PieceType::Pawn).into_iter();
    let ranks: i32 = pawns.map(|pawn| pawn.relative_to(winner).rank() as i32).sum();
    (pieces + PAWN_RANK * ranks).min(MAX_MATERIAL)
}

fn mating_progress(board: &Board, winner: Color) -> i32 {
    let (king, bare) = (board.king_square(winner), board.king_square(!winner));
    let near = KINGS * (14 - steps(king, bare));
    let majors = board.pieces(PieceType::Queen) | board.pieces(PieceType::Rook);
    if majors.any() || has_bishop_pair(board, winner) {
        return near + EDGE * center_distance(bare);
    }
    let is_dark = (board.pieces(PieceType::Bishop) & Bitboard::DARK_SQUARES).any();
    near + EDGE * center_distance(bare) + CORNER * (7 - corner_distance(bare, is_dark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::chances::Chances;
    use crate::types::Square;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a position")
    }

    fn score(placement: &str) -> Option<i32> {
        evaluate(&board(&format!("{placement} w - - 0 1"))).map(|score| score.0)
    }

    #[test]
    fn mating_material_wins_for_either_side() {
        for pieces in ["QK", "RK", "BBK", "NBK", "NBNK", "BNBK", "QPK", "RPPK", "NBPK"] {
            let rank = format!("{pieces}{}", 8 - pieces.len());
            for side in ["w", "b"] {
                let white = board(&format!("8/7k/8/8/8/{rank}/8/8 {side} - - 0 1"));
                assert_eq!(winner(&white), Some(Color::White), "{pieces}");
                assert_eq!(winner(&white.flipped()), Some(Color::Black), "{pieces}");
                assert_eq!(evaluate(&white), evaluate(&white.flipped()), "{pieces}");
                let score = evaluate(&white).expect("a won ending");
                assert!(is_known(score) && !score.is_decisive(), "{pieces}: {score:?}");
                assert_eq!(score > Score::DRAW, side == "w", "{pieces}: {score:?}");
            }
        }
    }

    #[test]
    fn other_material_does_not_win() {
        // Bishops of one colour, or pawns; no bare king.
        for placement in [
            "8/8/4k3/8/8/8/8/B1B1K3",
            "8/8/4k3/8/8/8/1B6/B1B1K3",
            "8/8/4k3/8/8/8/P7/B3K3",
            "8/8/4k3/8/8/8/PP6/4K3",
            "8/8/4k3/4p3/8/8/8/Q3K3",
            "8/8/4k3/4b3/8/8/8/R3K3",
        ] {
            assert_eq!(
                (score(placement), winner(&board(&format!("{placement} b - - 0 1")))),
                (None, None)
            );
        }
    }

    #[test]
    fn bishop_and_knight_drive_to_the_corner_of_the_bishop() {
        // The bishop on d1 attacks light squares, the one on c1 dark squares.
        let (light, dark) = (score("k7/8/1K6/8/8/8/8/N2B4"), score("k7/8/1K6/8/8/8/8/N1B5"));
        assert!(light > dark, "{light:?} {dark:?}");
        let (light, dark) = (score("7k/8/6K1/8/8/8/8/N2B4"), score("7k/8/6K1/8/8/8/8/N1B5"));
        assert!(light < dark, "{light:?} {dark:?}");
        // With a rook besides, any edge is as good.
        assert_eq!(score("k7/8/1K6/8/8/8/8/NR1B4"), score("k7/8/1K6/8/8/8/8/NRB5"));
        for (is_dark, near, far) in
            [(true, Square::A1, Square::A8), (false, Square::H1, Square::A1)]
        {
            assert_eq!((corner_distance(near, is_dark), corner_distance(far, is_dark)), (0, 7));
            let opposite = Square::ALL[63 - near as usize];
            assert_eq!(corner_distance(opposite, is_dark), 0);
            assert_eq!(corner_distance(Square::A3, is_dark), if is_dark { 2 } else { 5 });
        }
    }

    #[test]
    fn progress_grows_at_the_edge_and_with_the_kings_close() {
        let (center, edge) = (score("8/8/8/3k4/8/3K4/8/R7"), score("8/8/8/k7/8/K7/8/7R"));
        assert!(center < edge, "{center:?} {edge:?}");
        let (far, near) = (score("8/8/8/k7/8/4K3/8/7R"), score("8/8/8/k7/8/2K5/8/7R"));
        assert!(far < near, "{far:?} {near:?}");
        let (pawn, queen) = (score("8/1P6/8/k7/8/2K5/8/7R"), score("1Q6/8/8/k7/8/2K5/8/7R"));
        assert!(pawn < queen, "{pawn:?} {queen:?}");
    }

    #[test]
    fn a_stalemated_king_draws_and_a_mated_one_loses() {
        for (fen, is_drawn) in [
            ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", true),
            ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", false),
            ("6k1/6P1/4R1K1/8/8/8/8/8 b - - 0 1", true),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", false),
        ] {
            let score = evaluate(&board(fen)).expect("a won ending");
            assert_eq!(score == Score::DRAW, is_drawn, "{fen}: {score:?}");
        }
    }

    #[test]
    fn the_most_pieces_stay_below_a_forced_win() {
        let board = board("7k/QQQQQ3/1QQQQ3/8/8/8/8/KRRBBNN1 w - - 0 1");
        let score = evaluate(&board).expect("a won ending");
        assert!(score < Score::MAX_EVAL, "{score:?}");
        assert_eq!(Chances::of(score, &board), Chances { win: 1000, draw: 0, loss: 0 });
    }
}
