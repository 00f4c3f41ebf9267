//! What the search tells its owner, in meaning, not in text.

use crossbeam_channel::Sender;

use crate::types::{Bound, Depth, Move, Score};

use super::pv::Line;
use super::time::Duration;

/// One line of analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Plies searched; 0 if the root has no legal move.
    pub depth: Depth,
    /// The longest line looked at, in plies.
    pub seldepth: usize,
    /// The rank of this line, from 1.
    pub multi_pv: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact. An exact mate comes with the whole line to it.
    pub bound: Bound,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Since the search was asked for.
    pub time: Duration,
    /// Permille of the transposition table in use.
    pub hashfull: u32,
    /// Positions that the tablebases knew, in all threads.
    pub tb_hits: u64,
    /// The line, from the root on.
    pub pv: Line,
}

/// How a search ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The best move; `None` if the root has no legal move.
    pub best: Option<Move>,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// The score for the side to move; mate or a draw if the root has no legal move.
    pub score: Score,
    /// Nodes searched, by all threads.
    pub nodes: u64,
}

/// News of a search.
#[expect(
    clippy::large_enum_variant,
    reason = "there are a few dozen a second, nearly all of them large"
)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// A line of analysis.
    Info(Info),
    /// The root move that is searched now; only in long searches.
    CurrentMove {
        /// Plies being searched.
        depth: Depth,
        /// The move.
        mv: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
    /// The last event of each search.
    Finished(Outcome),
}

/// Sends the events of one search, marked with its generation.
pub(super) struct Reporter {
    generation: u64,
    events: Sender<(u64, SearchEvent)>,
}

impl Reporter {
    pub(super) fn new(generation: u64, events: Sender<(u64, SearchEvent)>) -> Self {
        Self { generation, events }
    }

    pub(super) fn send(&self, event: SearchEvent) {
        // An owner that has gone away wants no news.
        let _ = self.events.send((self.generation, event));
    }
}
