//! Updates of the histories and correction histories after a node.

use arrayvec::ArrayVec;

use crate::eval::endings;
use crate::search::ordering::history;
use crate::search::ordering::is_informative;
use crate::search::params;
use crate::search::state::{Candidate, Evaluations, NodeContext, NodeType, Window};
use crate::search::tt::TtEntry;
use crate::types::{Bound, Depth, Move, PieceType, Score};

use super::searcher::Searcher;

/// Moves searched without a fail high. They get the malus if another move is best.
#[derive(Default)]
pub(crate) struct SearchedMoves {
    quiet: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

impl SearchedMoves {
    /// Adds a move, unless the list is full.
    #[inline]
    pub(crate) fn push(&mut self, mv: &Candidate) {
        if mv.is_quiet {
            let _ = self.quiet.try_push(mv.mv);
        } else {
            let _ = self.noisy.try_push(mv.mv);
        }
    }
}

impl Searcher<'_> {
    /// Rewards a quiet TT move that causes a cutoff, except in quiescence search (depth 0).
    #[inline]
    pub(crate) fn reward_tt_move(
        &mut self,
        tt: &TtEntry,
        window: Window,
        depth: Depth,
        ply: usize,
    ) {
        if depth > 0
            && tt.score >= window.beta
            && let Some(mv) = tt.mv
            && mv.is_quiet()
            && self.board.is_legal(mv)
        {
            let bonus = history::bonus(depth) * params::hist_tt_cutoff() / 100;
            let rows = self.continuation_rows(ply);
            self.histories.update_quiet(&self.board, rows, mv, bonus);
        }
    }

    /// Gives a quiet move a bonus or malus in the continuation history after its LMR re-search.
    #[inline]
    pub(crate) fn update_after_re_search(
        &mut self,
        node: &NodeContext,
        mv: &Candidate,
        beats_alpha: bool,
    ) {
        if mv.is_quiet {
            let bonus =
                if beats_alpha { history::bonus(node.depth) } else { history::malus(node.depth) };
            let rows = self.continuation_rows(node.ply);
            let piece_to = self.stack.frame(node.ply).piece_to;
            let bonus = bonus * params::hist_re_search() / 100;
            self.histories.update_continuation(rows, piece_to, bonus);
        }
    }

    /// Prior-move bonus: rewards the opponent's last move, if it was quiet, for an unexpected fail
    /// low (in PV and cut-nodes).
    #[inline]
    pub(crate) fn reward_prior_move<N: NodeType>(&mut self, node: &NodeContext) {
        let prior = self.stack.before(node.ply, 1);
        let is_unexpected = !N::ROOT && (N::PV || node.is_cut_node);
        if is_unexpected && prior.mv.is_some_and(|mv| mv.is_quiet()) {
            let piece_to = prior.piece_to;
            let bonus = history::bonus(node.depth) * params::hist_prior() / 100;
            let rows = self.continuation_rows(node.ply - 1);
            self.histories.update_continuation(rows, piece_to, bonus);
        }
    }

    /// Rewards the opponent's last move, if it was quiet, by its gain: how much it raised the
    /// static evaluation for its mover. So quiet moves have histories before they cause cutoffs. In
    /// positions without a result in the TT the pawn history gets a part of it, unless a pawn moved
    /// there, which changed the row. Deep nodes give it at their first visit only. In won endings
    /// there is no reward: their scores are not on the network's scale.
    #[inline]
    pub(crate) fn reward_gain(&mut self, node: &NodeContext) {
        let prior = *self.stack.before(node.ply, 1);
        let is_first_visit = node.tt.is_none();
        if (is_first_visit || node.entry_depth < params::hist_gain_depth())
            && let Some(Evaluations { static_eval, .. }) = node.evals
            && let Some(before) = prior.static_eval
            && let Some(mv) = prior.mv.filter(|mv| mv.is_quiet())
            && !endings::is_known(static_eval)
        {
            let gain = -(static_eval + before);
            let bonus = history::gain_bonus(gain.0);
            let mover = !self.board.side_to_move();
            self.histories.update_butterfly(mover, prior.threats, mv, bonus);
            let is_pawn_move = self.board.pieces(PieceType::Pawn).contains(mv.to());
            if is_first_visit && !is_pawn_move {
                let pawn_bonus = bonus * params::hist_gain_pawn() / 100;
                self.histories.update_pawn(&self.board, prior.piece_to, pawn_bonus);
            }
        }
    }

    /// Gives the best move a bonus and the other searched moves a malus. The depth counts one ply
    /// more if the static evaluation is not above alpha. The bonus of a quiet move grows with the
    /// number of quiet moves searched: those before it, in exact nodes also those after it.
    ///
    /// Captures get the malus whatever the best move is, because every node tries them early; quiet
    /// moves only if it is quiet.
    pub(crate) fn update_histories(
        &mut self,
        node: &NodeContext,
        best: Move,
        searched: &SearchedMoves,
    ) {
        let is_surprise = node.evals.is_some_and(|evals| evals.static_eval <= node.window.alpha);
        let depth = if is_surprise { node.depth + 1 } else { node.depth };
        let bonus = history::bonus(depth);
        let rows = self.continuation_rows(node.ply);
        if best.is_quiet() {
            let grown = history::grown_bonus(bonus, searched.quiet.len());
            self.histories.update_quiet(&self.board, rows, best, grown);
            for (index, &mv) in searched.quiet.iter().enumerate().filter(|(_, mv)| **mv != best) {
                let malus = history::decayed_malus(depth, index);
                self.histories.update_quiet(&self.board, rows, mv, malus);
            }
        } else {
            self.histories.update_noisy(&self.board, best, bonus);
        }
        let malus = history::malus(depth);
        for &mv in searched.noisy.iter().filter(|&&mv| mv != best) {
            self.histories.update_noisy(&self.board, mv, malus);
        }
    }

    #[inline]
    pub(crate) fn update_corrections(
        &mut self,
        node: &NodeContext,
        best: Option<Move>,
        score: Score,
        bound: Bound,
    ) {
        let is_noisy = best.is_some_and(|mv| !mv.is_quiet());
        if let Some(Evaluations { static_eval, .. }) = node.evals
            && is_informative(static_eval, score, bound, is_noisy)
        {
            let moves = self.last_moves(node.ply);
            let error = score - static_eval;
            self.histories.corrections.update(&self.board, moves, node.depth, error.0);
        }
    }
}
