//! Reference implementation of the network, for any shape and without incremental updates, to check
//! the kernels and the trainer against.

use crate::board::Board;
use crate::types::{Color, Score};

use super::features::{Perspective, bucket};
use super::format::{FEATURES, Parameters, QA, QB, SCALE};

impl Parameters {
    /// Returns the score of a position for the side to move.
    ///
    /// # Panics
    /// If the lengths of the vectors do not match the shape.
    pub fn evaluate(&self, board: &Board) -> Score {
        let bucket = bucket(board.occupied().count(), self.shape.buckets);
        let (own, hidden) = (board.side_to_move(), self.shape.hidden);
        let weights = &self.output_weights[bucket * 2 * hidden..][..2 * hidden];
        let (own_weights, their_weights) = weights.split_at(hidden);
        let sum = weigh(&self.hidden_layer(board, own), own_weights)
            + weigh(&self.hidden_layer(board, !own), their_weights);
        to_score(sum, self.output_biases[bucket])
    }

    /// Returns the hidden layer of a perspective, before activation.
    fn hidden_layer(&self, board: &Board, color: Color) -> Vec<i16> {
        let mut sums = self.feature_biases.clone();
        for feature in Perspective::of(board, color).features(board) {
            debug_assert!(feature < FEATURES);
            let row = &self.feature_weights[feature * self.shape.hidden..][..self.shape.hidden];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sums
    }
}

/// Returns the weighted sum of the activations in units of 1/([`QA`]²·[`QB`]).
fn weigh(hidden: &[i16], weights: &[i16]) -> i64 {
    let products = hidden.iter().zip(weights).map(|(&sum, &weight)| {
        let clamped = i64::from(sum).clamp(0, i64::from(QA));
        clamped * clamped * i64::from(weight)
    });
    products.sum()
}

/// Converts a sum of [`weigh`] and the bucket's bias to a score.
#[inline]
pub(super) fn to_score(sum: i64, bias: i32) -> Score {
    let output = sum / i64::from(QA) + i64::from(bias);
    let score = output * i64::from(SCALE) / i64::from(QA * QB);
    let limit = i64::from(Score::MAX_EVAL.0);
    Score(score.clamp(-limit, limit) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::format::Shape;

    #[test]
    fn score_matches_a_calculation_by_hand() {
        let mut network = Parameters::zeroed(Shape { hidden: 64, buckets: 2 }).expect("a shape");
        let board = Board::from_fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1").expect("a position");
        // White's king on e1 mirrors its pawn to h2.
        network.feature_weights[(8 + 7) * 64] = 100;
        network.feature_biases[0] = 20;
        network.output_weights[0] = 64;
        network.output_weights[64] = -64;
        network.output_biases[0] = 16;
        // (120² − 20²) · 64 / 255 + 16 = 3529 (by 3513.7), · 160 / 16320 = 34.6.
        assert_eq!(network.evaluate(&board), Score(34));
        assert_eq!(network.evaluate(&board.flipped()), Score(34));
        let mut passed = board.clone();
        passed.make_null_move();
        // −3513 + 16, · 160 / 16320 = −34.3.
        assert_eq!(network.evaluate(&passed), Score(-34));
    }

    #[test]
    fn scores_round_towards_zero_and_stay_in_range() {
        assert_eq!((to_score(254, 0), to_score(-254, 0)), (Score(0), Score(0)));
        assert_eq!((to_score(0, 101), to_score(0, 102)), (Score(0), Score(1)));
        assert_eq!((to_score(0, -101), to_score(0, -102)), (Score(0), Score(-1)));
        assert_eq!(to_score(0, i32::MAX), Score::MAX_EVAL);
        assert_eq!(to_score(i64::from(i32::MIN) * 255, i32::MIN), -Score::MAX_EVAL);
    }
}
