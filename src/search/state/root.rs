//! Root moves and the lines found for them.

use std::cmp::Reverse;

use crate::search::request::SearchRequest;
use crate::tablebase::{KnownMove, Wdl};
use crate::types::{Depth, Move, Score};

use super::context::Window;
use super::pv::Line;

/// Line with its score: exact or, if the search was aborted after a fail high, a lower bound.
#[derive(Clone)]
pub(crate) struct ScoredLine {
    pub(crate) depth: Depth,
    pub(crate) seldepth: usize,
    pub(crate) score: Score,
    /// Never empty: the line begins with the root move.
    pub(crate) moves: Line,
}

impl ScoredLine {
    pub(crate) fn best(&self) -> Move {
        self.moves[0]
    }

    /// Returns whether the line ends in a mate that another score of its move would forget: a
    /// longer mate or none.
    fn is_forgotten_by(&self, score: Score) -> bool {
        self.score.is_mate()
            && if self.score.is_win() { score < self.score } else { score > self.score }
    }
}

struct RootMove {
    mv: Move,
    known: Option<KnownMove>,
    tier: Tier,
    /// Nodes spent on the move at all depths.
    nodes: u64,
}

/// Tablebase rank of a root move; higher tiers are searched first. In analysis all moves with the
/// same result share a tier, so that mates are found.
type Tier = Option<(Wdl, i32)>;

impl RootMove {
    /// Replaces the score by the tablebase result, unless it is a mate. A result without a DTZ is
    /// not certain: the halfmove clock may turn it into a draw.
    fn with_tablebase(&self, score: Score) -> Score {
        let Some(KnownMove { wdl, dtz: Some(_), .. }) = self.known else { return score };
        match wdl {
            _ if score.is_mate() => score,
            Wdl::Win => score.max(Score::tablebase_win_in(1)),
            Wdl::Loss => score.min(-Score::tablebase_win_in(1)),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => Score::DRAW,
        }
    }
}

pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// True if these are all legal moves.
    is_complete: bool,
    depth: Depth,
    /// Tier being searched: the highest with a move not found yet.
    tier: Tier,
    /// Lines of the last completed depth, best first.
    lines: Vec<ScoredLine>,
    /// Lines found at the current depth. The next line (MultiPV) excludes their first moves.
    found: Vec<ScoredLine>,
    /// Best exact line in the current window.
    candidate: Option<ScoredLine>,
    /// Last fail-high line at the current depth.
    failed_high: Option<ScoredLine>,
}

impl RootMoves {
    /// Takes the requested moves that are legal, or all legal moves if there are none.
    pub(crate) fn new(request: &SearchRequest) -> Self {
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
        self.moves.iter().find(|root_move| root_move.mv == mv)
    }

    fn best_tier(&self) -> Tier {
        self.moves
            .iter()
            .filter(|root_move| !self.is_found(root_move.mv))
            .map(|root_move| root_move.tier)
            .max()
            .flatten()
    }

    pub(crate) fn is_forced(&self) -> bool {
        let best = self.best_tier();
        self.moves.iter().filter(|root_move| root_move.tier == best).count() == 1
    }

    /// Returns the score to report for a line that begins with this move.
    pub(crate) fn with_tablebase(&self, mv: Move, score: Score) -> Score {
        self.get(mv).map_or(score, |root_move| root_move.with_tablebase(score))
    }

