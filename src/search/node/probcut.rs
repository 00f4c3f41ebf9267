//! ProbCut: cuts a node if a shallow search of a capture beats beta by a margin.

use crate::search::ordering::{MovePicker, PickedMove};
use crate::search::params;
use crate::search::state::{Aborted, NodeContext, NonPv, Window};
use crate::search::tt::TtEntry;
use crate::types::{Bound, Depth, Move, Score};

use super::searcher::Searcher;

impl Searcher<'_> {
    /// Returns the score of a capture that makes the node fail high.
    ///
    /// Idea: shallow and deep scores are correlated, so a shallow score that beats beta by a margin
    /// predicts a deep score above beta. Captures that win enough by SEE are tried in quiescence
    /// search and then at a reduced depth, which is smaller the farther the first score is above
    /// the raised beta. What the depth is reduced for has to hold: beta is raised by as much again.
    /// If it does not, a search at the full depth decides.
    ///
    /// Conditions: enough depth, not in check, no PV node, no decisive score. The TT has no quiet
    /// move and no score below the raised beta, whatever its depth and bound. Without a score, the
    /// static evaluation is at least beta.
    ///
    /// Units: hundredths of a pawn, plies.
    ///
    /// Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm"
    /// (1995); <https://www.chessprogramming.org/ProbCut>
    #[inline]
    pub(crate) fn probcut(
        &mut self,
        node: &NodeContext,
        static_eval: Score,
    ) -> Result<Option<Score>, Aborted> {
        let improving = if node.is_improving() { params::probcut_improving() } else { 0 };
        let margin = params::probcut_margin() - improving;
        let beta = node.window.beta + margin;
        let depth = node.entry_depth - params::probcut_reduction();
        let is_unlikely = node.tt_move.is_some_and(|mv| mv.is_quiet())
            || node.tt.map_or(static_eval < node.window.beta, |tt| tt.score < beta);
        let applies =
            node.entry_depth >= params::probcut_min_depth() && !beta.is_decisive() && !is_unlikely;
        if !applies {
            return Ok(None);
        }
        let rows = self.continuation_rows(node.ply);
        let see_threshold = (beta - static_eval).max(Score::ZERO);
        let mut picker = MovePicker::noisy(node.tt_move, see_threshold);
        while let Some(PickedMove { mv, .. }) = picker.next(&self.board, &self.histories, rows) {
            self.prefetch_entry_after(mv);
            // The picker has not tested the TT move.
            let is_tt_move = !picker.is_good_noisy();
            if is_tt_move && !self.board.see_ge(mv, beta - static_eval) {
                continue;
            }
            let (score, searched_depth) = self.probe_capture(node, mv, beta, depth)?;
            if score >= beta {
                self.store_probcut(node, mv, score, searched_depth + 1);
                return Ok(Some(if score.is_decisive() { score } else { score - margin }));
            }
        }
        Ok(None)
    }

    /// Returns the score of a capture and the depth that confirmed it; 0 for quiescence search
    /// alone.
    fn probe_capture(
        &mut self,
        node: &NodeContext,
        mv: Move,
        beta: Score,
        depth: Depth,
    ) -> Result<(Score, Depth), Aborted> {
        let window = -Window::above(beta - 1);
        let ply = node.ply + 1;
        self.make_move(node.ply, mv);
        let mut score = -self.quiescence::<NonPv>(window, ply)?;
        let excess = (score - beta).0.max(0);
        let plies = (excess / params::probcut_adaptive()).min(depth.max(0));
        let mut searched_depth = (depth - plies).max(0);
        if score >= beta && searched_depth > 0 {
            let raised = (beta + plies * params::probcut_adaptive()).clamp_to_eval();
            let raised_window = -Window::above(raised - 1);
            score =
                -self.alpha_beta::<NonPv>(raised_window, searched_depth, ply, !node.is_cut_node)?;
            if plies > 0 && score < raised {
                searched_depth = depth;
                score = -self.alpha_beta::<NonPv>(window, depth, ply, !node.is_cut_node)?;
            }
        }
        self.unmake_move();
        Ok((score, searched_depth))
    }

    fn store_probcut(&self, node: &NodeContext, mv: Move, score: Score, depth: Depth) {
        let entry = TtEntry {
            mv: Some(mv),
            score,
            raw_eval: node.raw_eval(),
            depth,
            bound: Bound::Lower,
            is_pv: node.is_tt_pv,
        };
        self.shared.tt.store(self.board.search_key(), node.ply, entry);
    }
}
