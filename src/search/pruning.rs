//! What the search leaves out: whole nodes before their moves are searched, and single moves.
//!
//! No node of the principal variation is left out as a whole, and no mate score is returned that was not searched.
//! Margins are in hundredths of a pawn, depths in plies.

use crate::types::{Bound, Depth, Score};

use super::Searcher;
use super::history::ContinuationRow;
use super::node::{Aborted, Candidate, NodeContext, NodeType, NonPv, Window};
use super::params;
use super::picker::MovePicker;
use super::reductions::ONE_PLY;

impl Searcher<'_> {
    /// The score of a node that need not be searched.
    #[inline]
    pub(super) fn prune_node<N: NodeType>(
        &mut self,
        node: &NodeContext,
    ) -> Result<Option<Score>, Aborted> {
        let (Some(static_eval), Some(eval)) = (node.static_eval, node.eval) else {
            return Ok(None);
        };
        if N::PV {
            return Ok(None);
        }
        if let Some(score) = self.razoring(node, eval)? {
            return Ok(Some(score));
        }
        if let Some(score) = reverse_futility(node, eval) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(node, static_eval, eval)? {
            return Ok(Some(score));
        }
        self.probcut(node, static_eval)
    }

    /// Razoring.
    ///
    /// Idea: an evaluation so far below alpha will not be lifted by quiet moves in the few plies left; whether captures lift
    /// it, quiescence tells.
    ///
    /// Conditions: little depth, a margin that grows with its square, no shorter mate sought, and nothing in the table that
    /// speaks for the position: neither a quiet move nor a lower bound. What quiescence says is believed, even at beta.
    ///
    /// Units: margins in hundredths of a pawn, depth in plies.
    ///
    /// Worth: 5 ± 10 Elo in 3 158 games, −4 ± 13 in 1 780, 8 000 nodes a move (2026-11-21, docs/strength.md).
    ///
    /// Source: <https://www.chessprogramming.org/Razoring>
    #[inline]
    fn razoring(&mut self, node: &NodeContext, eval: Score) -> Result<Option<Score>, Aborted> {
        let margin = params::razor_base() + params::razor_margin() * node.depth * node.depth;
        let applies = node.depth <= params::razor_max_depth()
            && eval + margin <= node.window.alpha
            && !node.window.alpha.is_win()
            && node.tt_move.is_none_or(|mv| !mv.is_quiet())
            && node.tt.is_none_or(|tt| tt.bound != Bound::Lower);
        if !applies {
            return Ok(None);
        }
        self.quiescence::<NonPv>(node.window, node.ply).map(Some)
    }

    /// Null-move pruning.
    ///
    /// Idea: if the opponent may move twice in a row and we still fail high, a move of ours will do so too. The search
    /// after passing is the shallower, the deeper the node and the farther the evaluation above beta.
    ///
    /// Conditions: enough depth, not twice in a row, not when the evaluation speaks against it, and not with pawns alone,
    /// where passing may be best (zugzwang); at high depth a search without null moves has to confirm it, for zugzwangs
    /// with pieces. The other reasons to prune the node hold there as everywhere.
    ///
    /// Units: margins in hundredths of a pawn, reduction in plies.
    ///
    /// Source: <https://www.chessprogramming.org/Null_Move_Pruning>
    #[inline]
    fn null_move(
        &mut self,
        node: &NodeContext,
        static_eval: Score,
        eval: Score,
    ) -> Result<Option<Score>, Aborted> {
        let beta = node.window.beta;
        let margin = params::nmp_eval_base() - params::nmp_eval_depth() * node.depth;
        let applies = node.depth >= params::nmp_min_depth()
            && eval >= beta
            && static_eval >= beta + margin
            && !beta.is_loss()
            && node.ply >= self.null_move_from
            && self.stack.before(node.ply, 1).mv.is_some()
            && self.board.has_non_pawn_material(self.board.side_to_move());
        if !applies {
            return Ok(None);
        }
        let reduction = params::nmp_base()
            + node.depth / params::nmp_depth_divisor()
            + ((eval - beta).0 / params::nmp_eval_divisor()).min(params::nmp_eval_max());
        let depth = node.depth - reduction;
        let score = self.search_null_move(node, depth)?;
        if score < beta {
            return Ok(None);
        }
        // A mate after a null move is none: the opponent had to pass.
        let score = if score.is_win() { beta } else { score };
        if node.depth < params::nmp_verification_depth() || self.null_move_from > 0 {
            return Ok(Some(score));
        }
        let plies = depth.max(0) * params::nmp_verified_share() / 100 + 1;
        self.null_move_from = node.ply + plies as usize;
        let verified = self.alpha_beta::<NonPv>(node.window, depth, node.ply, false)?;
        self.null_move_from = 0;
        Ok((verified >= beta).then_some(score))
    }

    fn search_null_move(&mut self, node: &NodeContext, depth: Depth) -> Result<Score, Aborted> {
        let frame = self.stack.frame_mut(node.ply);
        frame.mv = None;
        frame.row = ContinuationRow::NONE;
        self.board.make_null_move();
        self.shared.tt.prefetch(self.board.key());
        let window = -Window::above(node.window.beta - 1);
        let score = -self.alpha_beta::<NonPv>(window, depth, node.ply + 1, !node.cut_node)?;
        self.board.unmake_move();
        Ok(score)
    }

    /// Whether a move may be left out, in nodes of every kind but the root: quiet moves by their number, by the
    /// evaluation, by their history and by exchanges, in this order, noisy ones by exchanges.
    ///
    /// Conditions: a move was found that does not lose by force, so that a forced loss is never claimed with moves unseen;
    /// and the mover has a piece, since with pawns alone a quiet move can be everything.
    #[inline]
    pub(super) fn skip_move(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        best: Score,
        picker: &mut MovePicker,
    ) -> bool {
        if best.is_loss() || !self.board.has_non_pawn_material(self.board.side_to_move()) {
            return false;
        }
        if !mv.is_quiet {
            return self.loses_exchange(mv, node.depth, -params::see_noisy() * node.depth);
        }
        if is_late(node, mv) && !self.board.gives_check(mv.mv) {
            picker.skip_quiets();
            return true;
        }
        let reduction = params::lmr(node.depth, mv.number, true) / ONE_PLY;
        let lmr_depth = (node.depth - reduction).max(0);
        self.is_futile(node, mv, lmr_depth)
            || has_bad_history(mv, lmr_depth)
            || self.loses_exchange(mv, lmr_depth, -params::see_quiet() * lmr_depth * lmr_depth)
    }

    /// Futility pruning.
    ///
    /// Idea: a quiet move will hardly lift an evaluation far below alpha in the few plies that are left.
    ///
    /// Conditions: `lmr_depth`, the depth that the move's reduction leaves, is small; the move gives no check, which may
    /// lift it; and no shorter mate is sought, of which an evaluation says nothing.
    ///
    /// Units: margins in hundredths of a pawn, for each ply of `lmr_depth`.
    ///
    /// Source: <https://www.chessprogramming.org/Futility_Pruning>
    #[inline]
    fn is_futile(&self, node: &NodeContext, mv: &Candidate, lmr_depth: Depth) -> bool {
        let margin = params::fp_base() + params::fp_margin() * lmr_depth;
        lmr_depth <= params::fp_max_depth()
            && !node.window.alpha.is_win()
            && node.eval.is_some_and(|eval| eval + margin <= node.window.alpha)
            && !self.board.gives_check(mv.mv)
    }

    /// SEE pruning.
    ///
    /// Idea: a move that loses more than `-threshold` by exchanges on its target hardly pays within a small depth.
    ///
    /// Conditions: a small depth, and not a good noisy move, which was weighed when it was ordered.
    ///
    /// Units: `threshold` in hundredths of a pawn, which the caller lets grow with the depth, or with its square for quiet
    /// moves.
    ///
    /// Source: <https://www.chessprogramming.org/Static_Exchange_Evaluation>
    #[inline]
    fn loses_exchange(&self, mv: &Candidate, depth: Depth, threshold: i32) -> bool {
        depth <= params::see_max_depth()
            && !mv.is_good_noisy
            && !self.board.see_ge(mv.mv, Score(threshold))
    }
}

