//! Search on the calling thread, for many short searches in a row.
//!
//! Waking a thread of a pool, or allocating memory, would cost more than a short search.

use std::sync::Arc;

use crate::board::Board;
use crate::platform::Instant;
use crate::search::node::{LineSampler, Searcher, ThreadMemory};
use crate::search::report::Outcome;
use crate::search::request::{Limits, SearchRequest};
use crate::search::state::{Clock, SharedState, StopFlag};
use crate::search::tt::{TranspositionTable, TtError};
use crate::types::Move;

/// Search of one thread with its own TT.
///
/// Its result depends only on the position with its game, the limits and the searches since
/// [`clear`](Self::clear), unless a limit is in time.
pub struct SoloSearch {
    shared: SharedState,
    /// `None` before the first search.
    memory: Option<ThreadMemory>,
}

impl SoloSearch {
    /// Creates a search with a TT of `mib` MiB.
    ///
    /// # Errors
    /// If there is not enough memory for the TT.
    pub fn new(mib: usize) -> Result<Self, TtError> {
        let tt = Arc::new(TranspositionTable::new(mib)?);
        let request = SearchRequest::new(Board::startpos(), Limits::default());
        let stop = Arc::new(StopFlag::new(false));
        Ok(Self { shared: SharedState::new(request, tt, stop, 1), memory: None })
    }

    /// Creates a search whose scores are labels: its evaluations have the network's scale, and
    /// it leaves out no move of a PV node.
    ///
    /// # Errors
    /// If there is not enough memory for the TT.
    pub fn for_labels(mib: usize) -> Result<Self, TtError> {
        let mut search = Self::new(mib)?;
        let options = &mut search.shared.request.options;
        options.scales_eval = false;
        options.full_width_pv = true;
        Ok(search)
    }

    /// Clears the TT and the histories, for a new game.
    pub fn clear(&mut self) {
        self.shared.tt.clear();
        if let Some(memory) = &mut self.memory {
            memory.histories.clear();
        }
    }

    /// Searches until a limit is reached; without one, to the maximum depth. Needs a stack of
    /// [`STACK_BYTES`](super::STACK_BYTES).
    pub fn search(&mut self, board: &Board, limits: Limits) -> Outcome {
        self.search_and_sample(board, limits, &[]).0
    }

    /// Searches like [`search`](Self::search), and returns the lines to the nodes with these
    /// numbers, counted from 1. The root and nodes below a null move are replaced by the next node.
    /// A line is empty if the search ended before.
    pub fn search_and_sample(
        &mut self,
        board: &Board,
        limits: Limits,
        nodes: &[u64],
    ) -> (Outcome, Vec<Vec<Move>>) {
        let request = &mut self.shared.request;
        request.board.clone_from(board);
        request.limits = limits;
        request.start = Instant::now();
        self.shared.restart();
        let clock = Clock::managed(&self.shared.request);
        let memory = ThreadMemory::kept_or_new(&mut self.memory);
        let mut searcher = Searcher::new(&self.shared, memory, clock, None, 0);
        searcher.sampler = LineSampler::new(nodes);
        searcher.iterate();
        let outcome = searcher.outcome();
        let lines = std::mem::take(&mut searcher.sampler).into_lines();
        self.memory = Some(searcher.into_memory());
        (outcome, lines)
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::bench;

    use super::*;

    /// Plays on from the positions of `bench`, with as many nodes as a label has. Returns the mean
    /// of the scores less the static evaluations, both between -100 and 100.
    fn mean_gain(search: &mut SoloSearch) -> f64 {
        let limits = Limits { soft_nodes: Some(250), nodes: Some(2000), ..Limits::default() };
        let mut gains = Vec::new();
        for mut board in bench::positions() {
            search.clear();
            for _ in 0..20 {
                let Outcome { best: Some(mv), score, .. } = search.search(&board, limits.clone())
                else {
                    break;
                };
                if mv.is_quiet() && !board.in_check() {
                    let static_eval = search.shared.request.network.evaluate(&board);
                    let [score, before] =
                        [score, static_eval].map(|score| score.0.clamp(-100, 100));
                    gains.push(f64::from(score - before));
                }
                board.make_move(mv);
            }
        }
        gains.iter().sum::<f64>() / gains.len() as f64
    }

    #[test]
    fn labels_do_not_favour_the_side_to_move() {
        let mut labels = SoloSearch::for_labels(1).expect("a megabyte");
        let mean = mean_gain(&mut labels);
        labels.shared.request.options.full_width_pv = false;
        let pruned = mean_gain(&mut labels);
        assert!(mean.abs() < pruned, "{mean}, with pruning {pruned}");
    }

    /// Searches with fresh buffers, but with the TT and the histories of `solo`.
    fn search_with_new_buffers(solo: &mut SoloSearch, board: &Board, limits: Limits) -> Outcome {
        if let Some(used) = solo.memory.take() {
            let mut fresh = ThreadMemory::new().expect("a few megabytes");
            fresh.histories = used.histories;
            solo.memory = Some(fresh);
        }
        solo.search(board, limits)
    }

    #[test]
    fn kept_memory_changes_no_result() {
        let mut kept = SoloSearch::new(1).expect("a megabyte");
        let mut renewed = SoloSearch::new(1).expect("a megabyte");
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "nrbbkqrn/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/NRBBKQR1 b GBgb - 1 2",
            "8/5pk1/R5p1/7p/7P/5KP1/r4P2/8 w - - 10 45",
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        ] {
            let mut board = Board::from_fen(fen).expect("a legal position");
            for ply in 0..60 {
                // Every other search is aborted and leaves its line in the buffers.
                let (nodes, soft) = if ply % 2 == 0 { (21_000, 500_000) } else { (4_000, 500) };
                let limits =
                    Limits { nodes: Some(nodes), soft_nodes: Some(soft), ..Limits::default() };
                let found = kept.search(&board, limits.clone());
                assert_eq!(
                    search_with_new_buffers(&mut renewed, &board, limits),
                    found,
                    "{fen}, ply {ply}"
                );
                let Some(mv) = found.best else { break };
                board.make_move(mv);
            }
        }
    }
}
