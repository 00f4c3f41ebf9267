//! Singular extensions: how much further to search the table's move, by how far it stands out from all the others.

use std::ops::ControlFlow;

use crate::types::{Bound, Depth, Score};

use super::Searcher;
use super::node::{Aborted, NodeContext, NodeType, NonPv, Window};
use super::params;

impl Searcher<'_> {
    /// What a search of all moves but the table's says, in plies to add to the table's move, or a score that ends the
    /// node.
    ///
    /// Idea: if every other move scores well below the table's score, that move is the only one, all depends on it, and
    /// it deserves more depth: a ply, or outside the principal variation two where the gap is wide and, for quiet moves,
    /// three where it is very wide. If another
    /// move reaches beta as well, there are two that do, and the node is cut (*multi-cut*). If the table's move seems to
    /// fail high, or a cut is expected, and it is not the only one, it needs less depth.
    ///
    /// Conditions: enough depth, a table entry nearly as deep whose score is no mate and no upper bound, not at the
    /// root, and the line is not yet twice as long as the iteration's depth. The search without the move is one of this
    /// very node with its context, so it neither asks nor writes the table, prunes nothing as a whole, and learns
    /// nothing about the evaluation; at one node it is never nested in another one.
    ///
    /// Units: margins in hundredths of a pawn, the one below the table's score in sixteenths for each ply of depth.
    ///
    /// Worth: 21 ± 22 Elo in 600 games at 25 000 nodes a move, which does not decide it (2026-11-20, docs/strength.md).
    ///
    /// Sources: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding selectivity to brute-force
    /// searching" (1990); Y. Björnsson and T. Marsland, "Multi-cut pruning in alpha-beta search" (1999);
    /// <https://www.chessprogramming.org/Singular_Extensions>
    pub(super) fn singular_extension<N: NodeType>(
        &mut self,
        node: &NodeContext,
    ) -> Result<ControlFlow<Score, Depth>, Aborted> {
        const NONE: ControlFlow<Score, Depth> = ControlFlow::Continue(0);
        let (Some(tt), Some(tt_move)) = (node.tt, node.tt_move) else { return Ok(NONE) };
        let applies = !N::ROOT
            && node.depth >= params::se_min_depth() + Depth::from(node.tt_pv)
            && tt.depth >= node.depth - params::se_tt_depth()
            && tt.bound != Bound::Upper
            && !tt.score.is_decisive()
            && node.ply < 2 * self.root.depth() as usize;
        if !applies {
            return Ok(NONE);
        }
        let alpha = tt.score - node.depth * params::se_margin() / 16 - 1;
        let others = NodeContext {
            depth: (node.depth - 1) / 2,
            window: Window::above(alpha),
            excluded: Some(tt_move),
            ..*node
        };
        let score = self.search_moves::<NonPv>(&others)?;
        let beta = node.window.beta;
        if score <= alpha {
            return Ok(ControlFlow::Continue(extension::<N>(alpha - score, tt_move.is_quiet())));
        }
        if score >= beta && !score.is_decisive() {
            return Ok(ControlFlow::Break(score));
        }
        let reduction = if tt.score >= beta {
            params::se_negative_high()
        } else if node.cut_node {
            params::se_negative_cut()
        } else {
            0
        };
        Ok(ControlFlow::Continue(-reduction))
    }
}

/// Plies to add to a move that stands out, by how far the others stay below the window.
fn extension<N: NodeType>(gap: Score, is_quiet: bool) -> Depth {
    let is_double = !N::PV && gap.0 > params::se_double_margin();
    let is_triple = is_double && is_quiet && gap.0 > params::se_triple_margin();
    1 + Depth::from(is_double) + Depth::from(is_triple)
}
