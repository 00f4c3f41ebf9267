//! Pruning of whole nodes before their moves are searched, and of single moves.
//!
//! A mate score is returned only if searched moves prove it; that of a null move becomes beta.

use crate::eval::endings;
use crate::search::ordering::PieceTo;
use crate::search::params;
use crate::search::recorder::{NodeEnding, Pruning};
use crate::search::state::{Aborted, Candidate, Evaluations, NodeContext, NodeType, NonPv, Window};
use crate::types::{Bound, Depth, Score};

use super::best_move::BestMove;
use super::reductions::lmr_depth;
use super::searcher::Searcher;

impl Searcher<'_> {
    /// Returns why a node can be pruned, and its score. PV nodes and nodes in check are not pruned,
    /// nor are those whose beta is the score of a won ending or a forced win: margins are on the
    /// network's scale, which does not measure progress towards mate.
    #[inline]
    pub(crate) fn prune_node<N: NodeType>(
        &mut self,
        node: &NodeContext,
    ) -> Result<Option<(NodeEnding, Score)>, Aborted> {
        let Some(Evaluations { static_eval, refined: eval, .. }) = node.evals else {
            return Ok(None);
        };
        if N::PV || endings::is_known(node.window.beta) {
            return Ok(None);
        }
        if let Some(score) = self.razoring(node, eval)? {
            return Ok(Some((NodeEnding::Razoring, score)));
        }
        if let Some(score) = reverse_futility(node, eval) {
            return Ok(Some((NodeEnding::ReverseFutility, score)));
        }
        if let Some(score) = self.null_move(node, static_eval, eval)? {
            return Ok(Some((NodeEnding::NullMove, score)));
        }
        let score = self.probcut(node, static_eval)?;
        Ok(score.map(|score| (NodeEnding::ProbCut, score)))
    }

    /// Razoring.
    ///
    /// Idea: far below alpha, quiet moves will not help in the few plies left, so quiescence search
    /// decides.
    ///
    /// Conditions: small depth, a margin that grows with its square, no quiet TT move, no lower
    /// bound in the TT. The quiescence score is returned whatever it is.
    ///
    /// Units: hundredths of a pawn.
    ///
    /// Source: <https://www.chessprogramming.org/Razoring>
    #[inline]
    fn razoring(&mut self, node: &NodeContext, eval: Score) -> Result<Option<Score>, Aborted> {
        let depth = node.entry_depth;
        let margin = params::razor_base() + params::razor_margin() * depth * depth;
        let applies = depth <= params::razor_max_depth()
            && eval + margin <= node.window.alpha
            && node.tt_move.is_none_or(|mv| !mv.is_quiet())
            && node.tt.is_none_or(|tt| tt.bound != Bound::Lower);
        if !applies {
            return Ok(None);
        }
        self.quiescence::<NonPv>(node.window, node.ply).map(Some)
    }

    /// Null-move pruning (NMP).
    ///
    /// Idea: if the node fails high although the opponent moves twice in a row, a real move will
    /// too.
    ///
    /// Conditions: enough depth, no null move just before, evaluation and static evaluation high
    /// enough. The mover has a piece: with pawns alone, passing may be best (zugzwang). At high
    /// depth another search verifies the result, without null moves in the first
    /// `nmp_verified_share` percent of its depth; other pruning stays on in it.
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
        let depth = node.entry_depth;
        let margin = params::nmp_eval_base() - params::nmp_eval_depth() * depth;
        let applies = depth >= params::nmp_min_depth()
            && eval >= beta
            && static_eval >= beta + margin
            && node.ply >= self.null_move_from
            && self.stack.before(node.ply, 1).mv.is_some()
            && self.board.has_non_pawn_material(self.board.side_to_move());
        if !applies {
            return Ok(None);
        }
        let reduction = params::nmp_base()
            + depth / params::nmp_depth_divisor()
            + ((eval - beta).0 / params::nmp_eval_divisor()).min(params::nmp_eval_max());
        let reduced_depth = depth - reduction;
        let score = self.search_null_move(node, reduced_depth)?;
        if score < beta {
            return Ok(None);
        }
        // A mate after a null move is not proven.
        let proven_score = if score.is_win() { beta } else { score };
        if depth < params::nmp_verification_depth() || self.null_move_from > 0 {
            return Ok(Some(proven_score));
        }
        // This node has been corrected in hindsight already.
        self.stack.frame_mut(node.ply - 1).reduction = 0;
        let plies = reduced_depth.max(0) * params::nmp_verified_share() / 100 + 1;
        self.null_move_from = node.ply + plies as usize;
        let verified = self.alpha_beta::<NonPv>(node.window, reduced_depth, node.ply, false)?;
        self.null_move_from = 0;
        Ok((verified >= beta).then_some(proven_score))
    }

    fn search_null_move(&mut self, node: &NodeContext, depth: Depth) -> Result<Score, Aborted> {
        let frame = self.stack.frame_mut(node.ply);
        frame.mv = None;
        frame.piece_to = PieceTo::NONE;
        frame.reduction = 0;
        self.board.make_null_move();
        self.shared.tt.prefetch(self.board.search_key());
        let window = -Window::above(node.window.beta - 1);
        let score = -self.alpha_beta::<NonPv>(window, depth, node.ply + 1, !node.is_cut_node)?;
        self.board.unmake_move();
        Ok(score)
    }

    /// Returns why a move can be pruned, with a bound that raises the best score of the node, or
    /// that score itself; `None` if the move must be searched.
    ///
    /// Conditions: not at the root, nor in a PV node of full width; in the line that the last depth
    /// found, no quiet move but by its number. A move that does not lose by force has been found,
    /// so that no forced loss is claimed with moves left out. The mover has a piece: with pawns
    /// alone, any quiet move can decide (zugzwang).
    #[inline]
    pub(crate) fn skip_move<N: NodeType>(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        best: &BestMove,
    ) -> Option<(Pruning, Score)> {
        let may_skip = !N::ROOT
            && !self.is_full_width::<N>()
            && !best.score.is_loss()
            && self.board.has_non_pawn_material(self.board.side_to_move());
        if !may_skip {
            return None;
        }
        let noisy_limit = -params::see_noisy() * node.depth;
        if !mv.is_quiet {
            if let Some(limit) = self.noisy_futility_limit(node, mv, best.alpha) {
                return Some((Pruning::Futility, limit));
            }
            let limit = noisy_limit - mv.history / params::see_hist_divisor();
            let is_pruned = self.loses_exchange(mv, node.depth, limit);
            return is_pruned.then_some((Pruning::See, best.score));
        }
        if is_late(node, mv) && !self.board.gives_check(mv.mv) {
            return Some((Pruning::LateMove, best.score));
        }
        if node.is_last_pv {
            return None;
        }
        let lmr_depth = lmr_depth(node.depth, mv.number, mv.history);
        if let Some(limit) = self.futility_limit(node, mv, best.alpha, lmr_depth) {
            return Some((Pruning::Futility, limit));
        }
        if has_bad_history(node, mv, lmr_depth) {
            return Some((Pruning::History, best.score));
        }
        let threshold = -params::see_quiet() * lmr_depth * lmr_depth;
        let is_pruned = !node.in_check()
            && self.loses_exchange(mv, lmr_depth, threshold)
            && (!self.board.gives_check(mv.mv) || self.loses_exchange(mv, node.depth, noisy_limit));
        is_pruned.then_some((Pruning::See, best.score))
    }

    /// Futility pruning (FP).
    ///
    /// Idea: far below alpha, a quiet move will not help enough in the few plies left. Returns the
    /// score that it would not exceed, at most alpha.
    ///
    /// Conditions: small `lmr_depth`, the depth after the move's reduction. Not in check, and the
    /// move gives no check. Alpha is not the score of a won ending or a forced win.
    ///
    /// Units: hundredths of a pawn, for each ply of `lmr_depth`; more with the doubt about the
    /// static evaluation.
    ///
    /// Source: <https://www.chessprogramming.org/Futility_Pruning>
    #[inline]
    fn futility_limit(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        alpha: Score,
        lmr_depth: Depth,
    ) -> Option<Score> {
        let doubt = node.doubt() * params::fp_doubt() / 100;
        let margin = params::fp_base() + params::fp_margin() * lmr_depth + doubt;
        let limit = node.evals?.static_eval + margin;
        let applies = lmr_depth <= params::fp_max_depth()
            && limit <= alpha
            && !endings::is_known(alpha)
            && !self.board.gives_check(mv.mv);
        applies.then_some(limit)
    }

    /// Futility pruning of bad noisy moves.
    ///
    /// Idea: a capture that loses material by SEE will not close the gap to alpha. Returns the
    /// score that it would not exceed, at most alpha.
    ///
    /// Conditions: as for quiet moves, but by the depth of the node and without the doubt.
    ///
    /// Units: hundredths of a pawn, for each ply of depth. A good history adds to the margin; a bad
    /// one can make it negative.
    ///
    /// Source: Reckless, introduced by its commit 43c3fec
    #[inline]
    fn noisy_futility_limit(
        &self,
        node: &NodeContext,
        mv: &Candidate,
        alpha: Score,
    ) -> Option<Score> {
        let history = mv.history / params::fp_noisy_hist_divisor();
        let margin = params::fp_noisy_base() + params::fp_noisy_margin() * node.depth + history;
        let limit = node.evals?.static_eval + margin;
        let applies = !mv.is_good_noisy
            && node.depth <= params::fp_noisy_max_depth()
            && limit <= alpha
            && !endings::is_known(alpha)
            && !self.board.gives_check(mv.mv);
        applies.then_some(limit)
    }

    /// SEE pruning.
    ///
    /// Idea: a move that loses more than `-threshold` by SEE seldom pays off within a small depth.
    ///
    /// Conditions: small depth. Good noisy moves are exempt, because move ordering has tested them.
    ///
    /// Units: `threshold` in hundredths of a pawn, scaled by the depth, or its square for quiet
    /// moves. A capture may lose more with a good history, less with a bad one. A quiet check has
    /// the limit of captures, because it forces the reply. Quiet evasions are not pruned so.
    ///
    /// Source: <https://www.chessprogramming.org/Static_Exchange_Evaluation>
    #[inline]
    fn loses_exchange(&self, mv: &Candidate, depth: Depth, threshold: i32) -> bool {
        depth <= params::see_max_depth()
            && !mv.is_good_noisy
            && !self.board.see_ge(mv.mv, Score(threshold))
    }
}

