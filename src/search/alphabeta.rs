//! The main search: alpha-beta as a principal variation search.
//!
//! The first move of a PV node is searched with the whole window. Of every other move it is only asked whether it is
//! better, with a window of width one, which cuts off far more; if it is, it is searched again. Scores are fail-soft:
//! they may lie outside the window and are then bounds.
//!
//! Source: <https://www.chessprogramming.org/Principal_Variation_Search>

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::eval::endings;
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

use super::Searcher;
use super::corrections::is_lesson;
use super::history;
use super::node::{Aborted, Candidate, NodeContext, NodeType, NonPv, Window};
use super::params;
use super::picker::MovePicker;
use super::pruning::internal_iterative_reduction;
use super::tt::TtEntry;

/// The best move of a node so far.
struct Best {
    /// `None` until a move raised alpha.
    mv: Option<Move>,
    score: Score,
    alpha: Score,
    /// How many moves there were.
    moves: usize,
}

/// Moves that were searched and did not fail high.
#[derive(Default)]
struct Tried {
    quiet: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

impl Tried {
    /// Remembers a move; beyond the first few dozen there is little to learn.
    #[inline]
    fn push(&mut self, mv: &Candidate) {
        // A full list stays as it is.
        if mv.is_quiet {
            let _ = self.quiet.try_push(mv.mv);
        } else {
            let _ = self.noisy.try_push(mv.mv);
        }
    }
}

impl Searcher<'_> {
    /// The score of the position on the board, searched `depth` plies deep.
    pub(super) fn alpha_beta<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Aborted> {
        if depth <= 0 {
            return self.quiescence::<N::Next>(window, ply);
        }
        self.enter_node::<N>(ply)?;
        if let Some(score) = self.score_by_rule::<N>(window, ply) {
            return Ok(score);
        }
        let tt = self.shared.tt.probe(self.board.key(), ply, self.board.halfmove_clock());
        if let Some(score) = self.tt_cutoff::<N>(tt, window, depth, ply) {
            return Ok(score);
        }
        if let Some(score) = self.tablebase_score::<N>(depth, ply) {
            return Ok(score);
        }
        let mut node = self.node_context::<N>(tt, window, depth, ply, cut_node);
        if let Some(score) = self.prune_node::<N>(&node)? {
            return Ok(score);
        }
        node.depth -= internal_iterative_reduction::<N>(&node);
        match self.singular_extension::<N>(&node)? {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue(extension) => node.extension = extension,
        }
        self.search_moves::<N>(&node)
    }

    /// Counts the node and clears what belongs to its ply.
    #[inline]
    pub(super) fn enter_node<N: NodeType>(&mut self, ply: usize) -> Result<(), Aborted> {
        if N::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        self.count_node(ply)
    }

    /// The score where the rules know it, or where no move could change it: draws, the end of the longest line, and
    /// mate distance.
    #[inline]
    pub(super) fn score_by_rule<N: NodeType>(
        &mut self,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        if N::ROOT {
            return None;
        }
        if self.board.is_draw(ply) {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Some(if self.board.in_check() { Score::DRAW } else { self.evaluate() });
        }
        if N::PV { None } else { mate_distance(window, ply) }
    }

    /// The table's score, if it was searched as deeply and answers the question. A quiet move that fails high here again is
    /// praised for it, by a part of [`history::bonus`]. Worth of the praise: see [`Histories`](history::Histories).
    /// Source: <https://www.chessprogramming.org/Transposition_Table>
    #[inline]
    fn tt_cutoff<N: NodeType>(
        &mut self,
        tt: Option<TtEntry>,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let tt = tt.filter(|tt| tt.depth >= depth && self.is_answer::<N>(tt, window))?;
        if tt.score >= window.beta
            && let Some(mv) = tt.mv
            && mv.is_quiet()
            && self.board.is_legal(mv)
        {
            let bonus = history::bonus(depth) * params::hist_tt_cutoff() / 100;
            let rows = self.continuation_rows(ply);
            self.histories.update_quiet(&self.board, rows, mv, bonus);
        }
        Some(tt.score)
    }

