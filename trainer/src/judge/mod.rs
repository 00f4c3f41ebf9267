//! Measures networks on positions that nothing is trained on.
//!
//! The *error* of a network is the mean squared difference between its winning chances and those of
//! Stockfish's scores. The *progress* of a network over another is the part of the way that it has
//! gone towards the evaluations of two other engines. docs/training.md has the definitions, and how
//! the positions were made. `fresh.rs` needs no other engine: it compares networks on own games.
//!
//! | file | contents |
//! |---|---|
//! | `positions.rs` | the positions and their file |
//! | `statistics.rs` | divisors, means and standard errors |
//! | `report.rs` | the figures as text |
//! | `fresh.rs` | compares networks on games from which they have not learnt |
//! | `run.rs` | the figures of a training run |
//! | `make.rs`, `engine.rs` | makes the positions from games, with other engines |

mod engine;
mod fresh;
pub mod make;
mod positions;
mod report;
mod run;
mod statistics;

use tabia::board::Board;
use tabia::eval::network::{Network, Parameters};
use tabia::types::Score;

use crate::learner::share;

pub use engine::{Engine, EngineError};
pub use fresh::{Change, FreshComparison, whole_blocks};
pub use positions::{GROUPS, JudgePosition, MenGroup, PositionsError, pack, unpack};
pub use report::{Comparison, Summary, fresh_report, report};
pub use run::{RunFigures, RunJudge};
pub use statistics::Estimate;
use statistics::{chance, fit_divisor, fit_slope};

/// Divisor that turns Stockfish's scores, in hundredths of a pawn, into winning chances.
const STOCKFISH_DIVISOR: f64 = 140.0;

/// Positions that a thread evaluates at a time.
const POSITIONS_AT_ONCE: usize = 500;

static POSITIONS: &[u8] = include_bytes!("../../judge/positions.csv.gz");

/// The positions with what is known of them.
pub struct Judge {
    positions: Vec<JudgePosition>,
    /// Index in [`GROUPS`] of each position.
    groups: Vec<usize>,
    /// Indices of the positions with a score, and their chances by Stockfish.
    scored: Vec<(usize, f64)>,
    /// Mean chance of each position by the other engines.
    others: Vec<f64>,
}

/// Error of a network in a group of men.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct GroupError {
    /// Mean squared error.
    pub error: Estimate,
    /// Divisor with which this error is smallest.
    pub divisor: f64,
}

/// Figures of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Errors by group, each with its own divisor, in the order of [`GROUPS`].
    pub groups: [GroupError; GROUPS.len()],
    /// Mean error with these five divisors.
    pub five: Estimate,
    /// Mean error with one divisor for all positions.
    pub one: GroupError,
    /// Chance of each position, with the divisor of its group.
    chances: Vec<f64>,
    /// Squared error of each position with a score.
    squares: Vec<f64>,
}

/// Change from one network to another in the direction of other engines.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Progress {
    /// Part of the way to the other engines' chances, from 0 to 1 at the goal.
    pub way: Estimate,
    /// Mean square of the change in other directions.
    pub rest: f64,
    /// Mean squared distance to the other engines' chances before.
    pub gap_before: f64,
    /// The same after.
    pub gap: f64,
}

impl Judge {
    /// Returns the judge with the positions of this repository.
    pub fn new() -> Self {
        Self::of(unpack(POSITIONS).expect("tests read the file"))
    }

    /// Creates a judge from positions.
    ///
    /// # Panics
    /// If a group of men has no position with a score.
    pub fn of(positions: Vec<JudgePosition>) -> Self {
        let groups: Vec<usize> =
            positions.iter().map(|position| MenGroup::of(&position.board)).collect();
        let chance_of = |score: i32| chance(score, STOCKFISH_DIVISOR);
        let scored: Vec<_> = positions
            .iter()
            .enumerate()
            .filter_map(|(index, position)| Some((index, chance_of(position.score?))))
            .collect();
        let mut judge = Self { positions, groups, scored, others: Vec::new() };
        let [akimbo, viridithas] = [0, 1].map(|engine| {
            let evaluations: Vec<i32> =
                judge.positions.iter().map(|position| position.evaluations[engine]).collect();
            judge.judge(&evaluations).chances
        });
        judge.others = akimbo.iter().zip(viridithas).map(|(one, two)| (one + two) / 2.0).collect();
        judge
    }

    /// Returns the positions.
    pub fn positions(&self) -> &[JudgePosition] {
        &self.positions
    }

