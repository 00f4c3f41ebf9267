//! The root's moves, and the lines found for them.

use std::cmp::Reverse;

use crate::tablebase::{KnownMove, Wdl};
use crate::types::{Depth, Move, Score};

use super::SearchRequest;
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
    /// What the tablebases know of it.
    known: Option<KnownMove>,
    tier: Tier,
    /// The nodes spent on it in the whole search.
    nodes: u64,
}

/// Moves of a higher tier are searched first. All are in one where nothing is known; in analysis those of one result are,
/// so that it sees mates.
type Tier = Option<(Wdl, i32)>;

impl RootMove {
    /// A score with the known result in the place of what is only guessed; a mate that was found is exact. Without
    /// the distance the result is not certain: the game's counter may spoil it.
    fn settle(&self, score: Score) -> Score {
        let Some(KnownMove { wdl, dtz: Some(_), .. }) = self.known else { return score };
        match wdl {
            _ if score.is_mate() => score,
            Wdl::Win => score.max(Score::tablebase_win_in(1)),
            Wdl::Loss => score.min(-Score::tablebase_win_in(1)),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => Score::DRAW,
        }
    }
}

/// What the search knows of its root.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Whether these are all legal moves.
    is_complete: bool,
    /// The depth being searched.
    depth: Depth,
    /// The highest one with a move that is not found yet; only its moves are searched.
    tier: Tier,
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
    /// The legal moves among those wanted, or all where that leaves none.
    pub(super) fn new(request: &SearchRequest) -> Self {
        let SearchRequest { board, limits, known_moves, .. } = request;
        let legal = board.legal_moves();
        let wanted = &limits.search_moves;
        let mut moves = legal.clone();
        moves.retain(|mv| wanted.contains(mv));
        if moves.is_empty() {
            moves.clone_from(&legal);
        }
        let root_move = |mv| {
            let known = known_moves.iter().find(|known| known.mv == mv).copied();
            let rank =
                |known: KnownMove| if limits.is_analysis() { (known.wdl, 0) } else { known.rank() };
            RootMove { mv, known, tier: known.map(rank), nodes: 0 }
        };
        Self {
            is_complete: moves.len() == legal.len(),
            moves: moves.into_iter().map(root_move).collect(),
            depth: 0,
            tier: None,
            lines: Vec::new(),
            found: Vec::new(),
            candidate: None,
            failed_high: None,
        }
    }

    fn get(&self, mv: Move) -> Option<&RootMove> {
        self.moves.iter().find(|own| own.mv == mv)
    }

    /// The highest tier with a move that is not found yet.
    fn best_tier(&self) -> Tier {
        self.moves.iter().filter(|own| !self.is_found(own.mv)).map(|own| own.tier).max().flatten()
    }

    /// Whether there is nothing to choose.
    pub(super) fn is_forced(&self) -> bool {
        let best = self.best_tier();
        self.moves.iter().filter(|own| own.tier == best).count() == 1
    }

    /// The score to tell of a line that begins with this move.
    pub(super) fn settle(&self, mv: Move, score: Score) -> Score {
        self.get(mv).map_or(score, |own| own.settle(score))
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
        self.get(mv).is_some_and(|own| own.tier == self.tier) && !self.is_found(mv)
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
        let own = self.get(mv).map_or(0, |own| own.nodes);
        (own.saturating_mul(1000) / all.max(1)).min(1000) as i32
    }

    /// Begins a search with a new window, in the iteration to this depth.
    pub(super) fn begin_window(&mut self, depth: Depth) {
        self.depth = depth;
        self.candidate = None;
        self.tier = self.best_tier();
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
        let mut lines = std::mem::take(&mut self.found);
        lines.sort_by_key(|line| {
            let own = self.get(line.best());
            let told = own.map_or(line.score, |own| own.settle(line.score));
            // A mate that is seen needs no distance.
            Reverse((told, own.and_then(|own| own.tier), line.score))
        });
        self.found = std::mem::replace(&mut self.lines, lines);
        self.found.clear();
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
            let best = self.best_tier();
            let first = self.moves.iter().find(|own| own.tier == best);
            let moves = Line::from_iter(first.map(|first| first.mv));
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
    use crate::search::Limits;

    /// The root of the start position after a line that was too good for its window, at depth 5.
    fn failed_high(score: Score) -> RootMoves {
        let board = Board::startpos();
        let legal = board.legal_moves();
        let mut root = RootMoves::new(&SearchRequest::new(board, Limits::default()));
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
        let root = || RootMoves::new(&SearchRequest::new(Board::startpos(), Limits::default()));
        let mut answering = root();
        assert!(answering.abandon_depth(true, Some(Score(13))));
        assert_eq!(answering.lines()[0].score, Score(13));
        let mut helping = root();
        assert!(!helping.abandon_depth(true, None));
        assert!(helping.lines().is_empty());
    }
}
