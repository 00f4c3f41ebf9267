//! The root's moves, and the lines found for them.

use std::cmp::Reverse;

use crate::tablebase::Wdl;
use crate::types::{Depth, Move, MoveList, Score};

use super::node::Window;
use super::pv::Line;

/// A line with its score, which is exact unless the search was broken off before it knew how much better the line is.
#[derive(Clone)]
pub(super) struct ScoredLine {
    pub(super) depth: Depth,
    pub(super) seldepth: usize,
    pub(super) score: Score,
    /// Never empty.
    pub(super) moves: Line,
}

impl ScoredLine {
    pub(super) fn best(&self) -> Move {
        self.moves[0]
    }
}

/// A move that may be played.
struct RootMove {
    mv: Move,
    /// What it leads to for certain; a draw where nothing is known.
    result: Wdl,
    /// The nodes spent on it in the whole search.
    nodes: u64,
}

/// What the search knows of its root.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Whether these are all legal moves.
    is_complete: bool,
    /// The depth being searched.
    depth: Depth,
    /// The best result of a move that is not found yet; only such moves are searched.
    result: Wdl,
    /// The best lines, best first, of the last depth that was completed.
    lines: Vec<ScoredLine>,
    /// The lines already found at the depth being searched. Their first moves are left out of the search for the next.
    found: Vec<ScoredLine>,
    /// The best exact line of the search going on within the present window.
    candidate: Option<ScoredLine>,
    /// The line that was better than an earlier window of this depth allowed; its score is the least it is worth.
    failed_high: Option<ScoredLine>,
}

impl RootMoves {
    /// The legal moves among `wanted`, or all where that leaves none, with their results where they are known.
    pub(super) fn new(legal: &MoveList, wanted: &[Move], known: &[(Move, Wdl)]) -> Self {
        let mut moves: Vec<_> = legal.iter().copied().filter(|mv| wanted.contains(mv)).collect();
        if moves.is_empty() {
            moves.extend(legal);
        }
        let result =
            |mv| known.iter().find(|known| known.0 == mv).map_or(Wdl::Draw, |known| known.1);
        Self {
            is_complete: moves.len() == legal.len(),
            moves: moves
                .into_iter()
                .map(|mv| RootMove { mv, result: result(mv), nodes: 0 })
                .collect(),
            depth: 0,
            result: Wdl::Draw,
            lines: Vec::new(),
            found: Vec::new(),
            candidate: None,
            failed_high: None,
        }
    }

    /// The depth being searched.
    pub(super) fn depth(&self) -> Depth {
        self.depth
    }

    /// How many moves may be played.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The best lines, best first, so far.
    pub(super) fn lines(&self) -> &[ScoredLine] {
        &self.lines
    }

    /// The line that was found at the last depth for the rank now searched for.
    pub(super) fn previous(&self) -> Option<&ScoredLine> {
        self.lines.get(self.found.len())
    }

    /// The move to search first: the one that was too good for the last window, or else the best of the last depth.
    /// Worth: 26 ± 18 Elo, with the move played where the search is broken off, 8 000 nodes a move (2026-11-20,
    /// docs/strength.md).
    pub(super) fn first_move(&self) -> Option<Move> {
        let line = self.failed_high.as_ref().or(self.previous());
        line.map(ScoredLine::best).filter(|&mv| self.is_searched(mv))
    }

    /// Whether a move is to be searched for the present line.
    pub(super) fn is_searched(&self, mv: Move) -> bool {
        self.moves.iter().any(|own| own.mv == mv && own.result == self.result) && !self.is_found(mv)
    }

    fn is_found(&self, mv: Move) -> bool {
        self.found.iter().any(|line| line.best() == mv)
    }

    /// Whether no move is left out, so that the root's score is the position's.
    pub(super) fn is_whole(&self) -> bool {
        self.is_complete && self.found.is_empty()
    }

    /// The share of `all` nodes spent on a move, in permille.
    pub(super) fn effort(&self, mv: Move, all: u64) -> i32 {
        let own = self.moves.iter().find(|root_move| root_move.mv == mv).map_or(0, |own| own.nodes);
        (own.saturating_mul(1000) / all.max(1)).min(1000) as i32
    }

