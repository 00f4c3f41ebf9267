//! Best move of a node so far.

use crate::search::recorder::NodeEnding;
use crate::types::{Move, Score};

pub(crate) struct BestMove {
    /// `None` until a move raises alpha.
    pub(crate) mv: Option<Move>,
    pub(crate) score: Score,
    pub(crate) alpha: Score,
    /// Moves considered, including pruned ones.
    pub(crate) move_count: usize,
}

impl BestMove {
    /// Returns the ending of a node whose moves were searched.
    #[inline]
    pub(crate) fn ending(&self, beta: Score) -> NodeEnding {
        if self.move_count == 0 {
            NodeEnding::NoMoves
        } else if self.score >= beta {
            NodeEnding::BetaCutoff
        } else {
            NodeEnding::AllMoves
        }
    }
}
