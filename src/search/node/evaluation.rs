//! Static evaluation of a node: known ending or network, flattened beyond a safe advantage and
//! scaled by material; fifty-move scaling, correction history, TT score.

use crate::board::Board;
use crate::eval::{self, endings};
use crate::search::params;
use crate::search::recorder::NodeEnding;
use crate::search::request::SearchOptions;
use crate::search::state::{Evaluations, NodeContext};
use crate::search::tt::TtEntry;
use crate::types::{Bound, Score};

use super::searcher::Searcher;

impl Searcher<'_> {
    /// Returns the evaluations of a node, or `None` in check. Stores the static evaluation in the
    /// stack.
    #[inline(always)]
    pub(crate) fn evaluate_node(&mut self, tt: Option<TtEntry>, ply: usize) -> Option<Evaluations> {
        if self.board.in_check() {
            self.stack.frame_mut(ply).static_eval = None;
            return None;
        }
        let raw = tt.and_then(|tt| tt.raw_eval).unwrap_or_else(|| self.evaluate());
        let static_eval = self.static_eval(raw, ply);
        self.stack.frame_mut(ply).static_eval = Some(static_eval);
        let is_known = endings::is_known(raw);
        let doubt = if is_known { 0 } else { (static_eval - self.scaled(raw)).0.abs() };
        Some(Evaluations { raw, static_eval, refined: refine_eval(static_eval, tt), doubt })
    }

    /// Stores the evaluation of a node that reverse futility or a null move has pruned, so that the
    /// next visit need not evaluate it again. Other endings leave an entry of their own. The node
    /// must be without one, so it was never in the PV.
    #[inline]
    pub(crate) fn store_evaluation(&self, node: &NodeContext, ending: NodeEnding) {
        let leaves_no_entry = matches!(ending, NodeEnding::ReverseFutility | NodeEnding::NullMove);
        if let Some(evals) = node.evals.filter(|_| leaves_no_entry) {
            let entry = TtEntry::of_evaluation(evals.raw, node.ply);
            self.shared.tt.store(self.board.search_key(), node.ply, entry);
        }
    }

    /// Returns the raw evaluation of a position that is not in check.
    #[inline]
    pub(crate) fn evaluate(&mut self) -> Score {
        let Self { board, evaluator, shared, .. } = self;
        raw_evaluation(board, &shared.request.options, || evaluator.evaluate(board))
    }

    /// Returns the raw evaluation after fifty-move scaling and correction history. Endings that are
    /// known have rules of their own.
    #[inline]
    pub(crate) fn static_eval(&self, raw_eval: Score, ply: usize) -> Score {
        if let Some(score) = endings::at_clock(&self.board, raw_eval) {
            return score;
        }
        let correction = self.histories.corrections.correction(&self.board, self.last_moves(ply));
        (self.scaled(raw_eval) + correction).clamp_to_eval()
    }

    /// Fifty-move scaling: takes off an equal share for each ply of the halfmove clock, because a
    /// side that makes no progress does not win.
    ///
    /// Source: <https://www.chessprogramming.org/Fifty-move_Rule>
    #[inline]
    fn scaled(&self, raw_eval: Score) -> Score {
        let is_scaled = self.shared.request.options.scales_eval;
        let clock = if is_scaled { i32::from(self.board.halfmove_clock()) } else { 0 };
        raw_eval - raw_eval.0 * clock / params::eval_clock()
    }

    /// Returns by how much the static evaluation is higher than at the mover's last turn out of
    /// check, two or four plies ago (*improving*), in hundredths of a pawn; 0 if it is not known.
    /// Source: <https://www.chessprogramming.org/Improving>
    #[inline]
    pub(crate) fn improvement(&self, evals: Option<Evaluations>, ply: usize) -> i32 {
        let earlier =
            self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
        evals.zip(earlier).map_or(0, |(evals, earlier)| (evals.static_eval - earlier).0)
    }
}

/// Returns the raw evaluation of a position, not in check, whose score by the network is `network`.
#[inline]
pub(crate) fn raw_evaluation(
    board: &Board,
    options: &SearchOptions,
    network: impl FnOnce() -> Score,
) -> Score {
    endings::evaluate(board).unwrap_or_else(|| {
        let score = network();
        if options.scales_eval { eval::scale(board, flatten(score)) } else { score }
    })
}

/// Flattens a score of the network beyond a safe advantage.
///
/// Idea: training compares winning chances, which hardly change beyond such an advantage. So scores
/// there differ by thousands for no reason, and pruning by margins would cut off the lines in which
/// the weaker side is mated.
///
/// Units: hundredths of a pawn; an `eval_excess_divisor`-th of what exceeds `eval_safe` is kept.
#[inline]
fn flatten(score: Score) -> Score {
    let safe = Score(params::eval_safe());
    let inside = score.clamp(-safe, safe);
    inside + (score - inside).0 / params::eval_excess_divisor()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_scores_keep_their_order_and_stay_below_known_wins() {
        let scores = -Score::MAX_EVAL.0..=Score::MAX_EVAL.0;
        let flat: Vec<Score> = scores.clone().map(|score| flatten(Score(score))).collect();
        assert!(flat.is_sorted());
        for (score, flat) in scores.zip(&flat) {
            assert_eq!(flatten(Score(-score)), -*flat);
            assert!(!endings::is_known(*flat), "{score} becomes {flat:?}");
            assert_eq!(score == flat.0, score.abs() <= params::eval_safe(), "{score}");
        }
    }
}