    /// Begins a search with a new window, in the iteration to this depth.
    pub(super) fn begin_window(&mut self, depth: Depth) {
        self.depth = depth;
        self.candidate = None;
        let open = self.moves.iter().filter(|own| !self.is_found(own.mv));
        self.result = open.map(|own| own.result).max().unwrap_or(Wdl::Draw);
    }

    /// No move holds even the lower bound of the window, nor the one that was too good for the window before.
    pub(super) fn fail_low(&mut self) {
        self.failed_high = None;
    }

    /// Adds the nodes spent on a move.
    pub(super) fn add_nodes(&mut self, mv: Move, nodes: u64) {
        if let Some(own) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) {
            own.nodes += nodes;
        }
    }

    /// Takes note of a line that is better than any before it; only inside the window its score is exact.
    pub(super) fn improve(&mut self, window: Window, score: Score, seldepth: usize, line: &Line) {
        let mut line = ScoredLine { depth: self.depth, seldepth, score, moves: line.clone() };
        if window.contains(score) {
            self.candidate = Some(line);
        } else {
            // The mating line is not known yet.
            line.score = score.clamp_to_eval();
            self.failed_high = Some(line);
        }
    }

    /// Keeps the line that the search within the present window ended with.
    pub(super) fn finish_line(&mut self) {
        self.found.extend(self.candidate.take());
        self.failed_high = None;
    }

    /// Makes the lines found those of the last completed depth.
    pub(super) fn finish_depth(&mut self) {
        self.lines.clear();
        self.lines.append(&mut self.found);
        let result =
            |mv| self.moves.iter().find(|own| own.mv == mv).map_or(Wdl::Draw, |own| own.result);
        self.lines.sort_by_key(|line| (Reverse(result(line.best())), -line.score.0));
    }

    /// Makes this the only line of the last depth.
    pub(super) fn answer_with(&mut self, line: ScoredLine) {
        self.lines.clear();
        self.lines.push(line);
    }

    /// Ends a depth that was broken off. With one line wanted, a line of this depth that raised alpha is the best move
    /// with more depth behind it, also if it was too good for its window and a better score was still being looked for;
    /// with several, the lines of the last depth belong together and stay. Before there is any line, anything goes: the
    /// first move with the score `fallback`, if there is one. Returns whether the lines changed.
    pub(super) fn abandon_depth(&mut self, is_single: bool, fallback: Option<Score>) -> bool {
        if !is_single && !self.lines.is_empty() {
            return false;
        }
        self.candidate = self.candidate.take().or(self.failed_high.take());
        self.finish_line();
        if self.found.is_empty()
            && self.lines.is_empty()
            && let Some(score) = fallback
        {
            let moves = Line::from_iter(self.moves.first().map(|first| first.mv));
            self.found.push(ScoredLine { depth: 1, seldepth: 1, score, moves });
        }
        let has_changed = !self.found.is_empty();
        if has_changed {
            self.finish_depth();
        }
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    /// The root of the start position after a line that was too good for its window, at depth 5.
    fn failed_high(score: Score) -> RootMoves {
        let legal = Board::startpos().legal_moves();
        let mut root = RootMoves::new(&legal, &[], &[]);
        root.begin_window(5);
        let line = Line::from_iter(legal.get(7).copied());
        root.improve(Window::above(Score(20)), score, 9, &line);
        root
    }

    #[test]
    fn what_was_too_good_for_its_window_is_answered_without_a_mate() {
        for (score, told) in [(Score(60), Score(60)), (Score::mate_in(9), Score::MAX_EVAL)] {
            let mut root = failed_high(score);
            assert!(root.abandon_depth(true, None));
            let line = &root.lines()[0];
            assert_eq!((line.score, line.depth), (told, 5));
        }
    }

    #[test]
    fn there_is_a_line_at_any_price_or_none() {
        let root = || RootMoves::new(&Board::startpos().legal_moves(), &[], &[]);
        let mut answering = root();
        assert!(answering.abandon_depth(true, Some(Score(13))));
        assert_eq!(answering.lines()[0].score, Score(13));
        let mut helping = root();
        assert!(!helping.abandon_depth(true, None));
        assert!(helping.lines().is_empty());
    }
}
