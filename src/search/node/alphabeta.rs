//! The main search: alpha-beta as a principal variation search (PVS).
//!
//! The first move of a PV node gets the open window. Every other move gets a zero window and, if it
//! beats alpha in a PV node, a re-search with the open window. Scores are fail-soft: outside the
//! window they are bounds.
//!
//! Source: <https://www.chessprogramming.org/Principal_Variation_Search>

use std::ops::ControlFlow;

use crate::search::ordering::MovePicker;
use crate::search::params;
use crate::search::recorder::{NodeEnding, Pruning};
use crate::search::state::{Aborted, Candidate, NodeContext, NodeType, Window};
use crate::search::tt::{self, TtEntry};
use crate::types::{Bound, Depth, Move, Score};

use super::best_move::BestMove;
use super::history_updates::SearchedMoves;
use super::reductions::internal_iterative_reduction;
use super::searcher::Searcher;

impl Searcher<'_> {
    pub(crate) fn alpha_beta<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: usize,
        is_cut_node: bool,
    ) -> Result<Score, Aborted> {
        // The root is never a leaf.
        if !N::ROOT && depth <= 0 {
            return self.quiescence::<N>(window, ply);
        }
        let raised = self.window_with_repetition::<N>(window, ply);
        let (ending, score) = match self.enter_node::<N>(window, raised, depth, ply)? {
            ControlFlow::Break(end) => end,
            ControlFlow::Continue(tt) => {
                self.search_node::<N>(tt, raised, depth, ply, is_cut_node)?
            }
        };
        let score = raised.at_least_secured(window, score);
        self.recorder.leave(ending, score);
        Ok(score)
    }

    /// Searches a node that neither a rule nor a TT cutoff has ended. Returns its ending and score.
    #[inline]
    fn search_node<N: NodeType>(
        &mut self,
        tt: Option<TtEntry>,
        window: Window,
        depth: Depth,
        ply: usize,
        is_cut_node: bool,
    ) -> Result<(NodeEnding, Score), Aborted> {
        if let Some(score) = self.tablebase_score::<N>(window, depth, ply) {
            return Ok((NodeEnding::Tablebase, score));
        }
        let mut node = self.node_context::<N>(tt, window, depth, ply, is_cut_node);
        self.reward_gain(&node);
        if N::HIDES_REPLIES {
            // Pruning and singular searches would search hidden replies.
            return self.search_moves::<N>(&node, 0);
        }
        if let Some(end) = self.prune_node::<N>(&node)? {
            if tt.is_none() {
                self.store_evaluation(&node, end.0);
            }
            return Ok(end);
        }
        match self.singular_extension::<N>(&mut node)? {
            ControlFlow::Break(end) => Ok(end),
            ControlFlow::Continue(extension) => self.search_moves::<N>(&node, extension),
        }
    }

    #[inline]
    fn node_context<N: NodeType>(
        &mut self,
        tt: Option<TtEntry>,
        window: Window,
        depth: Depth,
        ply: usize,
        is_cut_node: bool,
    ) -> NodeContext {
        let evals = self.evaluate_node(tt, ply);
        let legal_tt_move = tt.and_then(|tt| tt.mv).filter(|&mv| self.board.is_legal(mv));
        let tt_move = if N::ROOT { self.root.first_move(legal_tt_move) } else { legal_tt_move };
        let improvement = self.improvement(evals, ply);
        let is_tt_pv = N::PV || tt.is_some_and(|tt| tt.is_pv);
        let depth = (depth + self.hindsight(evals, is_tt_pv, ply)).max(1);
        let is_last_pv = N::PV && self.is_in_last_line(ply);
        let is_reducible = (N::PV || is_cut_node) && !is_last_pv;
        NodeContext {
            ply,
            entry_depth: depth,
            depth: depth - internal_iterative_reduction(depth, tt_move, is_reducible),
            window,
            is_last_pv,
            is_cut_node,
            tt: tt.filter(TtEntry::has_result),
            tt_move,
            excluded: None,
            is_tt_pv,
            evals,
            improvement,
            counts_as_improving: improvement > 0
                || evals.is_some_and(|evals| evals.static_eval >= window.beta),
        }
    }

    /// Returns whether the moves up to a node are those of the line that the last depth found.
    fn is_in_last_line(&self, ply: usize) -> bool {
        let Some(last) = self.root.previous() else { return false };
        let line = (0..ply).map(|ply| self.stack.frame(ply).mv);
        last.moves.get(..ply).is_some_and(|moves| line.eq(moves.iter().copied().map(Some)))
    }

    /// Searches the moves of a node, the TT move with this extension. Returns the ending and the
    /// score of the node.
    pub(crate) fn search_moves<N: NodeType>(
        &mut self,
        node: &NodeContext,
        extension: Depth,
    ) -> Result<(NodeEnding, Score), Aborted> {
        let Window { alpha, beta } = node.window;
        let rows = self.continuation_rows(node.ply);
        let mut picker = MovePicker::new(node.tt_move);
        let mut searched = SearchedMoves::default();
        self.stack.frame_mut(node.ply + 1).cutoffs = 0;
        let mut best = BestMove { mv: None, score: -Score::INFINITE, alpha, move_count: 0 };
        let mut prefetched = None;
        while let Some(picked) = picker.next(&self.board, &self.histories, rows) {
            if self.is_excluded::<N>(node, picked.mv) {
                continue;
            }
            best.move_count += 1;
            if prefetched != Some(picked.mv) {
                self.prefetch_entry_after(picked.mv);
            }
            let mv = Candidate {
                mv: picked.mv,
                number: best.move_count,
                extension: if Some(picked.mv) == node.tt_move { extension } else { 0 },
                is_quiet: picked.mv.is_quiet(),
                history: picked.history,
                is_good_noisy: picker.is_good_noisy(),
            };
            if let Some((pruning, limit)) = self.skip_move::<N>(node, &mv, &best) {
                best.score = best.score.max(limit);
                if pruning == Pruning::LateMove {
                    picker.skip_quiets();
                }
                self.recorder.skipped(mv.mv, pruning);
                continue;
            }
            prefetched = picker.upcoming();
            if let Some(next) = prefetched {
                // The wait for this entry is hidden by the search of the current move.
                self.prefetch_entry_after(next);
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
                    if score >= beta {
                        break;
                    }
                    best.alpha = score;
                }
            }
            searched.push(&mv);
        }
        let score = self.finish_node::<N>(node, &best, &searched);
        Ok((best.ending(beta), score))
    }

    /// Returns whether a move is not to be searched: in a singular search the TT move, at the root
    /// those of other lines and of worse tablebase results, after it hidden replies.
    #[inline]
    fn is_excluded<N: NodeType>(&self, node: &NodeContext, mv: Move) -> bool {
        Some(mv) == node.excluded
            || N::ROOT && !self.root.is_searched(mv)
            || N::HIDES_REPLIES && self.is_hidden(node.ply, mv)
    }

    /// Searches a root move, with its bookkeeping: the report, the nodes spent on it, its line.
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
        if score > alpha {
            self.root.record_line(node.window, score, self.seldepth, self.pv.line(0));
        }
        Ok(score)
    }

    /// Searches a move. Updates the PV if the score is above `alpha`, in a PV node.
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
        if N::PV && score > alpha {
            self.pv.update(node.ply, mv.mv);
        }
        Ok(score)
    }

    /// Searches a move already made, with LMR and re-searches. Returns the score for the mover.
    #[inline]
    fn search_child<N: NodeType>(
        &mut self,
        node: &NodeContext,
        mv: &Candidate,
        alpha: Score,
    ) -> Result<Score, Aborted> {
        let ply = node.ply + 1;
        let mut depth = node.depth - 1 + mv.extension;
        let mut score = Score::DRAW;
        let is_first = mv.number == 1;
        if !N::PV || !is_first {
            let zero = -Window::above(alpha);
            let is_late = self.is_late_move::<N>(node, mv);
            let reduced_depth = if self.is_full_width::<N>() {
                depth
            } else if is_late {
                self.reduced_depth::<N>(node, mv, depth)
            } else {
                self.early_depth::<N>(node, mv, depth)
            };
            let is_reduced = is_late && reduced_depth < depth;
            let is_child_cut_node = is_reduced || !node.is_cut_node;
            self.stack.frame_mut(node.ply).reduction =
                if is_reduced { depth - reduced_depth } else { 0 };
            score = -self.alpha_beta::<N::Zero>(zero, reduced_depth, ply, is_child_cut_node)?;
            score = tt::without_far_mate(score, node.ply);
            self.stack.frame_mut(node.ply).reduction = 0;
            if score > alpha && is_reduced {
                // Far above alpha: re-search one ply deeper.
                if score > alpha + params::lmr_deeper_margin() && reduced_depth + 1 < depth {
                    depth += 1;
                }
                score = -self.alpha_beta::<N::Zero>(zero, depth, ply, !node.is_cut_node)?;
                score = tt::without_far_mate(score, node.ply);
                self.update_after_re_search(node, mv, score > alpha);
            }
        }
        if N::PV && (is_first || score > alpha) {
            let open = -Window { alpha, beta: node.window.beta };
            score = -self.alpha_beta::<N::Next>(open, depth, ply, false)?;
            score = tt::without_far_mate(score, node.ply);
        }
        Ok(score)
    }

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
        // A search of only some root moves does not give the position's score.
        if N::ROOT && !self.root.covers_all_moves() {
            return best.score;
        }
        self.update_corrections(node, best.mv, best.score, bound);
        let entry = TtEntry {
            mv: best.mv,
            score: best.score,
            raw_eval: node.raw_eval(),
            depth: node.depth,
            bound,
            is_pv: node.is_tt_pv,
        };
        self.shared.tt.store(self.board.search_key(), node.ply, entry);
        best.score
    }
}