    pub(crate) fn depth(&self) -> Depth {
        self.depth
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn lines(&self) -> &[ScoredLine] {
        &self.lines
    }

    /// Returns the best line of the last depth whose move has not been found at this depth.
    pub(crate) fn previous(&self) -> Option<&ScoredLine> {
        self.lines.iter().find(|line| !self.is_found(line.best()))
    }

    /// Returns the move to search first: the fail-high move of the last window, else the best move
    /// of the last depth, else the TT move.
    pub(crate) fn first_move(&self, tt_move: Option<Move>) -> Option<Move> {
        let line = self.failed_high.as_ref().or(self.previous());
        let best = line.map(ScoredLine::best).filter(|&mv| self.is_searched(mv));
        best.or(tt_move.filter(|&mv| self.is_searched(mv)))
    }

    /// Returns the move that failed high in the last window.
    pub(crate) fn failed_high_move(&self) -> Option<Move> {
        self.failed_high.as_ref().map(ScoredLine::best)
    }

    /// Returns the moves of the current search of the root.
    pub(crate) fn searched_moves(&self) -> Vec<Move> {
        let moves = self.moves.iter().map(|root_move| root_move.mv);
        moves.filter(|&mv| self.is_searched(mv)).collect()
    }

    pub(crate) fn is_searched(&self, mv: Move) -> bool {
        self.get(mv).is_some_and(|root_move| root_move.tier == self.tier) && !self.is_found(mv)
    }

    fn is_found(&self, mv: Move) -> bool {
        self.found.iter().any(|line| line.best() == mv)
    }

    /// Returns whether no legal move is excluded, so that the root's score is that of the position.
    pub(crate) fn covers_all_moves(&self) -> bool {
        self.is_complete && self.found.is_empty()
    }

    /// Returns the permille of `all` nodes spent on a move.
    pub(crate) fn effort(&self, mv: Move, all: u64) -> i32 {
        let nodes = self.get(mv).map_or(0, |root_move| root_move.nodes);
        (nodes.saturating_mul(1000) / all.max(1)).min(1000) as i32
    }

    pub(crate) fn begin_window(&mut self, depth: Depth) {
        self.depth = depth;
        self.candidate = None;
        self.tier = self.best_tier();
    }

    /// Discards an earlier fail-high line.
    pub(crate) fn fail_low(&mut self) {
        self.failed_high = None;
    }

    pub(crate) fn add_nodes(&mut self, mv: Move, nodes: u64) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.nodes += nodes;
        }
    }

    pub(crate) fn record_line(
        &mut self,
        window: Window,
        score: Score,
        seldepth: usize,
        line: &Line,
    ) {
        let moves = line.clone();
        let depth = self.depth;
        if window.contains(score) {
            self.candidate = Some(ScoredLine { depth, seldepth, score, moves });
        } else {
            // After a fail high the mating line is not complete, so no mate is reported.
            let bound = score.clamp_to_eval();
            self.failed_high = Some(ScoredLine { depth, seldepth, score: bound, moves });
        }
    }

    /// Returns the loss by mate of the line found last at this depth. It is proven for all moves
    /// that are left.
    pub(crate) fn found_loss(&self) -> Option<Score> {
        let score = self.found.last()?.score;
        (score.is_mate() && score.is_loss()).then_some(score)
    }

    /// Takes the best line of the last depth for this depth too.
    pub(crate) fn keep_line(&mut self) {
        let depth = self.depth;
        self.candidate = self.previous().map(|line| ScoredLine { depth, ..line.clone() });
    }

    /// Adds the line found. A move with a proven mate keeps its line until a shorter one is found.
    pub(crate) fn finish_line(&mut self) {
        if let Some(mut line) = self.candidate.take() {
            let mut old = self.lines.iter().filter(|old| old.best() == line.best());
            if let Some(proven) = old.find(|old| old.is_forgotten_by(line.score)) {
                line = ScoredLine { depth: line.depth, ..proven.clone() };
            }
            self.found.push(line);
        }
        self.failed_high = None;
    }

    pub(crate) fn finish_depth(&mut self) {
        let mut lines = std::mem::take(&mut self.found);
        lines.sort_by_key(|line| {
            let root_move = self.get(line.best());
            let reported =
                root_move.map_or(line.score, |root_move| root_move.with_tablebase(line.score));
            // A mate found ranks by its score, whatever its tier.
            Reverse((reported, root_move.and_then(|root_move| root_move.tier), line.score))
        });
        self.found = std::mem::replace(&mut self.lines, lines);
        self.found.clear();
    }

    pub(crate) fn adopt_line(&mut self, line: ScoredLine) {
        self.lines.clear();
        self.lines.push(line);
    }

    /// Ends an aborted depth and returns whether the lines changed.
    ///
    /// A single line is replaced by one of this depth that raised alpha, even by a fail high whose
    /// re-search was aborted. But a mate that is proven stays, and a forced loss replaces only a
    /// loss, unless the move is the only one: other moves may avoid it. With MultiPV the lines of
    /// the last depth stay together. Without any line, the first move gets the score `fallback`.
    pub(crate) fn abandon_depth(&mut self, is_single: bool, fallback: Option<Score>) -> bool {
        let has_mate = self.lines.first().is_some_and(|line| line.score.is_mate());
        if has_mate || !is_single && !self.lines.is_empty() {
            return false;
        }
        let may_lose = self.is_forced() || self.lines.iter().all(|line| line.score.is_loss());
        let line = self.candidate.take().or(self.failed_high.take());
        self.candidate = line.filter(|line| may_lose || !line.score.is_loss());
        self.finish_line();
        let best = self.best_tier();
        let first = self.moves.iter().find(|root_move| root_move.tier == best);
        if self.found.is_empty()
            && self.lines.is_empty()
            && let (Some(first), Some(score)) = (first, fallback)
        {
            let moves = Line::from_iter([first.mv]);
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

    fn failed_high(score: Score) -> RootMoves {
        let board = Board::startpos();
        let legal = board.legal_moves();
        let mut root = RootMoves::new(&SearchRequest::new(board, Limits::default()));
        root.begin_window(5);
        let line = Line::from_iter(legal.get(7).copied());
        root.record_line(Window::above(Score(20)), score, 9, &line);
        root
    }

    #[test]
    fn a_fail_high_line_is_kept_without_its_mate_score() {
        for (score, reported) in [(Score(60), Score(60)), (Score::mate_in(9), Score::MAX_EVAL)] {
            let mut root = failed_high(score);
            assert!(root.abandon_depth(true, None));
            let line = &root.lines()[0];
            assert_eq!((line.score, line.depth), (reported, 5));
        }
    }

    #[test]
    fn an_aborted_depth_replaces_neither_a_mate_nor_a_score_by_a_loss() {
        let (soon, later) = (Score::mated_in(8), Score::mated_in(12));
        for (before, score, kept) in [
            (Score(-70), soon, Score(-70)),
            (Score(-70), Score(-300), Score(-300)),
            (soon, later, soon),
            (soon, Score(-300), soon),
            (Score::mate_in(9), Score(300), Score::mate_in(9)),
        ] {
            let board = Board::startpos();
            let line = Line::from_iter(board.legal_moves().first().copied());
            let mut root = RootMoves::new(&SearchRequest::new(board, Limits::default()));
            let window = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
            root.begin_window(4);
            root.record_line(window, before, 9, &line);
            root.finish_line();
            root.finish_depth();
            root.begin_window(5);
            root.record_line(window, score, 9, &line);
            root.abandon_depth(true, None);
            assert_eq!(root.lines()[0].score, kept);
        }
    }

    #[test]
    fn a_rank_begins_with_the_best_move_not_found_yet() {
        let board = Board::startpos();
        let legal = board.legal_moves();
        let mut root = RootMoves::new(&SearchRequest::new(board, Limits::default()));
        let find = |root: &mut RootMoves, depth, index: usize, score| {
            root.begin_window(depth);
            let line = Line::from_iter(legal.get(index).copied());
            root.record_line(Window::FULL, Score(score), 9, &line);
            root.finish_line();
        };
        find(&mut root, 4, 0, 50);
        find(&mut root, 4, 1, 20);
        root.finish_depth();
        find(&mut root, 5, 1, 60);
        assert_eq!(root.previous().map(|line| line.score), Some(Score(50)));
        root.begin_window(5);
        assert_eq!(root.first_move(None), legal.first().copied());
    }

    #[test]
    fn a_move_keeps_its_proven_mate() {
        let (soon, later) = (Score::mated_in(8), Score::mated_in(12));
        for (before, found, kept) in [
            (soon, later, soon),
            (later, soon, soon),
            (soon, Score(-300), soon),
            (Score::mate_in(9), Score::mate_in(11), Score::mate_in(9)),
            (Score::mate_in(9), Score::mate_in(7), Score::mate_in(7)),
            (Score(-70), soon, soon),
        ] {
            let board = Board::startpos();
            let line = Line::from_iter(board.legal_moves().first().copied());
            let mut root = RootMoves::new(&SearchRequest::new(board, Limits::default()));
            for (depth, score) in [(4, before), (5, found)] {
                root.begin_window(depth);
                root.record_line(Window::FULL, score, 9, &line);
                root.finish_line();
                root.finish_depth();
            }
            let line = &root.lines()[0];
            assert_eq!((line.score, line.depth), (kept, 5));
        }
    }

    #[test]
    fn only_a_fallback_score_guarantees_a_line() {
        let root = || RootMoves::new(&SearchRequest::new(Board::startpos(), Limits::default()));
        let mut with_fallback = root();
        assert!(with_fallback.abandon_depth(true, Some(Score(13))));
        assert_eq!(with_fallback.lines()[0].score, Score(13));
        let mut without_fallback = root();
        assert!(!without_fallback.abandon_depth(true, None));
        assert!(without_fallback.lines().is_empty());
    }
}
