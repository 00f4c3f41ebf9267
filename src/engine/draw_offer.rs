//! The engine's answer to an offer of a draw.

use crate::types::Score;

/// The engine agrees from this move of the game on, with at most this score.
const FIRST_MOVE: usize = 20;
const MAX_SCORE: Score = Score(15);

/// Returns why the engine refuses a draw; `None` if it agrees.
///
/// `plies` is the number of moves of both sides since the game began, from whatever position.
/// `score` is the engine's last one, normalised, from its own point of view.
pub fn draw_refusal(plies: usize, score: Option<Score>) -> Option<String> {
    let number = plies / 2 + 1;
    if number < FIRST_MOVE {
        return Some(format!("Tabia agrees to no draw before move {FIRST_MOVE} of a game."));
    }
    match score {
        Some(score) if score <= MAX_SCORE => None,
        _ => Some("Tabia plays on, as it has the better chances.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_agreed_in_level_positions_after_the_opening() {
        let refusal = |plies, score: Option<i32>| draw_refusal(plies, score.map(Score));
        assert_eq!(refusal(38, Some(15)), None);
        assert!(refusal(37, Some(15)).is_some_and(|text| text.contains("before move 20")));
        for score in [None, Some(16)] {
            assert!(refusal(60, score).is_some_and(|text| text.contains("better chances")));
        }
    }
}
