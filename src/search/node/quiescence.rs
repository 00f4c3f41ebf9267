//! Quiescence search: searches captures, and evasions when in check, until the position is quiet.
//!
//! The static evaluation is reliable only in quiet positions.
//! Source: <https://www.chessprogramming.org/Quiescence_Search>

use std::ops::ControlFlow;

use crate::board::see;
use crate::eval::endings;
use crate::search::ordering::{MovePicker, PickedMove};
use crate::search::params;
use crate::search::recorder::{NodeEnding, Pruning};
use crate::search::state::{Aborted, NodeType, Window};
use crate::search::tt::TtEntry;
use crate::types::{Bound, Move, Score};

use super::best_move::BestMove;
use super::searcher::Searcher;

impl Searcher<'_> {
    pub(crate) fn quiescence<N: NodeType>(
        &mut self,
        window: Window,
        ply: usize,
    ) -> Result<Score, Aborted> {
        let raised = self.window_with_repetition::<N>(window, ply);
        let (ending, score) = match self.enter_node::<N>(window, raised, 0, ply)? {
            ControlFlow::Break(end) => end,
            ControlFlow::Continue(tt) => self.search_quiescence_node::<N>(tt, raised, ply)?,
        };
        let score = raised.at_least_secured(window, score);
        self.recorder.leave(ending, score);
        Ok(score)
    }

    /// Searches a node that neither a rule nor a TT cutoff has ended. Returns its ending and score.
    #[inline]
    fn search_quiescence_node<N: NodeType>(
        &mut self,
        tt: Option<TtEntry>,
        window: Window,
        ply: usize,
    ) -> Result<(NodeEnding, Score), Aborted> {
        let evals = self.evaluate_node(tt, ply);
        // Stand pat: the side to move need not capture.
        let stand_pat = evals.map(|evals| evals.refined);
        let (ending, score, mv) = match stand_pat {
            Some(score) if score >= window.beta => (NodeEnding::StandPat, score, None),
            _ => {
                let best = self.search_noisy::<N>(window, ply, tt, stand_pat)?;
                (best.ending(window.beta), best.score, best.mv)
            }
        };
        // Never exact: the moves left out may be better.
        let bound = if score >= window.beta { Bound::Lower } else { Bound::Upper };
        let entry = TtEntry {
            mv,
            score,
            raw_eval: evals.map(|evals| evals.raw),
            depth: 0,
            bound,
            is_pv: N::PV || tt.is_some_and(|tt| tt.is_pv),
        };
        self.shared.tt.store(self.board.search_key(), ply, entry);
        Ok((ending, score))
    }

    /// Returns the best of captures, or of evasions in check, and its score.
    fn search_noisy<N: NodeType>(
        &mut self,
        window: Window,
        ply: usize,
        tt: Option<TtEntry>,
        stand_pat: Option<Score>,
    ) -> Result<BestMove, Aborted> {
        let rows = self.continuation_rows(ply);
        let tt_move = tt.and_then(|tt| tt.mv).filter(|&mv| self.board.is_legal(mv));
        let score = stand_pat.unwrap_or(-Score::INFINITE);
        let mut best = BestMove { mv: None, score, alpha: window.alpha.max(score), move_count: 0 };
        let see_limit = see_limit(stand_pat, best.alpha);
        let mut picker = match stand_pat {
            Some(_) => MovePicker::noisy(tt_move, see_limit),
            None => MovePicker::new(tt_move),
        };
        while let Some(PickedMove { mv, .. }) = picker.next(&self.board, &self.histories, rows) {
            if N::HIDES_REPLIES && self.is_hidden(ply, mv) {
                continue;
            }
            best.move_count += 1;
            self.prefetch_entry_after(mv);
            if !best.score.is_loss() {
                // The picker has tested noisy moves, except for the TT move.
                let loses_material = picker.is_bad_noisy()
                    || !picker.is_good_noisy() && !self.board.see_ge(mv, see_limit);
                if loses_material {
                    self.recorder.skipped(mv, Pruning::See);
                    continue;
                }
                if let Some((pruning, limit)) = self.prune_noisy(stand_pat, mv, &best, ply) {
                    self.recorder.skipped(mv, pruning);
                    best.score = best.score.max(limit);
                    continue;
                }
            }
            self.make_move(ply, mv);
            let child = -Window { alpha: best.alpha, beta: window.beta };
            let score = -self.quiescence::<N::Next>(child, ply + 1)?;
            self.unmake_move();
            if score > best.score {
                best.score = score;
                if !score.is_loss() {
                    // After one evasion that does not lose, further quiet ones would make the tree
                    // explode.
                    picker.skip_quiets();
                }
                if score > best.alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                    best.alpha = score;
                }
            }
        }
        if best.move_count == 0 && stand_pat.is_none() {
            best.score = Score::mated_in(ply);
        }
        Ok(best)
    }

    /// Futility pruning (delta pruning) and late move pruning: returns the reason to prune a move
    /// and an upper bound on its score, clamped to alpha.
    ///
    /// Conditions: the bound is at most alpha (futility), or `qs_max_noisy` captures were tried and
    /// this is not a recapture. Never in check, for checks, for promotions, or in won endings,
    /// where a capture may leave the winner without mating material.
    ///
    /// Source: <https://www.chessprogramming.org/Delta_Pruning>
    #[inline]
    fn prune_noisy(
        &self,
        stand_pat: Option<Score>,
        mv: Move,
        best: &BestMove,
        ply: usize,
    ) -> Option<(Pruning, Score)> {
        let static_score = stand_pat?;
        if mv.is_promotion() {
            return None;
        }
        let victim_value = self.board.victim(mv).map_or(Score::ZERO, see::value);
        let limit = static_score + victim_value + params::qs_futility();
        let is_recapture = self.stack.before(ply, 1).mv.is_some_and(|last| last.to() == mv.to());
        let is_late = best.move_count > params::qs_max_noisy() as usize && !is_recapture;
        let pruning = if limit <= best.alpha { Pruning::Futility } else { Pruning::LateMove };
        let applies = (is_late || limit <= best.alpha)
            && !endings::is_known(static_score)
            && !self.board.gives_check(mv);
        applies.then_some((pruning, limit.min(best.alpha)))
    }
}

/// Returns the least that a capture must win by SEE: nothing, or a small loss if the position is
/// close to alpha, where a little compensation is enough.
#[inline]
fn see_limit(stand_pat: Option<Score>, alpha: Score) -> Score {
    let Some(stand_pat) = stand_pat else { return Score::ZERO };
    let distance = (alpha - stand_pat) / params::qs_see_divisor();
    (distance - params::qs_see_loss()).min(Score::ZERO)
}
