//! Searches of single positions, one after the other, for the tools that analyse.

use crate::board::Board;
use crate::search::{self, Duration, Info, Limits, Outcome, PoolError, SearchPool, SearchRequest};
use crate::types::{Color, Depth, Move, Score};

/// Limits and resources of the searches.
#[derive(Clone, Debug)]
pub struct SearchSetup {
    /// Limits of each search.
    pub limits: Limits,
    /// Number of search threads.
    pub threads: usize,
    /// TT size in MiB.
    pub hash: usize,
}

impl SearchSetup {
    /// Creates a pool of search threads with its TT.
    ///
    /// # Errors
    /// If the threads or the TT cannot be had.
    pub(super) fn pool(&self) -> Result<SearchPool, PoolError> {
        SearchPool::with_hash(self.threads, self.hash)
    }
}

/// Search threads with the limits of each search.
pub(super) struct Analyser {
    pool: SearchPool,
    limits: Limits,
}

/// Result of a search.
pub(super) struct Finding {
    pub(super) outcome: Outcome,
    /// Lines of analysis in the order of the search.
    pub(super) infos: Vec<Info>,
}

impl Analyser {
    /// # Errors
    /// If the threads or the TT cannot be had.
    pub(super) fn new(setup: &SearchSetup) -> Result<Self, PoolError> {
        Ok(Self { pool: setup.pool()?, limits: setup.limits.clone() })
    }

    /// Forgets the positions so far, so that the next ones do not depend on them.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
    }

    /// Searches a position with a game before it.
    pub(super) fn search(&mut self, board: &Board) -> Finding {
        let mut request = SearchRequest::new(board.clone(), self.limits.clone());
        // No clock is lost between the program and an opponent.
        request.options.move_overhead = Duration::ZERO;
        let (outcome, infos) = search::run(&mut self.pool, request);
        Finding { outcome, infos }
    }
}

impl Finding {
    /// Returns the depth of the search in plies; 0 if it has no line.
    pub(super) fn depth(&self) -> Depth {
        self.infos.last().map_or(0, |info| info.depth)
    }

    /// Returns the moves of [`Self::last_line`], or the best move alone. Empty if the game is over.
    pub(super) fn best_line(&self) -> Vec<Move> {
        match self.last_line() {
            Some(info) => info.pv.to_vec(),
            None => self.outcome.best.into_iter().collect(),
        }
    }

    /// Returns the last line with the best move, if possible one of more than this move: a search
    /// that ends in a re-search has no more.
    pub(super) fn last_line(&self) -> Option<&Info> {
        let best = |info: &&Info| info.pv.first().copied() == self.outcome.best;
        let longer = |info: &&Info| best(info) && info.pv.len() > 1;
        self.infos.iter().rev().find(longer).or_else(|| self.infos.iter().rev().find(best))
    }
}

/// Returns a score of the side to move from White's view.
pub(super) fn for_white(score: Score, side_to_move: Color) -> Score {
    match side_to_move {
        Color::White => score,
        Color::Black => -score,
    }
}

/// Returns the moves until mate of a score from White's view, negative if Black mates. It is 0
/// after the mate.
pub(super) fn mate_moves(score: Score) -> Option<i32> {
    let plies = Score::MATE.0 - score.0.abs();
    score.is_mate().then_some((plies + 1) / 2 * score.0.signum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_the_moves_of_the_side_that_mates() {
        for (score, moves) in [
            (Score::mate_in(1), Some(1)),
            (Score::mate_in(2), Some(1)),
            (Score::mate_in(3), Some(2)),
            (-Score::mate_in(3), Some(-2)),
            (Score::mated_in(2), Some(-1)),
            (Score::mated_in(0), Some(0)),
            (Score(500), None),
        ] {
            assert_eq!(mate_moves(score), moves, "{score:?}");
        }
    }
}
