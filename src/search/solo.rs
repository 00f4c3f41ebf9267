//! A search on the calling thread, for many short searches in a row: waking the thread of a pool would cost more than
//! the search itself.

use std::sync::Arc;

use crate::board::Board;
use crate::types::Move;

use super::history::Histories;
use super::sampler::LineSampler;
use super::threads::{SharedState, StopFlag};
use super::time::Clock;
use super::tt::{TranspositionTable, TtError};
use super::{Limits, Outcome, SearchRequest, Searcher};

/// One thread's search with a table of its own. What it finds depends on the position with its game, the limits and what
/// it was asked since [`clear`](Self::clear), and on nothing else, unless the limits speak of time.
pub struct SoloSearch {
    tt: Arc<TranspositionTable>,
    histories: Histories,
}

impl SoloSearch {
    /// A search with a table of `mib` MiB.
    ///
    /// # Errors
    /// When there is no room for the table.
    pub fn new(mib: usize) -> Result<Self, TtError> {
        let tt = Arc::new(TranspositionTable::new(mib)?);
        Ok(Self { tt, histories: Histories::new() })
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
        self.histories.clear();
    }

    /// Searches until a limit is reached; without one, to the greatest depth there is. Takes a stack of
    /// [`STACK_BYTES`](super::STACK_BYTES).
    pub fn search(&mut self, board: &Board, limits: Limits) -> Outcome {
        self.search_and_sample(board, limits, &[]).0
    }

    /// Searches like [`search`](Self::search). Also returns the moves from the root to each of the
    /// nodes with the given numbers, counted from 1, or to the nearest one after it that no null
    /// move leads to. A line is empty if the search ended before.
    pub fn search_and_sample(
        &mut self,
        board: &Board,
        limits: Limits,
        nodes: &[u64],
    ) -> (Outcome, Vec<Vec<Move>>) {
        let mut request = SearchRequest::new(board.clone(), limits);
        request.options.scale_by_clock = false;
        let stop = Arc::new(StopFlag::new(false));
        self.tt.new_search();
        let shared = SharedState::new(request, self.tt.clone(), stop, 1);
        let clock = Clock::managed(&shared.request);
        let mut searcher = Searcher::new(&shared, &mut self.histories, clock, None, 0);
        searcher.sampler = LineSampler::new(nodes);
        searcher.iterate();
        let lines = std::mem::take(&mut searcher.sampler).into_lines();
        (searcher.outcome(), lines)
    }
}