    /// Whether the table's score answers the question of a node. Never that of PV nodes: their score comes with its line;
    /// and not with the fifty-move rule near, where an entry of another line says little about this one.
    #[inline]
    pub(super) fn is_answer<N: NodeType>(&self, tt: &TtEntry, window: Window) -> bool {
        !N::PV
            && tt.bound.allows_cutoff(tt.score, window.beta)
            && i32::from(self.board.halfmove_clock()) <= params::tt_max_halfmove_clock()
    }

    /// Gathers the facts of a node.
    #[inline]
    fn node_context<N: NodeType>(
        &mut self,
        tt: Option<TtEntry>,
        window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> NodeContext {
        let raw_eval = self.raw_eval(tt);
        let static_eval = self.static_eval(raw_eval, ply);
        self.stack.frame_mut(ply).static_eval = static_eval;
        let tt_move = if N::ROOT { self.root.first_move() } else { None };
        let tt_move =
            tt_move.or_else(|| tt.and_then(|tt| tt.mv).filter(|&mv| self.board.is_legal(mv)));
        NodeContext {
            ply,
            depth,
            window,
            cut_node,
            tt,
            tt_move,
            extension: 0,
            excluded: None,
            tt_pv: N::PV || tt.is_some_and(|tt| tt.pv),
            raw_eval,
            static_eval,
            eval: static_eval.map(|eval| refine(eval, tt)),
            improving: self.is_improving(static_eval, ply),
        }
    }

    /// The evaluation of the position, from the table if it is there; `None` in check.
    #[inline]
    pub(super) fn raw_eval(&mut self, tt: Option<TtEntry>) -> Option<Score> {
        if self.board.in_check() {
            return None;
        }
        Some(tt.and_then(|tt| tt.raw_eval).unwrap_or_else(|| self.evaluate()))
    }

    /// The evaluation with what is known of its errors, in hundredths of a pawn. It fades, by an equal share of its value
    /// for each ply of the halfmove clock: what fifty moves cannot win is not won. Scores of won endings stay as they are.
    /// Worth of the fading: see [`Histories`](history::Histories).
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

    /// Whether the evaluation is better than at the mover's last turn out of check.
    /// Source: <https://www.chessprogramming.org/Improving>
    #[inline]
    fn is_improving(&self, static_eval: Option<Score>, ply: usize) -> bool {
        let earlier =
            self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
        static_eval.zip(earlier).is_some_and(|(now, earlier)| now > earlier)
    }

    /// Searches the moves of a node, and learns from the result.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        node: &NodeContext,
    ) -> Result<Score, Aborted> {
        let Window { alpha, beta } = node.window;
        let rows = self.continuation_rows(node.ply);
        let mut picker = MovePicker::new(node.tt_move);
        let mut tried = Tried::default();
        self.stack.frame_mut(node.ply + 1).cutoffs = 0;
        let mut best = Best { mv: None, score: -Score::INFINITE, alpha, moves: 0 };
        while let Some(dealt) = picker.next(&self.board, &self.histories, rows) {
            if Some(dealt.mv) == node.excluded || N::ROOT && !self.root.is_searched(dealt.mv) {
                continue;
            }
            best.moves += 1;
            let mv = Candidate {
                mv: dealt.mv,
                number: best.moves,
                is_quiet: dealt.mv.is_quiet(),
                history: dealt.history,
                is_good_noisy: picker.is_good_noisy(),
            };
            if !N::ROOT && self.skip_move(node, &mv, best.score, &mut picker) {
                continue;
            }
            let score = if N::ROOT {
                self.search_root_move::<N>(node, &mv, best.alpha)?
            } else {
                self.search_move::<N>(node, &mv, best.alpha)?
            };
            if score > best.score {
                best.score = score;
                if score > best.alpha {
                    best.mv = Some(mv.mv);
                    if N::PV {
                        self.pv.update(node.ply, mv.mv);
                    }
                    if N::ROOT {
                        let line = self.pv.line(0);
                        self.root.improve(node.window, score, self.seldepth, line);
                    }
                    if score >= beta {
                        break;
                    }
                    best.alpha = score;
                }
            }
            tried.push(&mv);
        }
        Ok(self.finish_node::<N>(node, &best, &tried))
    }

