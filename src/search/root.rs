//! Root moves and the lines found for them.

use std::cmp::Reverse;

use crate::tablebase::{KnownMove, Wdl};
use crate::types::{Depth, Move, Score};

use super::node::Window;
use super::pv::Line;
use super::request::SearchRequest;

/// Line with its score. The score is exact, unless the search was aborted after a fail high; then
/// it is a lower bound.
#[derive(Clone)]
pub(super) struct ScoredLine {
    pub(super) depth: Depth,
    pub(super) seldepth: usize,
    pub(super) score: Score,
    /// PV, never empty: it begins with the root move.
    pub(super) moves: Line,
}

impl ScoredLine {
    pub(super) fn best(&self) -> Move {
        self.moves[0]
    }
}

/// Move that may be played at the root.
struct RootMove {
    mv: Move,
    /// Tablebase result of the move, if known.
    known: Option<KnownMove>,
    tier: Tier,
    /// Nodes spent on the move in the whole search.
    nodes: u64,
}

/// Tablebase rank of a root move: moves of a higher tier are searched first.
///
/// Without tablebases all moves share one tier. In analysis all moves with the same result do, so
/// that mates are found.
type Tier = Option<(Wdl, i32)>;

impl RootMove {
    /// Returns the score, replaced by the tablebase result if that is certain. Mate scores stay.
    ///
    /// A result without a DTZ is not certain: the halfmove clock may turn it into a draw.
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

/// Root moves, and the lines of the current and the last depth.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// True if these are all legal moves, so that the score is that of the position.
    is_complete: bool,
    /// Depth being searched.
    depth: Depth,
    /// Highest tier with a move not found yet. Only moves of this tier are searched.
    tier: Tier,
    /// Lines of the last completed depth, best first.
    lines: Vec<ScoredLine>,
    /// Lines found at the current depth. Their first moves are excluded from the search
    /// for the next line.
    found: Vec<ScoredLine>,
    /// Best exact line of the current search within the window.
    candidate: Option<ScoredLine>,
    /// Last fail-high line at the current depth. Its score is a lower bound.
    failed_high: Option<ScoredLine>,
}

impl RootMoves {
    /// Returns the legal moves among those requested, or all legal moves if none of them is legal.
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
        self.moves.iter().find(|root_move| root_move.mv == mv)
    }

    /// Returns the highest tier with a move not found yet.
    fn best_tier(&self) -> Tier {
        self.moves
            .iter()
            .filter(|root_move| !self.is_found(root_move.mv))
            .map(|root_move| root_move.tier)
            .max()
            .flatten()
    }

    /// Returns whether there is only one move to choose.
    pub(super) fn is_forced(&self) -> bool {
        let best = self.best_tier();
        self.moves.iter().filter(|root_move| root_move.tier == best).count() == 1
    }

    /// Returns the score to report for a line that begins with this move, see
    /// [`RootMove::with_tablebase`].
    pub(super) fn with_tablebase(&self, mv: Move, score: Score) -> Score {
        self.get(mv).map_or(score, |root_move| root_move.with_tablebase(score))
    }

    /// Returns the depth being searched.
    pub(super) fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns the number of root moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the lines of the last completed depth, best first.
    pub(super) fn lines(&self) -> &[ScoredLine] {
        &self.lines
    }

    /// Returns the line of the last depth for the rank being searched.
    pub(super) fn previous(&self) -> Option<&ScoredLine> {
        self.lines.get(self.found.len())
    }

    /// Returns the move to search first: the fail-high move of the last window, else the best move
    /// of the last depth.
    pub(super) fn first_move(&self) -> Option<Move> {
        let line = self.failed_high.as_ref().or(self.previous());
        line.map(ScoredLine::best).filter(|&mv| self.is_searched(mv))
    }

    /// Returns whether a move is searched for the current line.
    pub(super) fn is_searched(&self, mv: Move) -> bool {
        self.get(mv).is_some_and(|root_move| root_move.tier == self.tier) && !self.is_found(mv)
    }

    fn is_found(&self, mv: Move) -> bool {
        self.found.iter().any(|line| line.best() == mv)
    }

    /// Returns whether no legal move is excluded, so that the root's score is that of the position.
    pub(super) fn covers_all_moves(&self) -> bool {
        self.is_complete && self.found.is_empty()
    }

    /// Returns the share of `all` nodes spent on a move, in permille.
    pub(super) fn effort(&self, mv: Move, all: u64) -> i32 {
        let nodes = self.get(mv).map_or(0, |root_move| root_move.nodes);
        (nodes.saturating_mul(1000) / all.max(1)).min(1000) as i32
    }

    /// Begins a search with a new window at this depth.
    pub(super) fn begin_window(&mut self, depth: Depth) {
        self.depth = depth;
        self.candidate = None;
        self.tier = self.best_tier();
    }

    /// Fail low: discards the earlier fail-high line too.
    pub(super) fn fail_low(&mut self) {
        self.failed_high = None;
    }

    /// Adds the nodes spent on a move.
    pub(super) fn add_nodes(&mut self, mv: Move, nodes: u64) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.nodes += nodes;
        }
    }

    /// Records the best line so far. Its score is exact inside the window, else it is a fail high.
    pub(super) fn record_line(
        &mut self,
        window: Window,
        score: Score,
        seldepth: usize,
        line: &Line,
    ) {
        let mut line = ScoredLine { depth: self.depth, seldepth, score, moves: line.clone() };
        if window.contains(score) {
            self.candidate = Some(line);
        } else {
            // After a fail high the mating line is not complete, so no mate is reported.
            line.score = score.clamp_to_eval();
            self.failed_high = Some(line);
        }
    }

    /// Keeps the line of the search that ended inside its window.
    pub(super) fn finish_line(&mut self) {
        self.found.extend(self.candidate.take());
        self.failed_high = None;
    }

    /// Makes the lines found those of the last completed depth, best first.
    pub(super) fn finish_depth(&mut self) {
        let mut lines = std::mem::take(&mut self.found);
        lines.sort_by_key(|line| {
            let root_move = self.get(line.best());
            let reported =
                root_move.map_or(line.score, |root_move| root_move.with_tablebase(line.score));
            // A mate that was found ranks by its score, whatever its tier.
            Reverse((reported, root_move.and_then(|root_move| root_move.tier), line.score))
        });
        self.found = std::mem::replace(&mut self.lines, lines);
        self.found.clear();
    }

    /// Replaces the lines of the last depth by this one.
    pub(super) fn adopt_line(&mut self, line: ScoredLine) {
        self.lines.clear();
        self.lines.push(line);
    }

    /// Ends an aborted depth. Returns whether the lines changed.
    ///
    /// With one line wanted, a line of this depth that raised alpha is the best move with the most
    /// depth behind it. This includes a fail-high line whose re-search was aborted. With several
    /// lines, those of the last depth belong together and stay. Before the first depth is complete,
    /// the line is the first move with the score `fallback`, if there is one.
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
            let first = self.moves.iter().find(|root_move| root_move.tier == best);
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

    /// Returns the root of the start position after a line that failed high at depth 5.
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
