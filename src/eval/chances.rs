//! What a score means for the result: chances of winning, drawing and losing, as Tabia's games against itself ended.
//!
//! The steps from a loss to a draw and from a draw to a win are alike, both a logistic function of the score (*ordered*
//! or *proportional odds*): how steep it is and how far apart the steps lie depends on the material. `tabia-data chances`
//! fits the parameters; docs/network.md names the games.
//!
//! Sources: P. McCullagh, "Regression Models for Ordinal Data", 1980; the idea of chances by score and material:
//! <https://github.com/official-stockfish/WDL_model>

use crate::board::Board;
use crate::types::{PieceType, PieceTypeMap, Score};

/// The numbers of a function of the material: constant, linear and quadratic.
pub type Curve = [f64; 3];

/// The material at which a score of 100 means an even chance of winning: a few pieces have gone.
pub const USUAL_MATERIAL: u32 = 58;

/// How the result hangs on score and material.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ChanceModel {
    /// How much a hundredth of a pawn adds to the logarithm of the odds.
    pub slope: Curve,
    /// The logarithm of the odds against winning at a score of zero.
    pub gap: Curve,
}

/// The model of the network in the program.
pub const MODEL: ChanceModel =
    ChanceModel { slope: [0.009977, 0.002802, -0.003970], gap: [3.9528, -5.2424, 2.0619] };

/// The chances of each result for one side, in permille, which add up to 1000.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Chances {
    /// Of winning.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of losing.
    pub loss: u32,
}

impl ChanceModel {
    /// The chance of winning with a score, 0 to 1. That of losing is the one of winning with the opposite score.
    pub fn win(&self, score: f64, material: u32) -> f64 {
        logistic(value(&self.slope, material) * score - value(&self.gap, material))
    }

    /// The score that means an even chance of winning.
    pub fn even_score(&self, material: u32) -> f64 {
        value(&self.gap, material) / value(&self.slope, material)
    }
}

impl Chances {
    /// The chances of the side with this score.
    pub fn of(score: Score, board: &Board) -> Self {
        let win = |score: Score| match () {
            () if score.is_win() => 1000,
            () if score.is_loss() => 0,
            () => (1000.0 * MODEL.win(score.0.into(), material(board))).round() as u32,
        };
        let (win, loss) = (win(score), win(-score));
        // Both are rounded, and together at most one half too large.
        Self { win, draw: 1000_u32.saturating_sub(win + loss), loss }
    }
}

/// A score in the units that people know: 100 is an even chance of winning with [`USUAL_MATERIAL`] on the board. Mates
/// and wins by the tablebases stay what they are.
pub fn normalised(score: Score) -> Score {
    if score.is_decisive() {
        return score;
    }
    let units = f64::from(score.0) * 100.0 / MODEL.even_score(USUAL_MATERIAL);
    Score(units.round() as i32).clamp_to_eval()
}

/// The material on the board in pawns: 1, 3, 3, 5 and 9 for each piece of either side, 78 at the start.
pub fn material(board: &Board) -> u32 {
    const WORTH: PieceTypeMap<u32> = PieceTypeMap::new([1, 3, 3, 5, 9, 0]);
    let worth = |piece_type| WORTH[piece_type] * board.pieces(piece_type).count() as u32;
    PieceType::ALL.into_iter().map(worth).sum()
}

/// The powers of the material that the numbers of a [`Curve`] are for. Promotions may bring more than there was.
pub fn powers(material: u32) -> Curve {
    let part = f64::from(material.min(78)) / f64::from(USUAL_MATERIAL);
    [1.0, part, part * part]
}

fn value(curve: &Curve, material: u32) -> f64 {
    curve.iter().zip(powers(material)).map(|(number, power)| number * power).sum()
}

/// The chance that the logarithm of odds means.
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chances(score: i32, board: &Board) -> Chances {
        Chances::of(Score(score), board)
    }

    #[test]
    fn a_hundred_is_an_even_chance_of_winning() {
        let even = MODEL.even_score(USUAL_MATERIAL);
        assert!((MODEL.win(even, USUAL_MATERIAL) - 0.5).abs() < 1e-12);
        assert_eq!(normalised(Score(even.round() as i32)), Score(100));
        assert_eq!(normalised(-Score(even.round() as i32)), Score(-100));
        assert_eq!(normalised(Score::mate_in(7)), Score::mate_in(7));
        assert_eq!(normalised(-Score::TABLEBASE), -Score::TABLEBASE);
        assert!(!normalised(Score::MAX_EVAL).is_decisive());
    }

    #[test]
    fn chances_are_a_whole_that_grows_with_the_score() {
        let fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/4p3/8/8/3R4/4P3/4K2r w - - 0 1"];
        let boards = fens.map(|fen| Board::from_fen(fen).expect("a position"));
        for board in boards.iter().chain([&Board::startpos()]) {
            let mut before = chances(-30_000, board);
            assert_eq!(before, Chances { win: 0, draw: 0, loss: 1000 });
            for score in -4000..4000 {
                let now = chances(score, board);
                assert_eq!(now.win + now.draw + now.loss, 1000, "{score}");
                assert!(now.win >= before.win && now.loss <= before.loss, "{score}");
                let Chances { win, draw, loss } = chances(-score, board);
                assert_eq!(now, Chances { win: loss, draw, loss: win });
                before = now;
            }
            assert!(before.win > 950, "{before:?}");
        }
    }

    #[test]
    fn material_is_counted_in_pawns() {
        assert_eq!(material(&Board::startpos()), 78);
        let board = Board::from_fen("4k3/8/8/8/8/8/4P3/1NBQKR2 w - - 0 1").expect("a position");
        assert_eq!(material(&board), 1 + 3 + 3 + 9 + 5);
    }
}