    /// Plays a move, searches it, and takes it back.
    #[inline]
    fn search_move<N: NodeType>(
        &mut self,
        node: &NodeContext,
        mv: &Candidate,
        alpha: Score,
    ) -> Result<Score, Aborted> {
        self.make_move(node.ply, mv.mv);
        let score = self.search_child::<N>(node, mv, alpha)?;
        self.unmake_move();
        Ok(score)
    }

    /// [`search_move`](Self::search_move) with what is kept of root moves.
    #[cold]
    fn search_root_move<N: NodeType>(
        &mut self,
        node: &NodeContext,
        mv: &Candidate,
        alpha: Score,
    ) -> Result<Score, Aborted> {
        self.report_current_move(mv.mv, mv.number);
        let nodes_before = self.nodes;
        let score = self.search_move::<N>(node, mv, alpha)?;
        self.root.add_nodes(mv.mv, self.nodes - nodes_before);
        Ok(score)
    }

    /// The score of the position after a move, for the side that moved: first a reduced search with a window of width
    /// one, then a full one if that was better than expected, then one with an open window.
    #[inline]
    fn search_child<N: NodeType>(
        &mut self,
        node: &NodeContext,
        mv: &Candidate,
        alpha: Score,
    ) -> Result<Score, Aborted> {
        let ply = node.ply + 1;
        let extension = if Some(mv.mv) == node.tt_move { node.extension } else { 0 };
        let mut depth = node.depth - 1 + extension;
        let mut score = Score::DRAW;
        let is_first = mv.number == 1;
        if !N::PV || !is_first {
            let zero = -Window::above(alpha);
            let reduced = self.reduced_depth::<N>(node, mv, depth);
            let child_cuts = reduced < depth || !node.cut_node;
            score = -self.alpha_beta::<NonPv>(zero, reduced, ply, child_cuts)?;
            if score > alpha && reduced < depth {
                // Far better than expected: look a ply deeper.
                depth +=
                    Depth::from(score > alpha + params::lmr_deeper_margin() && reduced + 1 < depth);
                score = -self.alpha_beta::<NonPv>(zero, depth, ply, !node.cut_node)?;
                self.learn_from_second_look(node, mv, score > alpha);
            }
        }
        if N::PV && (is_first || score > alpha) {
            let open = -Window { alpha, beta: node.window.beta };
            score = -self.alpha_beta::<N::Next>(open, depth, ply, false)?;
        }
        Ok(score)
    }

    /// After the second look at a reduced move the continuation history learns whether it was better than its place in the
    /// order, or only seemed so. Quiet moves alone; in units of [`history::bonus`].
    /// Worth: see [`CONTINUATION_PLIES`](history::CONTINUATION_PLIES).
    #[inline]
    fn learn_from_second_look(&mut self, node: &NodeContext, mv: &Candidate, holds: bool) {
        if mv.is_quiet {
            let bonus = if holds { history::bonus(node.depth) } else { history::malus(node.depth) };
            let (rows, row) = (self.continuation_rows(node.ply), self.stack.frame(node.ply).row);
            self.histories.update_continuation(rows, row, bonus);
        }
    }

    /// Prior-move bonus: where no move was good enough, the opponent's last one was a good one, if it was quiet. A part of
    /// [`history::bonus`].
    /// Worth: see [`CONTINUATION_PLIES`](history::CONTINUATION_PLIES).
    #[inline]
    fn reward_prior_move<N: NodeType>(&mut self, node: &NodeContext) {
        let prior = self.stack.before(node.ply, 1);
        if !N::ROOT && prior.mv.is_some_and(|mv| mv.is_quiet()) {
            let row = prior.row;
            let bonus = history::bonus(node.depth) * params::hist_prior() / 100;
            let rows = self.continuation_rows(node.ply - 1);
            self.histories.update_continuation(rows, row, bonus);
        }
    }

