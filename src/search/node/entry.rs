//! Entry of a node in main and quiescence search: draws, upcoming repetitions, mate distance
//! pruning, TT cutoffs.

use std::ops::ControlFlow;

use crate::search::params;
use crate::search::recorder::NodeEnding;
use crate::search::state::{Aborted, NodeType, Window};
use crate::search::tt::TtEntry;
use crate::types::{Depth, MAX_PLY, Score};

use super::searcher::Searcher;

impl Searcher<'_> {
    /// Counts the node. Returns its ending and score if a rule or a TT cutoff decides it, otherwise
    /// its TT entry. A cutoff rewards the TT move. `depth` is 0 in quiescence search, where every
    /// TT entry is deep enough. `raised` is the window with repetition, `window` the one before,
    /// which is recorded.
    #[inline(always)]
    pub(crate) fn enter_node<N: NodeType>(
        &mut self,
        window: Window,
        raised: Window,
        depth: Depth,
        ply: usize,
    ) -> Result<ControlFlow<(NodeEnding, Score), Option<TtEntry>>, Aborted> {
        if N::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        let rule_score = self.score_by_rule::<N>(raised, ply);
        let tt = match rule_score {
            Some(_) => None,
            None => self.shared.tt.probe(self.board.search_key(), ply, self.board.halfmove_clock()),
        };
        self.recorder.enter(&self.stack, window, depth, ply, tt.is_some());
        self.count_node(ply)?;
        if let Some(score) = rule_score {
            return Ok(ControlFlow::Break((NodeEnding::Rule, score)));
        }
        match tt {
            Some(tt)
                if self.allows_tt_cutoff::<N>(&tt, raised, depth)
                    || !N::ROOT && is_decided_by_mate(&tt, raised) =>
            {
                self.reward_tt_move(&tt, raised, depth, ply);
                Ok(ControlFlow::Break((NodeEnding::TtCutoff, tt.score)))
            }
            _ => Ok(ControlFlow::Continue(tt)),
        }
    }

    /// Upcoming repetition: returns the window of a node, with alpha raised to a draw if the mover
    /// can repeat a position of the line.
    ///
    /// Idea: the mover has at least a draw, even if the search below leaves out the move that
    /// repeats.
    ///
    /// Source: <https://www.chessprogramming.org/Repetitions#Upcoming_Repetitions>
    #[inline]
    pub(crate) fn window_with_repetition<N: NodeType>(&self, window: Window, ply: usize) -> Window {
        let can_draw = !N::ROOT && window.alpha < Score::DRAW && self.board.can_repeat(ply);
        Window { alpha: if can_draw { Score::DRAW } else { window.alpha }, ..window }
    }

    #[inline]
    fn score_by_rule<N: NodeType>(&mut self, window: Window, ply: usize) -> Option<Score> {
        if N::ROOT {
            return None;
        }
        if self.board.is_draw(ply) || window.is_closed() {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Some(if self.board.in_check() { Score::DRAW } else { self.evaluate() });
        }
        mate_distance(window, ply)
    }

    /// Returns whether the TT score may be returned. PV nodes need a full PV, so there it may not.
    /// A fail high needs an entry a ply deeper than the node. Near the fifty-move limit it may not
    /// either, because the score may come from a halfmove clock up to seven plies lower.
    ///
    /// Source: <https://www.chessprogramming.org/Transposition_Table>
    #[inline]
    fn allows_tt_cutoff<N: NodeType>(&self, tt: &TtEntry, window: Window, depth: Depth) -> bool {
        let more = if depth > 0 && tt.score >= window.beta { 1 } else { 0 };
        !N::PV
            && tt.depth >= depth + more
            && tt.bound.allows_cutoff(tt.score, window.beta)
            && i32::from(self.board.halfmove_clock()) <= params::tt_max_halfmove_clock()
    }
}

/// Returns whether the TT proves a mate whose score lies outside the window. That may be returned
/// whatever the depth, in PV nodes too: no PV contains it.
#[inline]
fn is_decided_by_mate(tt: &TtEntry, window: Window) -> bool {
    tt.proves_mate() && !window.contains(tt.score) && (tt.score >= window.beta) == tt.score.is_win()
}

/// Mate distance pruning: a line longer than a mate already found cannot matter. Returns the score
/// of a node at which no score lies inside the window.
///
/// Source: <https://www.chessprogramming.org/Mate_Distance_Pruning>
#[inline]
fn mate_distance(window: Window, ply: usize) -> Option<Score> {
    let worst = Score::mated_in(ply);
    let best = Score::mate_in(ply + 1);
    if worst >= window.beta {
        Some(worst)
    } else if best <= window.alpha {
        Some(best)
    } else {
        None
    }
}
