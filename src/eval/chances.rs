//! Win, draw and loss probabilities of a score, fitted to Tabia's self-play games.
//!
//! The probabilities of a win and of at least a draw are logistic functions of the score with the
//! same slope (*ordered logit*, *proportional odds*). Slope and gap depend on the material.
//! `tabia-data chances` fits the parameters; docs/network.md names the games.
//!
//! Sources: P. McCullagh, "Regression Models for Ordinal Data", 1980; win/draw/loss rates by score
//! and material: <https://github.com/official-stockfish/WDL_model>

use crate::board::Board;
use crate::types::{Color, PieceType, PieceTypeMap, Score};

/// Quadratic function of the material: coefficients, the constant first.
pub type Curve = [f64; 3];

/// Material at which a normalised score of 100 is an even chance of winning.
pub const REFERENCE_MATERIAL: u32 = 58;

/// Win/draw/loss model by score and material.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ChanceModel {
    /// Change in log-odds for each hundredth of a pawn.
    pub slope: Curve,
    /// Log-odds against a win at a score of zero.
    pub gap: Curve,
}

/// Model fitted to the network of the repository, used with any network.
pub const MODEL: ChanceModel =
    ChanceModel { slope: [0.015527, -0.011614, 0.0051028], gap: [3.2884, -4.6701, 2.0] };

/// Probability of each result for one side in permille. The sum is 1000.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Chances {
    /// Probability of a win.
    pub win: u32,
    /// Probability of a draw.
    pub draw: u32,
    /// Probability of a loss.
    pub loss: u32,
}

impl ChanceModel {
    /// Returns the probability of a win, 0 to 1. For a loss, negate the score.
    pub fn win(&self, score: f64, material: u32) -> f64 {
        logistic(value(&self.slope, material) * score - value(&self.gap, material))
    }

    /// Returns the score at which the chance of winning is even.
    pub fn even_score(&self, material: u32) -> f64 {
        value(&self.gap, material) / value(&self.slope, material)
    }
}

impl Chances {
    /// Returns the probabilities for the side that has this score.
    pub fn of(score: Score, board: &Board) -> Self {
        let win = |score: Score| {
            if score.is_win() {
                1000
            } else if score.is_loss() {
                0
            } else {
                (1000.0 * MODEL.win(score.0.into(), material(board))).round() as u32
            }
        };
        // Rounding could make the sum 1001.
        let (win, loss) = (win(score), win(-score).min(1000 - win(score)));
        Self { win, draw: 1000 - win - loss, loss }
    }

    /// Returns White's probabilities, if these are those of `side`.
    pub fn for_white(self, side: Color) -> Self {
        let Self { win, draw, loss } = self;
        match side {
            Color::White => self,
            Color::Black => Self { win: loss, draw, loss: win },
        }
    }
}

/// Returns the score for display: 100 is an even chance of winning with [`REFERENCE_MATERIAL`].
/// Mate and tablebase scores do not change.
pub fn normalised(score: Score) -> Score {
    if score.is_decisive() {
        return score;
    }
    let units = f64::from(score.0) * 100.0 / MODEL.even_score(REFERENCE_MATERIAL);
    Score(units.round() as i32).clamp_to_eval()
}

/// Largest number of hundredths that [`pawns`] shows. Above it only the side that wins matters.
const MAX_SHOWN: i32 = 9_999;

/// Formats a normalised score in pawns, clamped to ±99.99: `+0.31`. Not for mate scores.
pub fn pawns(score: Score) -> String {
    format!("{:+.2}", f64::from(score.0.clamp(-MAX_SHOWN, MAX_SHOWN)) / 100.0)
}

/// Formats a normalised score from any view in pawns, or in moves until mate: `+0.31`, `#3`, `#-2`.
pub fn score_text(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("#{moves}"),
        None => pawns(score),
    }
}

/// Returns the material of both sides in pawns (1, 3, 3, 5, 9): 78 at the start.
pub fn material(board: &Board) -> u32 {
    const PAWNS: PieceTypeMap<u32> = PieceTypeMap::new([1, 3, 3, 5, 9, 0]);
    let pawns = |piece_type| PAWNS[piece_type] * board.pieces(piece_type).count() as u32;
    PieceType::ALL.into_iter().map(pawns).sum()
}

/// Returns the powers of the material that a [`Curve`] multiplies, at most those of the start
/// position.
pub fn powers(material: u32) -> [f64; 3] {
    let part = f64::from(material.min(78)) / f64::from(REFERENCE_MATERIAL);
    [1.0, part, part * part]
}

fn value(curve: &Curve, material: u32) -> f64 {
    curve.iter().zip(powers(material)).map(|(number, power)| number * power).sum()
}

/// Returns the probability for these log-odds.
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
        let even = MODEL.even_score(REFERENCE_MATERIAL);
        assert!((MODEL.win(even, REFERENCE_MATERIAL) - 0.5).abs() < 1e-12);
        // A hundred times the score, of which rounding is a small part.
        let score = Score((100.0 * even).round() as i32);
        assert!((9_999..=10_001).contains(&normalised(score).0), "{score:?}");
        assert_eq!(normalised(-score), -normalised(score));
        assert_eq!(normalised(Score::mate_in(7)), Score::mate_in(7));
        assert_eq!(normalised(-Score::TABLEBASE), -Score::TABLEBASE);
        assert!(!normalised(Score::MAX_EVAL).is_decisive());
    }

    #[test]
    fn chances_add_up_to_1000_and_grow_with_the_score() {
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

    #[test]
    fn scores_are_pawns_or_moves_until_mate() {
        for (score, text) in [
            (Score(31), "+0.31"),
            (Score(0), "+0.00"),
            (Score(-105), "-1.05"),
            (Score(-19_753), "-99.99"),
            (Score::mate_in(5), "#3"),
            (-Score::mate_in(3), "#-2"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }
}
