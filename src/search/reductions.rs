//! Late move reductions (LMR): moves late in the order are seldom best and are
//! searched less deeply.
//!
//! Reductions are in 1/1024 of a ply, so that terms add up without rounding.
//! Source: <https://www.chessprogramming.org/Late_Move_Reductions>

use crate::types::Depth;

use super::Searcher;
use super::node::{Candidate, NodeContext, NodeType};
use super::params;

/// Unit of reductions.
pub(super) const ONE_PLY: i32 = 1024;

impl Searcher<'_> {
    /// Returns the reduced depth in plies for a move already on the board.
    ///
    /// Returns `depth` where nothing is reduced: the first moves and the last ply. At
    /// least one ply is left.
    #[inline]
    pub(super) fn reduced_depth<N: NodeType>(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        depth: Depth,
    ) -> Depth {
        let first_reduced = if N::PV { 2 } else { 1 };
        if node.depth < params::lmr_min_depth() || mv.number <= first_reduced {
            return depth;
        }
        let reduction = self.late_move_reduction::<N>(node, mv);
        (depth - reduction / ONE_PLY).clamp(1, depth.max(1))
    }

    /// Returns the late move reduction in 1/1024 ply.
    ///
    /// Idea: the later the move and the deeper the node, the smaller the risk of a reduction.
    ///
    /// More in cut-nodes, where any good move will do; while not improving; with a noisy TT move,
    /// which quiet moves seldom beat; and after many child cutoffs.
    ///
    /// Less for a good history (1/1024 ply for each `lmr_hist_divisor` of its units), for checks,
    /// in positions that were in a PV, where a mistake costs most, and again in PV nodes.
    ///
    /// Conditions: see [`reduced_depth`](Self::reduced_depth).
    ///
    /// Source: <https://www.chessprogramming.org/Late_Move_Reductions>
    #[inline]
    fn late_move_reduction<N: NodeType>(&self, node: &NodeContext, mv: &Candidate) -> i32 {
        let mut reduction = params::lmr(node.depth, mv.number, mv.is_quiet);
        reduction -= mv.history / params::lmr_hist_divisor();
        if !node.improving {
            reduction += params::lmr_not_improving();
        }
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if node.tt_pv {
            reduction -= params::lmr_tt_pv();
        }
        if N::PV {
            reduction -= params::lmr_pv();
        }
        if self.board.in_check() {
            reduction -= params::lmr_gives_check();
        }
        if node.tt_move.is_some_and(|mv| !mv.is_quiet()) {
            reduction += params::lmr_noisy_tt_move();
        }
        if self.stack.frame(node.ply + 1).cutoffs > params::lmr_many_cutoffs() {
            reduction += params::lmr_child_cutoffs();
        }
        reduction
    }
}
