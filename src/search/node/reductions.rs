//! Reductions of depth: of late moves (LMR), which are seldom best, and of nodes without a TT move
//! (IIR).

use crate::search::params;
use crate::search::state::{Candidate, Evaluations, NodeContext, NodeType};
use crate::types::{Bound, Depth, Move};

use super::logarithms::log_product;
use super::searcher::Searcher;

const ONE_PLY: i32 = 1024;

impl Searcher<'_> {
    /// Returns whether LMR applies: not to the first moves, nor in the last ply.
    #[inline]
    pub(crate) fn is_late_move<N: NodeType>(&self, node: &NodeContext, mv: &Candidate) -> bool {
        let full_depth_moves = if N::PV { 2 } else { 1 };
        node.depth >= params::lmr_min_depth() && mv.number > full_depth_moves
    }

    /// Returns the depth in plies at which to search a late move already on the board. A reduced
    /// depth is at least 1; a negative reduction adds at most one ply.
    #[inline]
    pub(crate) fn reduced_depth<N: NodeType>(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        depth: Depth,
    ) -> Depth {
        let reduction = self.late_move_reduction::<N>(node, mv);
        (depth - reduction / ONE_PLY).clamp(1, depth.max(1) + 1)
    }

    /// Hindsight: returns the plies to add to the depth of a node after a late move reduction.
    ///
    /// Idea: the static evaluation after the move shows whether the reduction was right. If the
    /// mover gained by it, a large reduction was too much. If it lost a lot, the node will fail
    /// high, and less depth is enough.
    ///
    /// Conditions: both evaluations are known. No depth is taken from former PV nodes.
    ///
    /// Units: plies; margin in hundredths of a pawn.
    ///
    /// Source: Stockfish, commit 5297ba0a1
    #[inline]
    pub(crate) fn hindsight(
        &self,
        evals: Option<Evaluations>,
        is_tt_pv: bool,
        ply: usize,
    ) -> Depth {
        let prior = self.stack.before(ply, 1);
        let (Some(evals), Some(before)) = (evals, prior.static_eval) else { return 0 };
        let loss = (evals.static_eval + before).0;
        if prior.reduction >= params::hindsight_plies() && loss < 0 {
            1
        } else if prior.reduction > 0 && loss > params::hindsight_margin() && !is_tt_pv {
            -1
        } else {
            0
        }
    }

    /// Returns the depth in plies at which to search an early move with a zero window.
    ///
    /// Idea: where LMR would take off much, an early move loses a ply or two as well. No re-search
    /// follows a fail high.
    ///
    /// Conditions: LMR does not apply. The TT move gets a credit, because it has raised a score.
    ///
    /// Units: 1/1024 ply.
    ///
    /// Source: <https://www.chessprogramming.org/Late_Move_Reductions>
    #[inline]
    pub(crate) fn early_depth<N: NodeType>(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        depth: Depth,
    ) -> Depth {
        if depth < 2 {
            return depth;
        }
        let credit = if Some(mv.mv) == node.tt_move { params::early_tt_move() } else { 0 };
        let reduction = self.late_move_reduction::<N>(node, mv) - credit;
        let plies = if reduction > params::early_two_plies() {
            2
        } else if reduction > params::early_one_ply() {
            1
        } else {
            0
        };
        (depth - plies).max(1)
    }

    /// Returns the late move reduction.
    ///
    /// Idea: the later the move and the deeper the node, the smaller the risk of a reduction.
    ///
    /// More in cut-nodes, where any good move will do; with a noisy TT move, which quiet moves
    /// seldom beat; where the TT expects a fail low; while not improving; after many child cutoffs,
    /// most of all where all moves are expected to fail low.
    /// Less for a good history, for checks, with doubt about the static evaluation, and in present
    /// and former PV nodes, where a mistake costs most.
    ///
    /// Conditions: see [`is_late_move`](Self::is_late_move).
    ///
    /// Units: 1/1024 ply, so that terms add up without rounding.
    ///
    /// Source: <https://www.chessprogramming.org/Late_Move_Reductions>
    #[inline]
    fn late_move_reduction<N: NodeType>(&self, node: &NodeContext, mv: &Candidate) -> i32 {
        let mut reduction = base_reduction(node.depth, mv.number, mv.is_quiet);
        reduction -= if mv.is_quiet {
            mv.history / params::lmr_hist_divisor()
        } else {
            mv.history / params::lmr_noisy_hist_divisor()
        };
        reduction -= node.doubt() * params::lmr_doubt();
        if !node.counts_as_improving {
            reduction += params::lmr_not_improving();
        }
        if node.is_cut_node {
            reduction += params::lmr_cut_node();
        }
        if node.is_tt_pv {
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
        if node.tt.is_some_and(|tt| tt.bound == Bound::Upper && tt.score <= node.window.alpha) {
            reduction += params::lmr_tt_upper();
        }
        if self.stack.frame(node.ply + 1).cutoffs > params::lmr_many_cutoffs() {
            reduction += params::lmr_child_cutoffs();
            if !N::PV && !node.is_cut_node {
                reduction += params::lmr_child_cutoffs_all();
            }
        }
        reduction
    }
}

/// Internal iterative reduction (IIR).
///
/// Idea: without a TT move a deep search is badly ordered. A shallower one finds a TT move for the
/// next iteration.
///
/// Conditions: enough depth, a PV node or an expected cut-node, but not in the line that the last
/// depth found (`is_reducible`).
///
/// Units: plies.
///
/// Source: <https://www.chessprogramming.org/Internal_Iterative_Reductions>
#[inline]
pub(crate) fn internal_iterative_reduction(
    depth: Depth,
    tt_move: Option<Move>,
    is_reducible: bool,
) -> Depth {
    let applies = depth >= params::iir_min_depth() && tt_move.is_none() && is_reducible;
    if applies { 1 } else { 0 }
}

/// Returns the depth that decides whether a quiet move is pruned, at least 0: the depth after the
/// move, less a reduction with numbers of its own, more with a good history.
#[inline]
pub(crate) fn lmr_depth(depth: Depth, number: usize, history: i32) -> Depth {
    let reduction = reduction(depth, number, params::prune_base(), params::prune_factor())
        - history / params::prune_hist_divisor();
    (depth - 1 - (reduction >> ONE_PLY.ilog2())).max(0)
}

#[inline]
fn base_reduction(depth: Depth, number: usize, is_quiet: bool) -> i32 {
    if is_quiet {
        reduction(depth, number, params::lmr_quiet_base(), params::lmr_quiet_factor())
    } else {
        reduction(depth, number, params::lmr_noisy_base(), params::lmr_noisy_factor())
    }
}

/// Returns base + factor · log₂(depth) · log₂(move number) in 1/1024 ply.
#[inline]
fn reduction(depth: Depth, number: usize, base: i32, factor: i32) -> i32 {
    base + ((log_product(depth, number) * factor) >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        for depth in 2..100 {
            for number in 2..64 {
                assert!(
                    base_reduction(depth, number, true)
                        >= base_reduction(depth - 1, number - 1, true)
                );
                assert!(
                    base_reduction(depth, number, true) >= base_reduction(depth, number, false)
                );
            }
        }
    }
}
