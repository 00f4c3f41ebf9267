//! Singular extensions: extends the TT move if it is much better than all other moves.

use std::ops::ControlFlow;

use crate::search::params;
use crate::search::recorder::NodeEnding;
use crate::search::state::{Aborted, Evaluations, NodeContext, NodeType, NonPv, Window};
use crate::search::tt::TtEntry;
use crate::types::{Bound, Depth, Score};

use super::searcher::Searcher;

impl Searcher<'_> {
    /// Returns the extension of the TT move in plies, or the ending and score of the node.
    ///
    /// Idea: if every other move scores well below the TT score, the TT move is singular. So is the
    /// only legal move. It is extended by one ply, by two if the gap is wide, and by three if it is
    /// very wide and the move is quiet; PV nodes need wider gaps, and doubt about the static
    /// evaluation counts as a part of the gap. If another move also reaches beta, the node is cut
    /// (*multi-cut*). If neither holds but another move scores above the TT score, the TT move is
    /// forgotten and takes its place among the others. Otherwise it is reduced if its score reaches
    /// beta or the node is a cut-node (*negative extension*). Where there is no such search, a
    /// shallow node may have another extension (`low_depth_extension`).
    ///
    /// Conditions: not at the root, enough depth (one ply more if the position was in a PV), a line
    /// shorter than twice the iteration's depth. The TT entry is nearly as deep; its score is
    /// neither decisive nor an upper bound.
    ///
    /// The singular search calls `search_moves` on the same node: no TT probe or store, no pruning
    /// of the whole node, no other singular search of it. Correction histories are updated by a
    /// multi-cut alone, whether its move is quiet or not.
    ///
    /// Units: hundredths of a pawn; the margin below the TT score in sixteenths, for each ply of
    /// depth, twice as large in former PV nodes.
    ///
    /// Sources: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding selectivity
    /// to brute-force searching" (1990); Y. Björnsson and T. Marsland, "Multi-cut pruning in
    /// alpha-beta search" (1999); <https://www.chessprogramming.org/Singular_Extensions>
    pub(crate) fn singular_extension<N: NodeType>(
        &mut self,
        node: &mut NodeContext,
    ) -> Result<ControlFlow<(NodeEnding, Score), Depth>, Aborted> {
        let (Some(tt), Some(tt_move)) = (node.tt, node.tt_move) else {
            return Ok(ControlFlow::Continue(0));
        };
        let former_pv_depth = if node.is_tt_pv { 1 } else { 0 };
        let applies = !N::ROOT
            && node.depth >= params::se_min_depth() + former_pv_depth
            && tt.depth >= node.depth - params::se_tt_depth()
            && tt.bound != Bound::Upper
            && !tt.score.is_decisive()
            && node.ply < 2 * self.root.depth() as usize;
        if !applies {
            return Ok(ControlFlow::Continue(low_depth_extension(node)));
        }
        let is_exact = tt.bound == Bound::Exact;
        let margin = if is_exact { params::se_exact_margin() } else { params::se_margin() };
        let width = if node.is_tt_pv && !N::PV { 2 } else { 1 };
        let singular_beta = tt.score - width * node.depth * margin / 16;
        let others = NodeContext {
            depth: (node.depth - 1) / 2,
            window: Window::above(singular_beta - 1),
            excluded: Some(tt_move),
            is_last_pv: false,
            ..*node
        };
        self.recorder.enter_singular(&others);
        let (ending, score) = self.search_moves::<NonPv>(&others, 0)?;
        self.recorder.leave(ending, score);
        let beta = node.window.beta;
        if score < singular_beta {
            let gap = singular_beta - 1 - score;
            let gap = gap + node.doubt() * params::se_doubt() / 100;
            return Ok(ControlFlow::Continue(extension::<N>(gap, &tt, tt_move.is_quiet())));
        }
        if score >= beta && !score.is_decisive() {
            self.update_corrections(&others, None, score, Bound::Lower);
            return Ok(ControlFlow::Break((NodeEnding::MultiCut, score)));
        }
        if score > tt.score {
            node.tt_move = None;
            return Ok(ControlFlow::Continue(0));
        }
        let reduction = if tt.score >= beta {
            params::se_negative_high()
        } else if node.is_cut_node {
            params::se_negative_cut()
        } else {
            0
        };
        Ok(ControlFlow::Continue(-reduction))
    }
}

/// Low-depth extension: returns the extension of the TT move in plies where the singular search
/// does not apply.
///
/// Idea: if the node fails high although its evaluation is below alpha, it does so by the TT move
/// alone.
///
/// Conditions: a TT move, small depth, a cut-node, not in check, an evaluation well below alpha,
/// refined by the TT score.
///
/// Units: hundredths of a pawn.
///
/// Source: Reckless, commit d20f8c6
#[inline]
fn low_depth_extension(node: &NodeContext) -> Depth {
    let is_far_below =
        |evals: Evaluations| evals.refined + params::se_low_margin() <= node.window.alpha;
    let applies = node.is_cut_node
        && node.depth <= params::se_low_depth()
        && node.evals.is_some_and(is_far_below);
    if applies { 1 } else { 0 }
}

/// Returns the extension in plies for the gap between the singular window and the best other move.
/// It has to be wider in a PV node, most of all in one that was none before.
fn extension<N: NodeType>(gap: Score, tt: &TtEntry, is_quiet: bool) -> Depth {
    let new_pv = if tt.is_pv { 0 } else { params::se_new_pv_double() };
    let excess = gap.0 - if N::PV { params::se_pv_double() + new_pv } else { 0 };
    if excess <= params::se_double_margin() {
        1
    } else if !is_quiet || excess <= params::se_triple_margin() {
        2
    } else {
        3
    }
}
