//! Events of a search, as data. The protocol turns them into text.

use std::time::Duration;

use crossbeam_channel::Sender;

use crate::types::{Bound, Depth, Move, Score};

use super::state::Line;

/// One line of analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Depth in plies; 0 without a legal root move.
    pub depth: Depth,
    /// Selective depth: length of the longest line of PV nodes, in plies.
    pub seldepth: usize,
    /// Rank of the line, from 1.
    pub multi_pv: usize,
    /// Score for the side to move at the root.
    pub score: Score,
    /// Kind of the score. An exact mate score comes with its complete PV.
    pub bound: Bound,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since the search was requested.
    pub time: Duration,
    /// Permille of the TT entries, in a sample, that this search has written.
    pub hashfull: u32,
    /// Tablebase hits of all threads.
    pub tb_hits: u64,
    /// PV from the root.
    pub pv: Line,
}

impl Info {
    /// Returns the nodes per second so far, for a time of at least 1 ms.
    pub fn nps(&self) -> u128 {
        u128::from(self.nodes) * 1000 / self.time.as_millis().max(1)
    }
}

/// Result of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Best move; `None` without a legal root move.
    pub best: Option<Move>,
    /// Expected reply to the best move.
    pub ponder: Option<Move>,
    /// Score for the side to move; mate or a draw without a legal root move.
    pub score: Score,
    /// Nodes searched by all threads.
    pub nodes: u64,
}

/// Event of a search.
#[expect(
    clippy::large_enum_variant,
    reason = "there are a few dozen a second, nearly all of them large"
)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// Line of analysis.
    Info(Info),
    /// Root move being searched; only in long searches.
    CurrentMove {
        /// Depth in plies.
        depth: Depth,
        /// Root move that is searched.
        mv: Move,
        /// Number in the order of search, from 1.
        number: usize,
    },
    /// Panic of a search thread. The search continues without it or, if it was the main thread,
    /// ends with the best move so far.
    Panicked {
        /// Index of the thread; the main thread is 0.
        thread: usize,
        /// Message of the panic.
        message: String,
    },
    /// End of the search. Only panics of late helpers may follow.
    Finished(Outcome),
}

/// Sends the events of one search, tagged with its generation.
#[derive(Clone)]
pub(crate) struct Reporter {
    generation: u64,
    events: Sender<(u64, SearchEvent)>,
}

impl Reporter {
    pub(crate) fn new(generation: u64, events: Sender<(u64, SearchEvent)>) -> Self {
        Self { generation, events }
    }

    pub(crate) fn send(&self, event: SearchEvent) {
        // A closed channel is no error.
        let _ = self.events.send((self.generation, event));
    }
}
