//! Searches of single positions, for the tools that analyse.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::Board;
use crate::search::{
    self, Info, Limits, Outcome, PoolError, SearchPool, SearchRequest, TablebaseOptions,
};
use crate::types::{Depth, Move};

/// Limits and resources of the searches.
#[derive(Clone, Debug)]
pub struct SearchSetup {
    /// Limits of each search.
    pub limits: Limits,
    /// Number of search threads.
    pub threads: usize,
    /// TT size in MiB.
    pub hash: usize,
    /// Number of best moves to find in each position, at least 1.
    pub multi_pv: usize,
    /// Tablebases to probe.
    pub tablebases: TablebaseOptions,
}

impl SearchSetup {
    /// Creates a setup for one line and without tablebases.
    pub fn new(limits: Limits, threads: usize, hash: usize) -> Self {
        Self { limits, threads, hash, multi_pv: 1, tablebases: TablebaseOptions::default() }
    }
}

pub(super) struct Analyser {
    pool: SearchPool,
    setup: SearchSetup,
}

pub(super) struct Finding {
    pub(super) outcome: Outcome,
    pub(super) infos: Vec<Info>,
}

impl Analyser {
    pub(super) fn new(setup: &SearchSetup) -> Result<Self, PoolError> {
        let pool = SearchPool::with_hash(setup.threads, setup.hash)?;
        Ok(Self { pool, setup: setup.clone() })
    }

    /// Makes the next searches independent of those before.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
    }

    /// Returns the number of threads that search.
    pub(super) fn searching(&self) -> usize {
        self.pool.searching()
    }

    pub(super) fn search(&mut self, board: &Board) -> Finding {
        self.search_until(board, &AtomicBool::new(false))
    }

    /// Searches a position, and ends early when the flag is set.
    pub(super) fn search_until(&mut self, board: &Board, stop: &AtomicBool) -> Finding {
        let mut request = SearchRequest::new(board.clone(), self.setup.limits.clone());
        // No time is lost on the way to a GUI.
        request.options.move_overhead = Duration::ZERO;
        request.options.multi_pv = self.setup.multi_pv;
        request.options.tablebases = self.setup.tablebases.clone();
        request.probe_root();
        let (outcome, infos) = search::run_until(&mut self.pool, request, stop);
        Finding { outcome, infos }
    }
}

impl Finding {
    /// Returns the depth of the last line in plies; 0 without one.
    pub(super) fn depth(&self) -> Depth {
        self.infos.last().map_or(0, |info| info.depth)
    }

    /// Returns the moves of [`Self::best_info`], or the best move alone; empty if the game is over.
    pub(super) fn best_line(&self) -> Vec<Move> {
        match self.best_info() {
            Some(info) => info.pv.to_vec(),
            None => self.outcome.best.into_iter().collect(),
        }
    }

    /// Returns the last lines of the ranks below the best move, in their order.
    pub(super) fn other_lines(&self) -> Vec<&Info> {
        let ranks = self.infos.iter().map(|info| info.multi_pv).max().unwrap_or(1);
        let mut lines: Vec<&Info> = Vec::new();
        for rank in 2..=ranks {
            let is_new = |info: &&Info| {
                let first = info.pv.first().copied();
                let known = lines.iter().map(|line| line.pv.first().copied());
                info.multi_pv == rank && !known.chain([self.outcome.best]).any(|mv| mv == first)
            };
            let found = self.infos.iter().rev().find(is_new);
            lines.extend(found);
        }
        lines
    }

    /// Returns the last line with the best move, if possible one longer than a move: a search that
    /// was stopped in a re-search may have reported a PV of the best move alone.
    pub(super) fn best_info(&self) -> Option<&Info> {
        let best = |info: &&Info| info.pv.first().copied() == self.outcome.best;
        let longer = |info: &&Info| best(info) && info.pv.len() > 1;
        self.infos.iter().rev().find(longer).or_else(|| self.infos.iter().rev().find(best))
    }
}
