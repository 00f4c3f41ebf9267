//! Static evaluation of a node: network or known ending, fifty-move scaling, correction history, TT
//! score.

use crate::eval::endings;
use crate::types::{Bound, Score};

use super::params;
use super::searcher::Searcher;
use super::tt::TtEntry;

/// Evaluations of a node: each refines the one before it. `None` in check.
#[derive(Copy, Clone)]
pub(super) struct Evaluations {
    /// Evaluation before corrections, as stored in the TT.
    pub(super) raw: Option<Score>,
    pub(super) corrected: Option<Score>,
    pub(super) refined: Option<Score>,
}

impl Searcher<'_> {
    #[inline(always)]
    pub(super) fn evaluate_node(&mut self, tt: Option<TtEntry>, ply: usize) -> Evaluations {
        let raw = self.raw_eval(tt);
        let corrected = self.static_eval(raw, ply);
        self.stack.frame_mut(ply).static_eval = corrected;
        let refined = corrected.map(|eval| refine_eval(eval, tt));
        Evaluations { raw, corrected, refined }
    }

    /// Returns the raw evaluation. Not to be called in check.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        endings::evaluate(&self.board).unwrap_or_else(|| self.evaluator.evaluate(&self.board))
    }

    #[inline]
    fn raw_eval(&mut self, tt: Option<TtEntry>) -> Option<Score> {
        if self.board.in_check() {
            return None;
        }
        Some(tt.and_then(|tt| tt.raw_eval).unwrap_or_else(|| self.evaluate()))
    }

    /// Returns the raw evaluation after fifty-move scaling and correction history.
    ///
    /// Fifty-move scaling takes off an equal share for each ply of the halfmove clock, because a
    /// side that makes no progress does not win. Known endings are not changed.
    /// Source: <https://www.chessprogramming.org/Fifty-move_Rule>
    #[inline]
    pub(super) fn static_eval(&self, raw_eval: Option<Score>, ply: usize) -> Option<Score> {
        let raw_eval = raw_eval?;
        if endings::is_known(raw_eval) {
            return Some(raw_eval);
        }
        let correction = self.histories.corrections.correction(&self.board, self.last_rows(ply));
        let is_scaled = self.shared.request.options.scale_by_clock;
        let clock = if is_scaled { i32::from(self.board.halfmove_clock()) } else { 0 };
        let eval = raw_eval - raw_eval.0 * clock / params::eval_clock();
        Some((eval + correction).clamp_to_eval())
    }

    /// Returns whether the static evaluation is higher than at the mover's last turn out of check,
    /// two or four plies ago (*improving*).
    /// Source: <https://www.chessprogramming.org/Improving>
    #[inline]
    pub(super) fn is_improving(&self, static_eval: Option<Score>, ply: usize) -> bool {
        let earlier =
            self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
        static_eval.zip(earlier).is_some_and(|(now, earlier)| now > earlier)
    }
}

/// Returns the static evaluation, or the TT score if that is exact or its bound contradicts the
/// evaluation. Decisive TT scores are ignored: they are no evaluations.
/// Source: <https://www.chessprogramming.org/Transposition_Table>
#[inline]
fn refine_eval(eval: Score, tt: Option<TtEntry>) -> Score {
    match tt {
        Some(tt) if !tt.score.is_decisive() => match tt.bound {
            Bound::Exact => tt.score,
            Bound::Lower => eval.max(tt.score),
            Bound::Upper => eval.min(tt.score),
        },
        _ => eval,
    }
}
