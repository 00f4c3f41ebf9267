//! ProbCut: a capture that already beats beta by far in a shallow search will hardly fail to in a deep one.

use crate::types::{Bound, Depth, Move, Score};

use super::Searcher;
use super::node::{Aborted, NodeContext, NonPv, Window};
use super::params;
use super::picker::{Dealt, MovePicker};
use super::tt::TtEntry;

impl Searcher<'_> {
    /// The score of a capture that shows the node to fail high.
    ///
    /// Idea: shallow and deep scores are near each other, so a shallow one that beats beta by a margin foretells the
    /// deep one. Only captures that win enough by exchanges to get there are tried, first in a quiescence search and,
    /// if that confirms them, in one some plies shallower than the node's.
    ///
    /// Conditions: enough depth, neither in check nor in a PV node, no decisive score in question, and no table entry of
    /// about that depth with a score, whatever its bound, that makes it unlikely.
    ///
    /// Units: margins in hundredths of a pawn, depths in plies.
    ///
    /// Worth: 6 ± 15 Elo in 1 400 games and 23 ± 17 in 1 108, 8 000 nodes a move (2026-11-21, docs/strength.md).
    ///
    /// Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm" (1995);
    /// <https://www.chessprogramming.org/ProbCut>
    #[inline]
    pub(super) fn probcut(
        &mut self,
        node: &NodeContext,
        static_eval: Score,
    ) -> Result<Option<Score>, Aborted> {
        let improving = if node.improving { params::probcut_improving() } else { 0 };
        let margin = params::probcut_margin() - improving;
        let beta = node.window.beta + margin;
        let depth = node.depth - params::probcut_reduction();
        let is_unlikely = node.tt.is_some_and(|tt| tt.depth > depth && tt.score < beta);
        let applies = node.depth >= params::probcut_min_depth()
            && !node.window.beta.is_decisive()
            && !beta.is_decisive()
            && !is_unlikely;
        if !applies {
            return Ok(None);
        }
        let rows = self.continuation_rows(node.ply);
        let mut picker = MovePicker::safe_noisy(node.tt_move);
        while let Some(Dealt { mv, .. }) = picker.next(&self.board, &self.histories, rows) {
            if !self.board.see_ge(mv, beta - static_eval) {
                continue;
            }
            let score = self.probe_capture(node, mv, beta, depth)?;
            if score >= beta {
                self.store_probcut(node, mv, score, depth + 1);
                return Ok(Some(if score.is_decisive() { score } else { score - margin }));
            }
        }
        Ok(None)
    }

    /// The score of a capture, in a quiescence search and then, if that reaches `beta`, at this depth.
    fn probe_capture(
        &mut self,
        node: &NodeContext,
        mv: Move,
        beta: Score,
        depth: Depth,
    ) -> Result<Score, Aborted> {
        let (window, ply) = (-Window::above(beta - 1), node.ply + 1);
        self.make_move(node.ply, mv);
        let mut score = -self.quiescence::<NonPv>(window, ply)?;
        if score >= beta && depth > 0 {
            score = -self.alpha_beta::<NonPv>(window, depth, ply, !node.cut_node)?;
        }
        self.unmake_move();
        Ok(score)
    }

    fn store_probcut(&self, node: &NodeContext, mv: Move, score: Score, depth: Depth) {
        let entry = TtEntry {
            mv: Some(mv),
            score,
            raw_eval: node.raw_eval,
            depth,
            bound: Bound::Lower,
            pv: node.tt_pv,
        };
        self.shared.tt.store(self.board.key(), node.ply, entry);
    }
}
