//! Late move reductions: moves late in the order are searched less deeply, since they are seldom best.
//!
//! Reductions are in 1/1024 of a ply, so that terms add up without rounding.
//! Source: <https://www.chessprogramming.org/Late_Move_Reductions>

use crate::types::Depth;

use super::Searcher;
use super::node::{Candidate, NodeContext, NodeType};
use super::params;

/// The unit of reductions.
pub(super) const ONE_PLY: i32 = 1024;

impl Searcher<'_> {
    /// The depth for the first look at a move already on the board, in plies; `depth` if it is not reduced. The first moves
    /// are not, nor is the last ply, and one ply is always left.
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

    /// How much less deep a move is searched, in 1/1024 ply.
    ///
    /// Idea: the later a move and the deeper the node, the less is lost by a shallower look. More where a cutoff is expected,
    /// since any good move will do; where nothing improves; where the table's move is a capture, beside which quiet moves
    /// seldom count; and where answers fail high often. Less for moves that the histories praise (1/1024 ply for each
    /// `lmr_hist_divisor` of their units), for checks, in positions that were on a principal variation, where a mistake costs
    /// most, and in PV nodes once more.
    ///
    /// Conditions: see [`reduced_depth`](Self::reduced_depth).
    ///
    /// Worth of the term for PV nodes, together with one since taken out: 3 ± 9 Elo, 8 000 nodes a move (2026-11-21,
    /// docs/strength.md), enough to say that they do no harm.
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