/// Reverse futility pruning (static null move).
///
/// Idea: an evaluation so far above beta will not fall below it in the few plies left. The score lies between beta and
/// the evaluation, since the truth lies rather there.
///
/// Conditions: little depth, a margin that grows with it and is smaller while we improve, a position that was never on a
/// principal variation, and no forced loss to be averted.
///
/// Units: margins in hundredths of a pawn, for each ply.
///
/// Source: <https://www.chessprogramming.org/Reverse_Futility_Pruning>
#[inline]
fn reverse_futility(node: &NodeContext, eval: Score) -> Option<Score> {
    let beta = node.window.beta;
    let improving = if node.improving { params::rfp_improving() } else { 0 };
    let margin = params::rfp_margin() * node.depth - improving;
    let applies = !node.tt_pv
        && node.depth <= params::rfp_max_depth()
        && eval >= beta + margin
        && eval >= beta
        && !beta.is_loss();
    applies.then(|| beta + (eval - beta) / params::rfp_blend_divisor())
}

/// Internal iterative reduction.
///
/// Idea: where a best move is expected but the table knows none, the search will be badly ordered. Better to search less
/// now, and fully once there is a move.
///
/// Conditions: enough depth, and a PV node or one where a cutoff is expected.
///
/// Units: plies.
///
/// Source: <https://www.chessprogramming.org/Internal_Iterative_Reductions>
#[inline]
pub(super) fn internal_iterative_reduction<N: NodeType>(node: &NodeContext) -> Depth {
    let applies =
        node.depth >= params::iir_min_depth() && node.tt_move.is_none() && (N::PV || node.cut_node);
    Depth::from(applies)
}

/// Late move pruning.
///
/// Idea: near the horizon only the first quiet moves are worth a look, twice as many if we are improving. The first later
/// one that gives no check ends them.
///
/// Conditions: little depth, and not in check, where all moves are few.
///
/// Units: numbers of moves, growing with the square of the depth in plies.
///
/// Source: <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
#[inline]
fn is_late(node: &NodeContext, mv: &Candidate) -> bool {
    let depth = node.depth;
    let limit = (params::lmp_base() + depth * depth) / if node.improving { 1 } else { 2 };
    !node.in_check() && depth <= params::lmp_max_depth() && mv.number as i32 > limit
}

/// History pruning.
///
/// Idea: a quiet move that has failed again and again will hardly be the one within a small depth.
///
/// Conditions: `lmr_depth`, the depth that the move's reduction leaves, is small.
///
/// Units: the sum of the move's histories, each within ±[`super::history::MAX`], for each ply.
///
/// Source: <https://www.chessprogramming.org/History_Leaf_Pruning>
#[inline]
fn has_bad_history(mv: &Candidate, lmr_depth: Depth) -> bool {
    lmr_depth <= params::hist_pruning_max_depth()
        && mv.history < -params::hist_pruning_margin() * (lmr_depth + 1)
}
