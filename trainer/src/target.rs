//! Training targets: the winning chance of a position.

use tabia::board::GameResult;
use tabia::datagen::Game;
use tabia::types::Score;

use crate::maths::sigmoid;

/// Returns the targets of a game's labels in order, each for its side to move. A score of `scale`
/// means a winning chance of sigmoid(1).
///
/// A target blends the game's result with the λ-return of the scores from the label on: each counts
/// 1 − λ, and the rest falls to the next score and in the end to the result. Source: Sutton and
/// Barto, "Reinforcement Learning", 2nd edition, 12.1.
pub fn targets(game: &Game, result_weight: f64, lambda: f64, scale: u32) -> Vec<f32> {
    let result = match game.verdict.result {
        GameResult::BlackWins => 0.0,
        GameResult::Draw => 0.5,
        GameResult::WhiteWins => 1.0,
    };
    let mut targets = Vec::new();
    // From White's point of view, backwards from the end of the game.
    let mut following = result;
    for (index, ply) in game.plies.iter().enumerate().rev() {
        let Some(score) = ply.score else { continue };
        // White moves first in every start position.
        let is_white = (game.opening.len() + index).is_multiple_of(2);
        let turned = |chance: f64| if is_white { chance } else { 1.0 - chance };
        let own = turned(chance(score, scale));
        following = (1.0 - lambda) * own + lambda * following;
        let blend = result_weight * result + (1.0 - result_weight) * following;
        targets.push(turned(blend) as f32);
    }
    targets.reverse();
    targets
}

/// Returns the winning chance of a score, the target of an interior label: its line was not played.
pub fn chance(score: Score, scale: u32) -> f64 {
    sigmoid(f64::from(score.0) / f64::from(scale))
}

#[cfg(test)]
mod tests {
    use tabia::datagen::{BackRanks, Ending, Ply, Verdict};
    use tabia::types::{Move, MoveKind, Square};

    use super::*;

    /// Returns a game that White wins, with these scores and Black to move first.
    fn game(scores: &[i32]) -> Game {
        let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        Game {
            back_ranks: BackRanks::STANDARD,
            opening: vec![mv],
            plies: scores.iter().map(|&score| Ply { mv, score: Some(Score(score)) }).collect(),
            interior: Vec::new(),
            verdict: Verdict { result: GameResult::WhiteWins, ending: Ending::WinByScore },
        }
    }

    fn targets_with(result_weight: f64, lambda: f64) -> Vec<f32> {
        targets(&game(&[-200, 200, 0]), result_weight, lambda, 200)
    }

    #[test]
    fn targets_are_blends_of_scores_and_result() {
        let chance = sigmoid(1.0) as f32;
        let near = |found: &[f32], expected: [f32; 3]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6)
        };
        assert!(near(&targets_with(0.0, 0.0), [1.0 - chance, chance, 0.5]));
        assert_eq!(targets_with(1.0, 0.0), [0.0, 1.0, 0.0]);
        assert_eq!(targets_with(0.0, 1.0), [0.0, 1.0, 0.0]);
        let blend = targets_with(0.25, 0.0);
        assert!(near(&blend, [0.75 * (1.0 - chance), 0.25 + 0.75 * chance, 0.375]), "{blend:?}");
        // From White's point of view the chances are c, c, 1/2 and the result is 1.
        let (c, returns) = (chance, targets_with(0.0, 0.5));
        let white = [0.5 * c + 0.25 * c + 0.125 * 0.5 + 0.125, 0.5 * c + 0.25 * 0.5 + 0.25, 0.75];
        assert!(near(&returns, [1.0 - white[0], white[1], 1.0 - white[2]]), "{returns:?}");
    }
}
