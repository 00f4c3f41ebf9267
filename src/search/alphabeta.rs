//! The main search: alpha-beta as a principal variation search (PVS).
//!
//! The first move of a PV node is searched with the full window. Every other move gets a zero
//! window, which only tests whether the move beats alpha and is much cheaper. A move that does is
//! searched again with the open window (re-search). Scores are fail-soft: a score outside the
//! window is a bound.
//!
//! Source: <https://www.chessprogramming.org/Principal_Variation_Search>

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::eval::endings;
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

use super::Searcher;
use super::corrections::is_informative;
use super::history;
use super::node::{Aborted, Candidate, NodeContext, NodeType, NonPv, Window};
use super::params;
use super::picker::MovePicker;
use super::pruning::internal_iterative_reduction;
use super::tt::TtEntry;

/// Best move of a node so far.
struct BestMove {
    /// `None` until a move raises alpha.
    mv: Option<Move>,
    score: Score,
    alpha: Score,
    /// Moves considered, including pruned ones.
    move_count: usize,
}

/// Moves that were searched and did not fail high. They get the malus if another move does.
#[derive(Default)]
struct SearchedMoves {
    quiet: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

impl SearchedMoves {
    /// Adds a move, unless the list is full.
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
    /// Returns the score of the position on the board, searched `depth` plies deep.
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

    /// Counts the node and, in PV nodes, clears the PV of its ply.
    #[inline]
    pub(super) fn enter_node<N: NodeType>(&mut self, ply: usize) -> Result<(), Aborted> {
        if N::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        self.count_node(ply)
    }

    /// Returns the score if the rules determine it: a draw, the maximum ply, or mate
    /// distance pruning.
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

    /// Returns the TT score if the entry is deep enough and its bound allows a cutoff.
    ///
    /// A quiet TT move that fails high gets a part of [`history::bonus`].
    /// Source: <https://www.chessprogramming.org/Transposition_Table>
    #[inline]
    fn tt_cutoff<N: NodeType>(
        &mut self,
        tt: Option<TtEntry>,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let tt = tt.filter(|tt| tt.depth >= depth && self.allows_tt_cutoff::<N>(tt, window))?;
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

    /// Returns whether the TT score may be returned. Never at PV nodes, which need a full PV, and
    /// not near the fifty-move limit: the stored score may come from a lower halfmove clock.
    #[inline]
    pub(super) fn allows_tt_cutoff<N: NodeType>(&self, tt: &TtEntry, window: Window) -> bool {
        !N::PV
            && tt.bound.allows_cutoff(tt.score, window.beta)
            && i32::from(self.board.halfmove_clock()) <= params::tt_max_halfmove_clock()
    }

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
            eval: static_eval.map(|eval| refine_eval(eval, tt)),
            improving: self.is_improving(static_eval, ply),
        }
    }

    /// Returns the uncorrected evaluation, from the TT entry if it has one; `None` in check.
    #[inline]
    pub(super) fn raw_eval(&mut self, tt: Option<TtEntry>) -> Option<Score> {
        if self.board.in_check() {
            return None;
        }
        Some(tt.and_then(|tt| tt.raw_eval).unwrap_or_else(|| self.evaluate()))
    }

    /// Returns the static evaluation in hundredths of a pawn: the raw evaluation after fifty-move
    /// scaling and correction history.
    ///
    /// Fifty-move scaling takes off an equal share for each ply of the halfmove clock, because a
    /// side that makes no progress does not win. Scores of known endings are not changed.
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
    /// two or four plies ago.
    /// Source: <https://www.chessprogramming.org/Improving>
    #[inline]
    fn is_improving(&self, static_eval: Option<Score>, ply: usize) -> bool {
        let earlier =
            self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
        static_eval.zip(earlier).is_some_and(|(now, earlier)| now > earlier)
    }