/// Reverse futility pruning (RFP, static null-move pruning).
///
/// Idea: far above beta, the score will not fall below beta in the few plies left. The score
/// returned lies between beta and the evaluation.
///
/// Conditions: small depth, a margin that is smaller while improving and larger with the doubt
/// about the static evaluation, a position never in the PV.
///
/// Units: hundredths of a pawn, for each ply.
///
/// Source: <https://www.chessprogramming.org/Reverse_Futility_Pruning>
#[inline]
fn reverse_futility(node: &NodeContext, eval: Score) -> Option<Score> {
    let beta = node.window.beta;
    let improving = if node.is_improving() { params::rfp_improving() } else { 0 };
    let doubt = node.doubt() * params::rfp_doubt() / 100;
    let margin = params::rfp_margin() * node.entry_depth - improving + doubt;
    let applies = !node.is_tt_pv
        && node.entry_depth <= params::rfp_max_depth()
        && eval >= beta + margin
        && eval >= beta;
    applies.then(|| beta + (eval - beta) / params::rfp_blend_divisor())
}

/// Late move pruning (LMP).
///
/// Idea: near the horizon, late quiet moves are seldom best. The first one without check ends the
/// quiet moves.
///
/// Conditions: small depth, not in check, where there are few moves.
///
/// Units: number of moves, in 1/1024; the limit grows with the square of the depth, with the
/// improvement, up to twice as much, and with the move's history.
///
/// Source: <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
#[inline]
fn is_late(node: &NodeContext, mv: &Candidate) -> bool {
    const ONE_MOVE: i32 = 1024;
    let depth = node.depth;
    let growth = node.improvement * params::lmp_improvement();
    let share = if node.counts_as_improving {
        ONE_MOVE
    } else {
        (params::lmp_share() + growth).clamp(ONE_MOVE / 2, ONE_MOVE)
    };
    let limit = (params::lmp_base() + depth * depth) * share
        + mv.history * ONE_MOVE / params::lmp_hist_divisor();
    !node.in_check() && depth <= params::lmp_max_depth() && mv.number as i32 * ONE_MOVE > limit
}

/// History pruning.
///
/// Idea: a quiet move with a bad history is seldom best within a small depth.
///
/// Conditions: small `lmr_depth`, as for futility pruning. The position is not a won ending, where
/// histories do not measure progress towards mate.
///
/// Units: sum of the move's histories, for each ply.
///
/// Source: <https://www.chessprogramming.org/History_Leaf_Pruning>
#[inline]
fn has_bad_history(node: &NodeContext, mv: &Candidate, lmr_depth: Depth) -> bool {
    lmr_depth <= params::hist_pruning_max_depth()
        && mv.history < -params::hist_pruning_margin() * (lmr_depth + 1)
        && !node.evals.is_some_and(|evals| endings::is_known(evals.static_eval))
}