    /// Returns the figures of a network.
    pub fn network(&self, network: &Parameters, threads: usize) -> Judgement {
        self.judge(&self.evaluate(network, threads))
    }

    /// Returns the figures of an evaluation, in any unit.
    ///
    /// # Panics
    /// If there is not one number for each position.
    pub fn judge(&self, evaluations: &[i32]) -> Judgement {
        assert_eq!(evaluations.len(), self.positions.len(), "an evaluation for each position");
        let pairs = |group: Option<usize>| -> Vec<(i32, f64)> {
            let scored = self.scored.iter();
            let scored =
                scored.filter(|(at, _)| group.is_none_or(|group| self.groups[*at] == group));
            scored.map(|&(at, target)| (evaluations[at], target)).collect()
        };
        let groups = [0, 1, 2, 3, 4].map(|group| GroupError::of(&pairs(Some(group))));
        let one = GroupError::of(&pairs(None));
        let chances: Vec<f64> = evaluations
            .iter()
            .zip(&self.groups)
            .map(|(&evaluation, &group)| chance(evaluation, groups[group].divisor))
            .collect();
        let square = |&(at, target): &(usize, f64)| (chances[at] - target).powi(2);
        let squares: Vec<f64> = self.scored.iter().map(square).collect();
        Judgement { groups, five: Estimate::mean(&squares), one, chances, squares }
    }

    /// Returns the progress of a network over another one.
    pub fn progress(&self, new: &Judgement, old: &Judgement) -> Progress {
        let way = |from: &Judgement| -> Vec<f64> {
            self.others.iter().zip(&from.chances).map(|(goal, start)| goal - start).collect()
        };
        let (before, after) = (way(old), way(new));
        let changes: Vec<f64> =
            new.chances.iter().zip(&old.chances).map(|(new, old)| new - old).collect();
        let (way, rest) = fit_slope(&before, &changes);
        let mean_square = |values: &[f64]| {
            values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64
        };
        Progress { way, rest, gap_before: mean_square(&before), gap: mean_square(&after) }
    }

    /// Returns the engine's evaluation of each position, for the side to move.
    fn evaluate(&self, parameters: &Parameters, threads: usize) -> Vec<i32> {
        let scorer = Scorer::new(parameters);
        let mut evaluations = vec![0; self.positions.len()];
        let jobs = self.positions.chunks(POSITIONS_AT_ONCE);
        let jobs = jobs.zip(evaluations.chunks_mut(POSITIONS_AT_ONCE));
        share(&mut vec![(); threads], jobs, |(), (positions, evaluations)| {
            for (position, score) in positions.iter().zip(evaluations) {
                *score = scorer.score(&position.board).0;
            }
        });
        evaluations
    }
}

/// A network of any shape, as the engine evaluates it.
pub struct Scorer<'a> {
    parameters: &'a Parameters,
    /// The engine's own form, whose kernels are faster than the reference. It takes only weights of
    /// eight bits and the shape of this build.
    network: Option<Network>,
}

impl<'a> Scorer<'a> {
    /// Prepares a network.
    pub fn new(parameters: &'a Parameters) -> Self {
        Self { parameters, network: Network::new(parameters).ok() }
    }

    /// Returns the score of a position for the side to move.
    pub fn score(&self, board: &Board) -> Score {
        match &self.network {
            Some(network) => network.evaluate(board),
            None => self.parameters.evaluate(board),
        }
    }
}

impl Default for Judge {
    fn default() -> Self {
        Self::new()
    }
}

impl GroupError {
    fn of(pairs: &[(i32, f64)]) -> Self {
        let divisor = fit_divisor(pairs);
        let square =
            |&(evaluation, target): &(i32, f64)| (chance(evaluation, divisor) - target).powi(2);
        let squares: Vec<f64> = pairs.iter().map(square).collect();
        Self { error: Estimate::mean(&squares), divisor }
    }
}

impl Judgement {
    /// Returns by how much the error with five divisors is larger than another network's, from the
    /// differences at each position.
    pub fn difference(&self, other: &Self) -> Estimate {
        let pairs = self.squares.iter().zip(&other.squares);
        Estimate::mean(&pairs.map(|(own, other)| own - other).collect::<Vec<_>>())
    }

    /// Returns the ratio of the error with five divisors to another network's, from the errors at
    /// each position.
    pub fn ratio(&self, other: &Self) -> Estimate {
        Estimate::ratio(&self.squares, &other.squares)
    }
}