    /// Searches the moves of a node, then updates the histories and the TT.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        node: &NodeContext,
    ) -> Result<Score, Aborted> {
        let Window { alpha, beta } = node.window;
        let rows = self.continuation_rows(node.ply);
        let mut picker = MovePicker::new(node.tt_move);
        let mut searched = SearchedMoves::default();
        self.stack.frame_mut(node.ply + 1).cutoffs = 0;
        let mut best = BestMove { mv: None, score: -Score::INFINITE, alpha, move_count: 0 };
        while let Some(picked) = picker.next(&self.board, &self.histories, rows) {
            if Some(picked.mv) == node.excluded || N::ROOT && !self.root.is_searched(picked.mv) {
                continue;
            }
            best.move_count += 1;
            let mv = Candidate {
                mv: picked.mv,
                number: best.move_count,
                is_quiet: picked.mv.is_quiet(),
                history: picked.history,
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
                        self.root.record_line(node.window, score, self.seldepth, line);
                    }
                    if score >= beta {
                        break;
                    }
                    best.alpha = score;
                }
            }
            searched.push(&mv);
        }
        Ok(self.finish_node::<N>(node, &best, &searched))
    }

    /// Makes a move, searches it and unmakes it.
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

    /// Searches a root move, reports it and counts its nodes.
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

    /// Returns the score of the position after a move, for the side that moved.
    ///
    /// Order of searches: reduced depth and zero window (LMR), full depth and zero window if the
    /// first beats alpha, open window in PV nodes.
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
            let reduced_depth = self.reduced_depth::<N>(node, mv, depth);
            let child_cuts = reduced_depth < depth || !node.cut_node;
            score = -self.alpha_beta::<NonPv>(zero, reduced_depth, ply, child_cuts)?;
            if score > alpha && reduced_depth < depth {
                // Far above alpha: re-search one ply deeper.
                depth += Depth::from(
                    score > alpha + params::lmr_deeper_margin() && reduced_depth + 1 < depth,
                );
                score = -self.alpha_beta::<NonPv>(zero, depth, ply, !node.cut_node)?;
                self.update_after_re_search(node, mv, score > alpha);
            }
        }
        if N::PV && (is_first || score > alpha) {
            let open = -Window { alpha, beta: node.window.beta };
            score = -self.alpha_beta::<N::Next>(open, depth, ply, false)?;
        }
        Ok(score)
    }

    /// Updates the continuation history of a quiet move after its LMR re-search: [`history::bonus`]
    /// if the move still beats alpha, else [`history::malus`].
    #[inline]
    fn update_after_re_search(&mut self, node: &NodeContext, mv: &Candidate, beats_alpha: bool) {
        if mv.is_quiet {
            let bonus =
                if beats_alpha { history::bonus(node.depth) } else { history::malus(node.depth) };
            let (rows, row) = (self.continuation_rows(node.ply), self.stack.frame(node.ply).row);
            self.histories.update_continuation(rows, row, bonus);
        }
    }

    /// Prior-move bonus: after a fail low, the opponent's last move gets a part of
    /// [`history::bonus`] in the continuation history, if it was quiet.
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

    /// Returns the score of a node whose moves are searched, and updates histories and TT. Without
    /// legal moves the node is mate or stalemate.
    #[inline]
    fn finish_node<N: NodeType>(
        &mut self,
        node: &NodeContext,
        best: &BestMove,
        searched: &SearchedMoves,
    ) -> Score {
        if best.move_count == 0 {
            if node.excluded.is_some() {
                return node.window.alpha;
            }
            return if node.in_check() { Score::mated_in(node.ply) } else { Score::DRAW };
        }
        if let Some(mv) = best.mv {
            self.update_histories(node, mv, searched);
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
        self.update_corrections(node, best, bound);
        if !N::ROOT || self.root.covers_all_moves() {
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

    /// Updates the correction histories with the difference between score and static evaluation.
    #[inline]
    fn update_corrections(&mut self, node: &NodeContext, best: &BestMove, bound: Bound) {
        let is_noisy = best.mv.is_some_and(|mv| !mv.is_quiet());
        if let Some(static_eval) = node.static_eval
            && is_informative(static_eval, best.score, bound, is_noisy)
        {
            let (rows, error) = (self.last_rows(node.ply), best.score - static_eval);
            self.histories.corrections.update(&self.board, rows, node.depth, error.0);
        }
    }

    /// Gives the best move a bonus and the other searched moves a malus.
    ///
    /// Captures get the malus whatever the best move was, because every node tries them early;
    /// quiet moves only if the best move is quiet.
    fn update_histories(&mut self, node: &NodeContext, best: Move, searched: &SearchedMoves) {
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        let rows = self.continuation_rows(node.ply);
        if best.is_quiet() {
            self.histories.update_quiet(&self.board, rows, best, bonus);
            for &mv in searched.quiet.iter().filter(|&&mv| mv != best) {
                self.histories.update_quiet(&self.board, rows, mv, malus);
            }
        } else {
            self.histories.update_noisy(&self.board, best, bonus);
        }
        for &mv in searched.noisy.iter().filter(|&&mv| mv != best) {
            self.histories.update_noisy(&self.board, mv, malus);
        }
    }
}

/// Mate distance pruning: no line that is longer than a mate already found can matter.
///
/// The best possible score is mate with the next move, the worst is being mated now, both in plies
/// from the root. Not in PV nodes.
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

/// Returns the static evaluation, or the TT score if that is exact or its bound contradicts the
/// evaluation. In hundredths of a pawn.
///
/// Decisive TT scores are ignored: they are no evaluations.
/// Source: <https://www.chessprogramming.org/Transposition_Table>
#[inline]
pub(super) fn refine_eval(eval: Score, tt: Option<TtEntry>) -> Score {
    match tt {
        Some(tt) if !tt.score.is_decisive() => match tt.bound {
            Bound::Exact => tt.score,
            Bound::Lower => eval.max(tt.score),
            Bound::Upper => eval.min(tt.score),
        },
        _ => eval,
    }
}
