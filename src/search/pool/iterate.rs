//! Iterative deepening: searches depth after depth, so that there is always a best move.
//!
//! Each depth fills the TT and the histories for the next one.

use std::time::Duration;

use crate::search::node::{Searcher, raw_evaluation};
use crate::search::params;
use crate::search::report::{Info, Outcome, SearchEvent};
use crate::search::request::SearchRequest;
use crate::search::state::{Aborted, Clock, HidingRoot, Iteration, Line, Root, ScoredLine, Window};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

/// Bounds and current moves are reported after this time: early ones flood the output.
const DETAILS_AFTER: Duration = Duration::from_secs(3);

/// Aspiration window: a narrow window around the last score, which gives more cutoffs. It is wider
/// for larger scores, which change more from depth to depth. Each fail low or fail high widens it
/// at that side, until the score lies inside. A fail low also moves beta three quarters of the way
/// to alpha, because the score is probably well below beta.
///
/// Mates lie outside, so they end in a bound, whose line is built afterwards (`node/mate_line.rs`).
/// Only if that fails, and no nearer mate of the best move so far is claimed, is the window opened
/// for mates too.
///
/// Source: <https://www.chessprogramming.org/Aspiration_Windows>
struct AspirationWindow {
    window: Window,
    delta: i32,
}

impl AspirationWindow {
    fn new(depth: Depth, last: Option<Score>) -> Self {
        let mut aspiration = Self { window: Window::WITHOUT_MATES, delta: params::asp_delta() };
        if let Some(score) = last.filter(|_| depth >= params::asp_min_depth()) {
            aspiration.delta += score.0.saturating_mul(score.0) / params::asp_square();
            aspiration.set_alpha(score - aspiration.delta);
            aspiration.set_beta(score + aspiration.delta);
        }
        aspiration
    }

    fn set_alpha(&mut self, alpha: Score) {
        let is_open = self.delta > params::asp_max_delta() || alpha < -Score::MAX_EVAL;
        self.window.alpha = if is_open { Window::WITHOUT_MATES.alpha } else { alpha };
    }

    fn set_beta(&mut self, beta: Score) {
        let is_open = self.delta > params::asp_max_delta() || beta > Score::MAX_EVAL;
        self.window.beta = if is_open { Window::WITHOUT_MATES.beta } else { beta };
    }

    fn fail_low(&mut self, score: Score) {
        let Window { alpha, beta } = self.window;
        self.set_beta(alpha + (beta - alpha) / 4);
        self.set_alpha(score - self.delta);
        self.grow();
    }

    fn fail_high(&mut self, score: Score) {
        self.set_beta(score + self.delta);
        self.grow();
    }

    /// Opens the window for mates of the side that this score favours.
    fn admit_mates(&mut self, score: Score) {
        if score.is_win() {
            self.window.beta = Window::FULL.beta;
        } else {
            self.window.alpha = Window::FULL.alpha;
        }
    }

    fn grow(&mut self) {
        self.delta += (self.delta * params::asp_growth() / 100).max(1);
    }
}

/// Returns whether a score outside the window proves a mate of at most this length: a win that
/// fails high, or a loss that fails low.
fn proves_mate(score: Score, window: Window) -> bool {
    score.is_mate() && if score.is_win() { score >= window.beta } else { score <= window.alpha }
}

