//! Training targets: the winning chance of a position.

use tabia::board::GameResult;
use tabia::datagen::{Ending, Game, Verdict};
use tabia::types::Score;

use crate::maths::sigmoid;

/// Rule for the targets of a game's labels.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TargetRule {
    /// Weight of the game's result, 0 to 1.
    pub result_weight: f64,
    /// λ, the weight of what follows, 0 to 1.
    pub lambda: f64,
    /// Score that means a winning chance of sigmoid(1).
    pub scale: u32,
    /// Uses the chance of the last label as the result of a game that ended by score.
    pub score_ends: bool,
}

impl TargetRule {
    /// Returns the targets of a game's labels in order, each for its side to move.
    ///
    /// A target blends the game's result with the λ-return of the scores from the label on: each
    /// counts 1 − λ, and the rest falls to the next score and in the end to the result. Source:
    /// Sutton and Barto, "Reinforcement Learning", 2nd edition, 12.1.
    pub fn targets(self, game: &Game) -> Vec<f32> {
        let Self { result_weight, lambda, scale, .. } = self;
        // The side to move at each label, and White's chance there.
        let chances = game.plies.iter().enumerate().filter_map(|(index, ply)| {
            // White moves first in every start position.
            let is_white = (game.opening.len() + index).is_multiple_of(2);
            Some((is_white, turned(chance(ply.score?, scale), is_white)))
        });
        let chances: Vec<(bool, f64)> = chances.collect();
        let end = self.end(game, chances.last().map(|&(_, chance)| chance));
        let mut following = end;
        let mut targets: Vec<f32> = Vec::with_capacity(chances.len());
        for (is_white, own) in chances.into_iter().rev() {
            following = (1.0 - lambda) * own + lambda * following;
            let blend = result_weight * end + (1.0 - result_weight) * following;
            targets.push(turned(blend, is_white) as f32);
        }
        targets.reverse();
        targets
    }

    /// Returns White's chance at the end of a game, whose last label gives it `last`.
    fn end(self, game: &Game, last: Option<f64>) -> f64 {
        let Verdict { result, ending } = game.verdict;
        let is_by_score = matches!(ending, Ending::WinByScore | Ending::DrawByScore);
        match (result, last) {
            (_, Some(last)) if self.score_ends && is_by_score => last,
            (GameResult::BlackWins, _) => 0.0,
            (GameResult::Draw, _) => 0.5,
            (GameResult::WhiteWins, _) => 1.0,
        }
    }
}

/// Turns a chance of one side into White's, or back.
fn turned(chance: f64, is_white: bool) -> f64 {
    if is_white { chance } else { 1.0 - chance }
}

/// Returns the winning chance of a score, the target of an interior label: its line was not played.
pub fn chance(score: Score, scale: u32) -> f64 {
    sigmoid(f64::from(score.0) / f64::from(scale))
}

#[cfg(test)]
mod tests {
    use tabia::board::Termination;
    use tabia::datagen::{BackRanks, Ply};
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
        let rule = TargetRule { result_weight, lambda, scale: 200, score_ends: false };
        rule.targets(&game(&[-200, 200, 0]))
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
    #[test]
    fn the_last_label_stands_for_the_result_of_a_game_that_ended_by_score() {
        let rule = TargetRule { result_weight: 0.0, lambda: 1.0, scale: 200, score_ends: true };
        let mut game = game(&[0, 200]);
        // White moves last, and its chance of 0.73 goes back to Black's first label.
        let chance = sigmoid(1.0);
        let expected = [(1.0 - chance) as f32, chance as f32];
        assert_eq!(rule.targets(&game), expected);
        game.verdict.ending = Ending::DrawByScore;
        let of_result = TargetRule { result_weight: 1.0, lambda: 0.0, ..rule };
        assert_eq!(of_result.targets(&game), expected);
        game.verdict.ending = Ending::Rule(Termination::Checkmate);
        assert_eq!(rule.targets(&game), [0.0, 1.0]);

        game.plies.clear();
        game.verdict.ending = Ending::WinByScore;
        assert_eq!(rule.targets(&game), [0.0; 0], "no labels");
    }
}
