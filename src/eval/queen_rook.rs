//! Queen against rook, without pawns.

use crate::board::Board;
use crate::types::{Color, PieceType, Score};

use super::distances::{center_distance, steps};

/// Evaluation before the bonuses.
const QUEEN_AGAINST_ROOK: i32 = 400;
/// Bonus for each step (file or rank) of the king with the rook from the four central squares.
const EDGE: i32 = 60;
/// Bonus for each step of the kings towards each other.
const KINGS: i32 = 60;
/// Bonus for each step of the rook from its king.
const ROOK_APART: i32 = 20;

/// Returns the evaluation for the side to move; `None` for other material.
///
/// Idea: it is usually won, but the network gives all positions about the same score. As against a
/// bare king, there is a gradient towards the mate. A rook far from its king is open to a fork.
///
/// Units: hundredths of a pawn.
///
/// Source: <https://www.chessprogramming.org/KQKR>
pub(super) fn evaluate(board: &Board) -> Option<Score> {
    let [queen, rook] = [PieceType::Queen, PieceType::Rook].map(|kind| board.pieces(kind).first());
    let (queen, rook) = queen.zip(rook).filter(|_| board.occupied().count() == 4)?;
    let winner = Color::ALL.into_iter().find(|&color| board.colors(color).contains(queen))?;
    if board.colors(winner).contains(rook) {
        return None;
    }
    let (king, weak) = (board.king_square(winner), board.king_square(!winner));
    let score = QUEEN_AGAINST_ROOK
        + EDGE * center_distance(weak)
        + KINGS * (14 - steps(king, weak))
        + ROOK_APART * steps(rook, weak);
    Some(Score(if board.side_to_move() == winner { score } else { -score }))
}