impl Searcher<'_> {
    /// Searches depth after depth until a limit is reached. The last exact PV reported then begins
    /// with the best move, because match runners compare the two.
    pub(crate) fn iterate(&mut self) {
        if self.root.len() == 0 {
            let score = self.score_without_moves();
            return self.report(0, 0, 1, score, Bound::Exact, &Line::new());
        }
        let limit = self.shared.request.limits.depth.unwrap_or(Depth::MAX);
        for depth in 1..=limit.clamp(1, MAX_PLY as Depth - 1) {
            if self.search_depth(depth) == Err(Aborted) {
                self.abandon_depth();
                break;
            }
            self.may_abort = true;
            self.next_poll = 0;
            self.report_lines();
            if self.is_done(depth) {
                break;
            }
        }
        self.shared.publish_nodes(self.id, self.nodes);
    }

    /// Records the last poll of the clock. Returns how long to wait for the helpers' lines.
    pub(crate) fn vote_time(&mut self) -> Duration {
        let hit = self.shared.stop.ponder_hit();
        let Clock::Managed(time) = &mut self.clock else { return Duration::ZERO };
        time.record_poll(hit);
        time.vote_time(hit)
    }

    pub(crate) fn log_overrun(&self) {
        let stop = &self.shared.stop;
        if !stop.is_pondering()
            && let Clock::Managed(time) = &self.clock
            && let Some([used, limit, paused]) = time.overrun(stop.ponder_hit())
        {
            log::warn!("searched {used:?} of {limit:?}, with the thread suspended for {paused:?}");
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        let line = self.root.lines().first();
        let moves = line.map(|line| &line.moves[..]).unwrap_or_default();
        Outcome {
            best: moves.first().copied(),
            ponder: moves.get(1).copied(),
            score: line.map_or_else(
                || self.score_without_moves(),
                |line| self.root.with_tablebase(line.best(), line.score),
            ),
            nodes: self.shared.nodes(),
        }
    }

    fn score_without_moves(&self) -> Score {
        if self.board.in_check() { Score::mated_in(0) } else { Score::DRAW }
    }

    /// Returns MultiPV, limited by the number of root moves, of which there must be one.
    pub(crate) fn multi_pv(&self) -> usize {
        self.shared.request.options.multi_pv.clamp(1, self.root.len())
    }

    fn search_depth(&mut self, depth: Depth) -> Result<(), Aborted> {
        self.recorder.begin_iteration(depth);
        for _ in 0..self.multi_pv() {
            self.search_line(depth)?;
        }
        self.root.finish_depth();
        Ok(())
    }

    fn search_line(&mut self, depth: Depth) -> Result<(), Aborted> {
        self.seldepth = 0;
        let last = self.root.previous().map(|line| (line.score, line.best()));
        match last {
            Some((mate, mv)) if mate.is_mate() => self.search_shorter_mate(depth, mate, mv)?,
            _ if self.build_line_of_loss(depth)? => {}
            _ => self.search_score(depth, last.map(|(score, _)| score))?,
        }
        self.root.finish_line();
        Ok(())
    }

    /// Builds the line of a mate that the line found before it proves: with it all moves are lost.
    /// A search of those that are left may have forgotten that.
    fn build_line_of_loss(&mut self, depth: Depth) -> Result<bool, Aborted> {
        let Some(loss) = self.root.found_loss() else { return Ok(false) };
        self.root.begin_window(depth);
        self.build_mate_line(loss)
    }

    fn search_root(&mut self, window: Window, depth: Depth) -> Result<Score, Aborted> {
        if self.shared.request.hidden_replies.is_empty() {
            self.alpha_beta::<Root>(window, depth, 0, false)
        } else {
            self.alpha_beta::<HidingRoot>(window, depth, 0, false)
        }
    }

    /// Searches for a shorter mate than the proven one, which begins with `mv`. Keeps its line if
    /// there is none, because the proof holds whatever this depth finds.
    ///
    /// The losing side plays another move if no shorter mate is found against it.
    fn search_shorter_mate(&mut self, depth: Depth, mate: Score, mv: Move) -> Result<(), Aborted> {
        let window = Window::above(if mate.is_win() { mate } else { mate - 1 });
        self.root.begin_window(depth);
        let score = self.search_root(window, depth)?;
        let is_found = if proves_mate(score, window) {
            self.report_bound(depth, score, window);
            self.build_mate_line(score)?
        } else if self.root.failed_high_move().is_some_and(|other| other != mv) {
            self.build_mate_line(mate)?
        } else {
            false
        };
        if !is_found {
            self.root.keep_line();
        }
        Ok(())
    }

    /// Searches for the score and its line, from a window around the last score.
    fn search_score(&mut self, depth: Depth, last: Option<Score>) -> Result<(), Aborted> {
        let mut aspiration = AspirationWindow::new(depth, last);
        let mut reduction = 0;
        loop {
            let window = aspiration.window;
            self.root.begin_window(depth);
            let score = self.search_root(window, (depth - reduction).max(1))?;
            if window.contains(score) {
                return Ok(());
            }
            self.report_bound(depth, score, window);
            if proves_mate(score, window)
                && (self.build_mate_line(score)? || self.search_nearer_mates(depth, score)?)
            {
                return Ok(());
            }
            if score <= window.alpha {
                aspiration.fail_low(score);
                self.root.fail_low();
                if self.root.covers_all_moves()
                    && !self.root.is_forced()
                    && let Clock::Managed(time) = &mut self.clock
                {
                    time.record_fail_low();
                }
                reduction = 0;
            } else {
                // The fail-high move is searched first from here on and is likely to hold
                // at less depth too.
                aspiration.fail_high(score);
                reduction = (reduction + 1).min(params::asp_max_reduction());
            }
            if score.is_mate() {
                aspiration.admit_mates(score);
            }
        }
    }

    /// Searches for nearer and nearer mates than a win whose line could not be built, until one has
    /// a line or none is found. Then the line of the last depth stays, if it begins with the same
    /// move: to prove the mate in an open window would take far longer than the next depths.
    /// Returns whether there is a line; none for a loss.
    fn search_nearer_mates(&mut self, depth: Depth, mut mate: Score) -> Result<bool, Aborted> {
        if mate.is_loss() {
            return Ok(false);
        }
        let last = self.root.previous().map(ScoredLine::best);
        let is_last = last.is_some() && self.root.failed_high_move() == last;
        loop {
            let plies = (Score::MATE - mate).0 as usize;
            let window = Window::above(Score::mate_in(plies / 2) - 1);
            self.root.begin_window(depth);
            mate = self.search_root(window, depth)?;
            if mate < window.beta {
                break;
            }
            if self.build_mate_line(mate)? {
                return Ok(true);
            }
        }
        if is_last {
            self.root.keep_line();
        }
        Ok(is_last)
    }

    fn abandon_depth(&mut self) {
        let SearchRequest { board, network, options, .. } = &self.shared.request;
        // Only the main thread must return a move.
        let fallback = match self.clock {
            Clock::Follower => None,
            Clock::Managed(_) if board.in_check() => Some(Score::DRAW),
            Clock::Managed(_) => Some(raw_evaluation(board, options, || network.evaluate(board))),
        };
        if self.root.abandon_depth(self.multi_pv() == 1, fallback) {
            self.report_lines();
        }
    }

    fn is_done(&mut self, depth: Depth) -> bool {
        let stop = &self.shared.stop;
        if stop.is_stopped() {
            return true;
        }
        let Clock::Managed(time) = &mut self.clock else { return false };
        self.shared.publish_nodes(self.id, self.nodes);
        let line = &self.root.lines()[0];
        let limits = &self.shared.request.limits;
        let mate = line.score.mate_moves().filter(|&moves| moves > 0);
        if limits.mate.zip(mate).is_some_and(|(wanted, moves)| moves as u32 <= wanted) {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| self.shared.nodes() >= soft) {
            return true;
        }
        let iteration = Iteration {
            depth,
            best: line.best(),
            score: line.score,
            effort: self.root.effort(line.best(), self.nodes),
            is_forced: self.root.is_forced(),
        };
        time.finish_iteration(&iteration, self.shared.nodes(), stop.is_pondering())
    }

    pub(crate) fn report_lines(&self) {
        for (rank, line) in self.root.lines().iter().enumerate() {
            let ScoredLine { depth, seldepth, score, ref moves } = *line;
            self.report(depth, seldepth, rank + 1, score, Bound::Exact, moves);
        }
    }

    /// Reports a fail low or fail high, of mate scores only those that prove the mate. Its line is
    /// not complete yet.
    fn report_bound(&self, depth: Depth, score: Score, window: Window) {
        let is_unproven = score.is_mate() && !proves_mate(score, window);
        if !self.reports_details() || self.multi_pv() > 1 || is_unproven {
            return;
        }
        let (bound, line) = if score <= window.alpha {
            (Bound::Upper, self.root.previous().map(|line| &line.moves))
        } else {
            (Bound::Lower, Some(self.pv.line(0)))
        };
        if let Some(line) = line {
            self.report(depth, self.seldepth, 1, score, bound, line);
        }
    }

    pub(crate) fn report_current_move(&self, mv: Move, number: usize) {
        if let Some(reporter) = self.reporter
            && self.reports_details()
        {
            reporter.send(SearchEvent::CurrentMove { depth: self.root.depth(), mv, number });
        }
    }

    fn reports_details(&self) -> bool {
        matches!(&self.clock, Clock::Managed(time) if time.elapsed() >= DETAILS_AFTER)
    }

    fn report(
        &self,
        depth: Depth,
        seldepth: usize,
        multi_pv: usize,
        score: Score,
        bound: Bound,
        pv: &Line,
    ) {
        let Some(reporter) = self.reporter else { return };
        let Clock::Managed(time) = &self.clock else { return };
        self.shared.publish_nodes(self.id, self.nodes);
        reporter.send(SearchEvent::Info(Info {
            depth,
            seldepth,
            multi_pv,
            score: pv.first().map_or(score, |&mv| self.root.with_tablebase(mv, score)),
            bound,
            nodes: self.shared.nodes(),
            time: time.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            tb_hits: self.shared.tb_hits(),
            pv: pv.clone(),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_proves_a_mate_only_on_its_side() {
        let window = Window::above(Score(20));
        for (score, is_proof) in [
            (Score::mate_in(9), true),
            (Score::mated_in(9), true),
            (Score(300), false),
            (Score::tablebase_win_in(3), false),
        ] {
            assert_eq!(proves_mate(score, window), is_proof, "{score:?}");
        }
        // Nothing shorter than a mate in nine plies, but no proof of these mates.
        assert!(!proves_mate(Score::mate_in(11), Window::above(Score::mate_in(9))));
        assert!(!proves_mate(Score::mated_in(11), Window::above(Score::mated_in(9))));
        assert!(proves_mate(Score::mate_in(7), Window::above(Score::mate_in(9))));
    }

    #[test]
    fn the_smallest_window_opens_too() {
        let mut window = AspirationWindow { window: Window::above(Score::ZERO), delta: 1 };
        for _ in 0..12 {
            assert!(window.window.alpha < window.window.beta);
            window.fail_low(window.window.alpha);
            window.fail_high(window.window.beta);
        }
        assert_eq!(window.window, Window::WITHOUT_MATES);
        window.admit_mates(Score::mate_in(9));
        window.admit_mates(Score::mated_in(9));
        assert_eq!(window.window, Window::FULL);
    }
}