    /// Mate or stalemate where there was no move; else what the histories and the table learn.
    #[inline]
    fn finish_node<N: NodeType>(
        &mut self,
        node: &NodeContext,
        best: &Best,
        tried: &Tried,
    ) -> Score {
        if best.moves == 0 {
            if node.excluded.is_some() {
                return node.window.alpha;
            }
            return if node.in_check() { Score::mated_in(node.ply) } else { Score::DRAW };
        }
        if let Some(mv) = best.mv {
            self.update_histories(node, mv, tried);
        }
        if node.excluded.is_some() {
            return best.score;
        }
        if best.mv.is_none() {
            self.reward_prior_move::<N>(node);
        }
        let bound = if best.score >= node.window.beta {
            self.stack.frame_mut(node.ply).cutoffs += 1;
            Bound::Lower
        } else if best.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.learn_error(node, best, bound);
        if !N::ROOT || self.root.is_whole() {
            let entry = TtEntry {
                mv: best.mv,
                score: best.score,
                raw_eval: node.raw_eval,
                depth: node.depth,
                bound,
                pv: node.tt_pv,
            };
            self.shared.tt.store(self.board.key(), node.ply, entry);
        }
        best.score
    }

    /// Learns how far the static evaluation was off.
    #[inline]
    fn learn_error(&mut self, node: &NodeContext, best: &Best, bound: Bound) {
        let is_noisy = best.mv.is_some_and(|mv| !mv.is_quiet());
        if let Some(static_eval) = node.static_eval
            && is_lesson(static_eval, best.score, bound, is_noisy)
        {
            let (rows, error) = (self.last_rows(node.ply), best.score - static_eval);
            self.histories.corrections.update(&self.board, rows, node.depth, error.0);
        }
    }

    /// Rewards the best move and punishes those that were tried in vain. Captures are punished whatever was best:
    /// they are tried early everywhere.
    fn update_histories(&mut self, node: &NodeContext, best: Move, tried: &Tried) {
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        let rows = self.continuation_rows(node.ply);
        if best.is_quiet() {
            self.histories.update_quiet(&self.board, rows, best, bonus);
            for &mv in tried.quiet.iter().filter(|&&mv| mv != best) {
                self.histories.update_quiet(&self.board, rows, mv, malus);
            }
        } else {
            self.histories.update_noisy(&self.board, best, bonus);
        }
        for &mv in tried.noisy.iter().filter(|&&mv| mv != best) {
            self.histories.update_noisy(&self.board, mv, malus);
        }
    }
}

/// Mate distance pruning: a line that is longer than a mate already found need not be searched. At best we mate with the
/// next move, at worst we are mated now. In plies from the root; not in PV nodes.
/// Source: <https://www.chessprogramming.org/Mate_Distance_Pruning>
#[inline]
fn mate_distance(window: Window, ply: usize) -> Option<Score> {
    let (worst, best) = (Score::mated_in(ply), Score::mate_in(ply + 1));
    if worst >= window.beta {
        Some(worst)
    } else if best <= window.alpha {
        Some(best)
    } else {
        None
    }
}

/// The static evaluation, or the table's score if its bound shows the evaluation to be wrong: a search knows more than a
/// look. Not by decisive scores, which are no evaluations. In hundredths of a pawn.
/// Source: <https://www.chessprogramming.org/Transposition_Table>
#[inline]
pub(super) fn refine(eval: Score, tt: Option<TtEntry>) -> Score {
    match tt {
        Some(tt) if !tt.score.is_decisive() => match tt.bound {
            Bound::Exact => tt.score,
            Bound::Lower => eval.max(tt.score),
            Bound::Upper => eval.min(tt.score),
        },
        _ => eval,
    }
}
