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
    pub hash_mib: usize,
    /// Number of best moves to find in each position, at least 1.
    pub multi_pv: usize,
    /// Tablebases to probe.
    pub tablebases: TablebaseOptions,
}

impl SearchSetup {
    /// Creates a setup for one line and without tablebases.
    pub fn new(limits: Limits, threads: usize, hash_mib: usize) -> Self {
        Self { limits, threads, hash_mib, multi_pv: 1, tablebases: TablebaseOptions::default() }
    }
}

/// Searches positions one after the other, with the same threads and transposition table.
pub(super) struct Analyser {
    pool: SearchPool,
    setup: SearchSetup,
}

/// Result of a search.
pub(super) struct Finding {
    pub(super) outcome: Outcome,
    /// Lines of analysis, in the order in which the search reported them.
    pub(super) infos: Vec<Info>,
}

impl Analyser {
    pub(super) fn new(setup: &SearchSetup) -> Result<Self, PoolError> {
        let pool = SearchPool::with_hash(setup.threads, setup.hash_mib)?;
        Ok(Self { pool, setup: setup.clone() })
    }

    /// Makes the next searches independent of those before.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
    }

    /// Returns the number of threads that take part in a search.
    pub(super) fn search_threads(&self) -> usize {
        self.pool.searching()
    }

    /// Searches a position within the limits of the setup.
    pub(super) fn search(&mut self, board: &Board) -> Finding {
        self.search_until(board, &AtomicBool::new(false))
    }

    /// Searches as [`Self::search`] does, and ends early when the flag is set.
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
    /// Returns the depth, in plies, of the line reported last; 0 without a line.
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

    /// Returns for each MultiPV index above 1 the last line whose move is neither the best move nor
    /// that of a line listed before.
    ///
    /// A search that ended within an iteration has lines of two iterations, in which one move may
    /// have two indices.
    pub(super) fn other_lines(&self) -> Vec<&Info> {
        let last_index = self.infos.iter().map(|info| info.multi_pv).max().unwrap_or(1);
        let mut lines: Vec<&Info> = Vec::new();
        for index in 2..=last_index {
            let is_new = |info: &&Info| {
                let first = info.pv.first().copied();
                let known = lines.iter().map(|line| line.pv.first().copied());
                info.multi_pv == index && !known.chain([self.outcome.best]).any(|mv| mv == first)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, MoveKind, Score, Square};

    const E4: Move = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    const D4: Move = Move::new(Square::D2, Square::D4, MoveKind::DoublePush);
    const C4: Move = Move::new(Square::C2, Square::C4, MoveKind::DoublePush);
    const E5: Move = Move::new(Square::E7, Square::E5, MoveKind::DoublePush);

    fn info(depth: Depth, multi_pv: usize, pv: &[Move]) -> Info {
        Info {
            depth,
            seldepth: 9,
            multi_pv,
            score: Score::DRAW,
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv: pv.iter().copied().collect(),
        }
    }

    /// Returns the result of a search with the best move e4.
    fn finding(infos: Vec<Info>) -> Finding {
        let outcome = Outcome { best: Some(E4), ponder: None, score: Score::DRAW, nodes: 1 };
        Finding { outcome, infos }
    }

    #[test]
    fn an_earlier_line_is_better_than_the_best_move_alone() {
        let found = finding(vec![
            info(5, 1, &[E4]),
            info(6, 1, &[E4, E5]),
            info(7, 1, &[D4, E5]),
            info(7, 1, &[E4]),
        ]);
        assert_eq!(found.best_info().map(|info| info.depth), Some(6));
        assert_eq!((found.best_line(), found.depth()), (vec![E4, E5], 7));
        let short = finding(vec![info(6, 1, &[E4]), info(7, 1, &[E4])]);
        assert_eq!(short.best_info().map(|info| info.depth), Some(7));
        assert_eq!(short.best_line(), [E4]);
    }

    #[test]
    fn the_best_move_is_a_line_if_no_other_has_it() {
        let other = finding(vec![info(7, 1, &[D4, E5])]);
        assert_eq!((other.best_info(), other.best_line()), (None, vec![E4]));
        let none = finding(Vec::new());
        assert_eq!((none.best_line(), none.depth()), (vec![E4], 0));
    }

    #[test]
    fn other_lines_have_each_move_once() {
        let others = |infos| {
            let found = finding(infos);
            let lines = found.other_lines().into_iter();
            lines.map(|line| (line.depth, line.pv[0])).collect::<Vec<_>>()
        };
        let before = [info(6, 1, &[E4]), info(6, 2, &[C4]), info(6, 3, &[D4])];
        let last = [info(7, 1, &[E4]), info(7, 2, &[D4]), info(7, 3, &[C4])];
        let whole = [before, last].concat();
        assert_eq!(others(whole.clone()), [(7, D4), (7, C4)]);
        // Ended within an iteration: c4 has two indices.
        let ended = [whole, vec![info(8, 1, &[E4]), info(8, 2, &[C4])]].concat();
        assert_eq!(others(ended), [(8, C4), (6, D4)]);
        // The best move was second in the iteration before.
        let risen = [info(7, 1, &[D4]), info(7, 2, &[E4]), info(7, 3, &[C4]), info(8, 1, &[E4])];
        assert_eq!(others(risen.to_vec()), [(7, C4)]);
    }
}
