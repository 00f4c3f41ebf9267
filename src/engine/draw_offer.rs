//! The engine's answer to an offer of a draw.

use crate::board::Board;
use crate::types::{Color, Direction, PieceType, Score};

/// The engine agrees from this move of the game on, or earlier without pawns that can move, with at
/// most this score.
const FIRST_MOVE: usize = 20;
const MAX_SCORE: Score = Score(15);

/// Returns why the engine refuses a draw; `None` if it agrees.
///
/// `board` is the position in which it is offered. `plies` is the number of moves of both sides
/// since the game began, from whatever position; it does not count if no pawn can move. `score` is
/// the engine's last one, normalised, from its own point of view.
pub fn draw_refusal(board: &Board, plies: usize, score: Option<Score>) -> Option<String> {
    let number = plies / 2 + 1;
    if number < FIRST_MOVE && !has_fixed_pawns(board) {
        return Some(format!(
            "Tabia agrees to a draw from move {FIRST_MOVE} of the game on, or when no pawn can move."
        ));
    }
    match score {
        Some(score) if score <= MAX_SCORE => None,
        Some(_) => Some("Tabia plays on, as it has the better chances.".to_owned()),
        None => Some("Tabia has to make a move before it agrees to a draw.".to_owned()),
    }
}

/// Returns whether there are no pawns, or each stands before another pawn and can take none.
fn has_fixed_pawns(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| board.pieces_of(color, PieceType::Pawn));
    let takes = white.shift(Direction::NorthEast) | white.shift(Direction::NorthWest);
    let steps = (white.shift(Direction::North) | black.shift(Direction::South)) - (white | black);
    steps.is_empty() && (takes & black).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_agreed_in_level_positions_after_the_opening() {
        let refusal =
            |plies, score: Option<i32>| draw_refusal(&Board::startpos(), plies, score.map(Score));
        assert_eq!(refusal(38, Some(15)), None);
        assert!(refusal(37, Some(15)).is_some_and(|text| text.contains("from move 20")));
        assert!(refusal(60, Some(16)).is_some_and(|text| text.contains("better chances")));
        assert!(refusal(60, None).is_some_and(|text| text.contains("has to make a move")));
        let pawnless = Board::from_fen("4k3/8/8/8/8/8/R7/4K3 w - - 0 1").expect("legal");
        assert_eq!(draw_refusal(&pawnless, 1, Some(Score(15))), None);
        assert!(draw_refusal(&pawnless, 1, Some(Score(16))).is_some());
    }

    #[test]
    fn pawns_are_fixed_if_none_can_advance() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/R7/4K3 w - - 0 1", true),
            ("4k3/8/8/1p1p4/1P1P4/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/1p1p4/1P6/3P4/8/4K3 w - - 0 1", false),
            ("4k3/8/1p6/1p6/1P6/8/8/4K3 w - - 0 1", true),
            ("4k3/8/1p6/8/1P6/1N6/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/1P6/1N6/8/4K3 w - - 0 1", false),
            ("4k3/8/8/1pp5/1PP5/8/8/4K3 w - - 0 1", false),
        ] {
            assert_eq!(has_fixed_pawns(&Board::from_fen(fen).expect("legal")), expected, "{fen}");
        }
    }
}
