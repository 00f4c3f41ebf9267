//! Time management.
//!
//! No iteration begins after the *soft* limit. It is scaled: up while the best move changes, the
//! score falls, from depth to depth or since the last move, or the effort is spread over many
//! moves, down otherwise. The *hard* limit ends the search at once.
//!
//! Source: <https://www.chessprogramming.org/Time_Management>

use std::time::Duration;

use crate::board::Board;
use crate::platform::Instant;
use crate::search::params;
use crate::search::request::{Limits, SearchOptions, SearchRequest};
use crate::types::{Depth, Move, Score};

const LOGGED_OVERRUN: Duration = Duration::from_millis(5);
/// Longest wait for the helpers' lines after the end of a search. Helpers that the system has
/// suspended miss the vote.
const VOTE_TIME: Duration = Duration::from_millis(20);
/// Wait after a fixed time for the move, which leaves the move overhead.
const SHORT_VOTE_TIME: Duration = Duration::from_millis(1);
/// Time that a thread may need to run again after it has waited, on a busy machine.
const WAKE_TIME: Duration = Duration::from_millis(5);
/// Longest time between two polls of a running thread, which polls several times a millisecond.
/// During a longer one, a pause, the system has suspended it.
const RUNNING_GAP: Duration = Duration::from_millis(1);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    /// Soft limit before scaling.
    pub(crate) soft: Duration,
    pub(crate) hard: Duration,
    /// True for a fixed time for the move, used up in any case.
    pub(crate) is_fixed: bool,
}

impl Budget {
    /// Returns the limits for the side to move, less the move overhead; `None` without a limit.
    pub(crate) fn new(limits: &Limits, board: &Board, options: &SearchOptions) -> Option<Self> {
        let overhead = options.move_overhead;
        let for_move = limits.move_time.map(|time| {
            let usable = time.saturating_sub(overhead);
            Self { soft: usable, hard: usable, is_fixed: true }
        });
        let from_clock = limits.clock(board.side_to_move()).map(|(time, increment)| {
            let gain = permille(increment, params::tm_increment());
            let period = Period::new(limits.moves_to_go, board.fullmove_number());
            Self::from_clock(time.saturating_sub(overhead), gain, &period, options.ponder)
        });
        match (for_move, from_clock) {
            (Some(fixed), Some(clock)) => {
                let tighter = if clock.soft < fixed.soft { clock } else { fixed };
                Some(Self { hard: fixed.hard.min(clock.hard), ..tighter })
            }
            (fixed, clock) => fixed.or(clock),
        }
    }

    /// Divides `time`, from which the caller has deducted the overhead, by the number of moves.
    /// Each move adds `gain`. Pondering saves time on predicted moves, so the budget is larger.
    fn from_clock(time: Duration, gain: Duration, period: &Period, ponders: bool) -> Self {
        let limit = permille(time, period.max_share);
        let ponder_factor = if ponders { params::tm_ponder() } else { 1000 };
        let soft = permille((time / period.moves).saturating_add(gain), ponder_factor).min(limit);
        let hard = permille(soft, period.hard_factor).min(limit);
        Self { soft, hard, is_fixed: false }
    }
}

/// Division of the time on the clock among the moves.
struct Period {
    /// Number of moves that it has to last for.
    moves: u32,
    /// Hard limit in permille of the soft one.
    hard_factor: i32,
    /// Most that one move may take, in permille of the clock.
    max_share: i32,
}

impl Period {
    /// With moves to go the move number does not matter. What one of them takes the others lack, so
    /// the fewer there are, the nearer is the hard limit to the soft one.
    fn new(moves_to_go: Option<u32>, move_number: u32) -> Self {
        let (max_factor, max_share) = (params::tm_hard_factor(), params::tm_hard_share());
        match moves_to_go {
            None => Self { moves: horizon(move_number), hard_factor: max_factor, max_share },
            Some(..=1) => {
                Self { moves: 1, hard_factor: max_factor, max_share: params::tm_last_share() }
            }
            Some(moves) => {
                let moves = moves.min(horizon(0));
                let factor = params::tm_hard_base() + params::tm_hard_step() * moves as i32;
                Self { moves, hard_factor: factor.min(max_factor), max_share }
            }
        }
    }
}

/// Returns the number of moves that the remaining time has to last for.
fn horizon(move_number: u32) -> u32 {
    let played = move_number.min(1000) as i32;
    let left = params::tm_horizon() - params::tm_horizon_decay() * played / 1000;
    left.max(params::tm_horizon_end()) as u32
}

fn permille(duration: Duration, permille: i32) -> Duration {
    duration.saturating_mul(permille.max(0) as u32) / 1000
}

pub(crate) struct Iteration {
    pub(crate) depth: Depth,
    pub(crate) best: Move,
    pub(crate) score: Score,
    /// Permille of all nodes spent on the best move.
    pub(crate) effort: i32,
    pub(crate) is_forced: bool,
}

/// Measures for how long the system has suspended the thread since the ponderhit or, without one,
/// since the start.
struct PauseWatch {
    last_poll: Instant,
    sum: Duration,
}

impl PauseWatch {
    fn new(start: Instant) -> Self {
        Self { last_poll: start, sum: Duration::ZERO }
    }

    /// Adds the time since the last poll, if it is a pause.
    fn record_poll(&mut self, ponder_hit: Option<Instant>) {
        let now = Instant::now();
        if let Some(hit) = ponder_hit.filter(|&hit| hit > self.last_poll) {
            *self = Self::new(hit);
        }
        let gap = now.saturating_duration_since(self.last_poll);
        if gap > RUNNING_GAP {
            self.sum += gap;
        }
        self.last_poll = now;
    }
}

/// Decides when the main thread ends the search.
///
/// After each iteration [`finish_iteration`](Self::finish_iteration) checks the soft limit, within
/// an iteration [`is_hard_limit_reached`](Self::is_hard_limit_reached) checks the hard one. While
/// pondering no limit ends the search, but once the soft limit is reached the move is *overdue*: at
/// the ponderhit it is returned at once. A fail low cancels this
/// ([`record_fail_low`](Self::record_fail_low)), because the move may be refuted.
pub(crate) struct TimeManager {
    start: Instant,
    budget: Option<Budget>,
    nodes_per_ms: u64,
    /// Score of the search before in this game.
    last_search: Option<Score>,
    /// Best move and score of the last iteration.
    last: Option<(Move, Score)>,
    /// Consecutive iterations with the same best move.
    stability: i32,
    is_overdue: bool,
    pauses: PauseWatch,
}

impl TimeManager {
    pub(crate) fn new(
        start: Instant,
        budget: Option<Budget>,
        nodes_per_ms: u64,
        last_search: Option<Score>,
    ) -> Self {
        Self {
            start,
            budget,
            nodes_per_ms,
            last_search,
            last: None,
            stability: 0,
            is_overdue: false,
            pauses: PauseWatch::new(start),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn used_since(&self, start: Instant, nodes: u64) -> Duration {
        match nodes.checked_div(self.nodes_per_ms) {
            Some(milliseconds) => Duration::from_millis(milliseconds),
            None => start.elapsed(),
        }
    }

    /// Returns when the engine's own clock started: at the ponderhit, else at the start.
    fn turn_start(&self, ponder_hit: Option<Instant>) -> Instant {
        ponder_hit.unwrap_or(self.start)
    }

    /// Returns whether to stop now.
    pub(crate) fn is_hard_limit_reached(&self, nodes: u64, ponder_hit: Option<Instant>) -> bool {
        let Some(budget) = self.budget else { return false };
        self.is_overdue || self.used_since(self.turn_start(ponder_hit), nodes) >= budget.hard
    }

    pub(crate) fn record_poll(&mut self, ponder_hit: Option<Instant>) {
        self.pauses.record_poll(ponder_hit);
    }

    /// Returns how long to wait for the helpers' lines at the end of the search. The wait is zero
    /// if the clock has nothing left.
    pub(crate) fn vote_time(&self, ponder_hit: Option<Instant>) -> Duration {
        let Some(budget) = self.budget else { return VOTE_TIME };
        let used = self.turn_start(ponder_hit).elapsed() + WAKE_TIME;
        let min = if budget.is_fixed { SHORT_VOTE_TIME } else { Duration::ZERO };
        budget.hard.saturating_sub(used).clamp(min, VOTE_TIME)
    }

    /// Returns the time used, the limit and the sum of the pauses, if the finished search exceeded
    /// its limit by more than [`LOGGED_OVERRUN`].
    pub(crate) fn overrun(&self, ponder_hit: Option<Instant>) -> Option<[Duration; 3]> {
        let limit = self.budget?.hard;
        let used = self.turn_start(ponder_hit).elapsed();
        let is_overrun = self.nodes_per_ms == 0 && used > limit + LOGGED_OVERRUN;
        is_overrun.then_some([used, limit, self.pauses.sum])
    }

    /// Records an iteration and returns whether the soft limit is reached. Time spent pondering
    /// counts; a fixed time for the move has no soft limit.
    pub(crate) fn finish_iteration(
        &mut self,
        iteration: &Iteration,
        nodes: u64,
        is_pondering: bool,
    ) -> bool {
        let scale = self.scale(iteration);
        let Some(budget) = self.budget else { return false };
        if budget.is_fixed {
            return false;
        }
        let soft = permille(budget.soft, scale).min(budget.hard);
        let is_forced = iteration.is_forced && iteration.depth >= params::tm_min_depth();
        let is_reached = is_forced || self.used_since(self.start, nodes) >= soft;
        self.is_overdue = is_reached && is_pondering;
        is_reached && !is_pondering
    }

    /// Records that the best move failed low.
    pub(crate) fn record_fail_low(&mut self) {
        self.is_overdue = false;
    }

    /// Returns the scale of the soft limit in permille.
    fn scale(&mut self, iteration: &Iteration) -> i32 {
        let last = self.last.replace((iteration.best, iteration.score));
        let is_stable = last.is_some_and(|(best, _)| best == iteration.best);
        self.stability =
            if is_stable { (self.stability + 1).min(params::tm_stability_max()) } else { 0 };
        if iteration.depth < params::tm_min_depth() {
            return 1000;
        }
        let stability = params::tm_stability_base() - params::tm_stability_step() * self.stability;
        let loss_since =
            |score: Option<Score>| score.map_or(0, |score| score.0 - iteration.score.0);
        let depth_loss = loss_since(last.map(|(_, score)| score));
        let move_loss = loss_since(self.last_search);
        let effort = params::tm_node_base() - params::tm_node_slope() * iteration.effort / 1000;
        [
            stability,
            trend(depth_loss, params::tm_trend(), params::tm_trend_max()),
            trend(move_loss, params::tm_move_trend(), params::tm_move_trend_max()),
            effort.max(params::tm_node_min()),
        ]
        .into_iter()
        .fold(1000, |product, factor| product * factor.max(0) / 1000)
    }
}

/// Returns the factor in permille for a score that has lost this many hundredths of a pawn: `slope`
/// more for each, at most `max`. Moving too early costs more than thinking for too long, so a
/// rising score saves at most half of what a falling one adds.
fn trend(loss: i32, slope: i32, max: i32) -> i32 {
    1000 + (slope * loss.clamp(-1000, 1000)).clamp(-max / 2, max)
}

/// Time control of a thread: helpers follow the stop flag of the main thread.
pub(crate) enum Clock {
    Managed(TimeManager),
    Follower,
}

impl Clock {
    pub(crate) fn managed(request: &SearchRequest) -> Self {
        let SearchRequest { board, limits, options, start, last_score, .. } = request;
        let budget = if limits.infinite { None } else { Budget::new(limits, board, options) };
        Self::Managed(TimeManager::new(*start, budget, options.nodes_time, *last_score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, ColorMap};

    const MS: Duration = Duration::from_millis(1);

    fn clocks(time: u32, increment: u32, moves_to_go: Option<u32>) -> Limits {
        Limits {
            time: ColorMap::filled(Some(MS * time)),
            increment: ColorMap::filled(MS * increment),
            moves_to_go,
            ..Limits::default()
        }
    }

    fn options(overhead: u32) -> SearchOptions {
        SearchOptions {
            move_overhead: MS * overhead,
            ponder: overhead == 20,
            ..SearchOptions::default()
        }
    }

    fn board(side: Color, move_number: u32) -> Board {
        let letter = if side == Color::White { 'w' } else { 'b' };
        let fen = format!("4k3/8/8/8/8/8/4P3/4K3 {letter} - - 0 {move_number}");
        Board::from_fen(&fen).expect("a legal position")
    }

    fn budget(limits: &Limits, side: Color, overhead: u32) -> Option<Budget> {
        Budget::new(limits, &board(side, 1), &options(overhead))
    }

    #[test]
    fn a_budget_never_exceeds_the_clock() {
        let times = [0, 1, 5, 20, 21, 50, 200, 1000, 60_000, 7_200_000, u32::MAX];
        let increments = [0, 1, 2, 10, 1000, 60_000, u32::MAX];
        let moves = [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)];
        for (time, increment) in times.into_iter().flat_map(|t| increments.map(|i| (t, i))) {
            for (moves_to_go, (overhead, number)) in moves
                .into_iter()
                .flat_map(|m| [(0, 1), (20, 30), (20, u16::MAX), (5000, 1)].map(|o| (m, o)))
            {
                let limits = clocks(time, increment, moves_to_go);
                let board = board(Color::White, number.into());
                let budget = Budget::new(&limits, &board, &options(overhead)).expect("a clock");
                let usable = (MS * time).saturating_sub(MS * overhead);
                assert!(
                    budget.soft <= budget.hard && budget.hard <= usable,
                    "{limits:?} {budget:?}"
                );
                assert!(usable.is_zero() || budget.hard < usable, "something must be left");
            }
        }
    }

    #[test]
    fn movetime_is_kept_and_combines_with_the_clock() {
        let mut limits = Limits { move_time: Some(MS * 500), ..Limits::default() };
        let budget = |limits: &Limits| budget(limits, Color::Black, 20).expect("a limit");
        assert_eq!(budget(&limits), Budget { soft: MS * 480, hard: MS * 480, is_fixed: true });
        limits.time[Color::Black] = Some(MS * 100);
        assert!(budget(&limits).hard < MS * 80 && !budget(&limits).is_fixed);
        limits.time[Color::Black] = Some(MS * 1_000_000);
        assert_eq!(budget(&limits), Budget { soft: MS * 480, hard: MS * 480, is_fixed: true });
        limits.move_time = Some(MS * 3);
        assert_eq!(budget(&limits).hard, Duration::ZERO);
    }

    #[test]
    fn a_single_clock_or_an_increment_is_a_limit() {
        let mut limits = Limits::default();
        let hard = |limits: &Limits| budget(limits, Color::White, 1).expect("a limit").hard;
        assert_eq!(budget(&limits, Color::White, 1), None);
        limits.increment[Color::Black] = MS * 100;
        assert!(hard(&limits) < MS * 100);
        limits.time[Color::Black] = Some(MS * 1000);
        assert!(hard(&limits) < MS * 1000);
    }

    #[test]
    fn the_horizon_shrinks_with_the_move_number() {
        let soft = |number| {
            let board = board(Color::White, number);
            Budget::new(&clocks(60_000, 0, None), &board, &options(0)).expect("a clock").soft
        };
        assert!(soft(1) < soft(20) && soft(20) < soft(40));
        assert_eq!(soft(u32::from(u16::MAX)), soft(1000));
    }

    #[test]
    fn moves_to_go_divide_the_clock_whatever_the_move_number() {
        let to_go = |moves, number| {
            let limits = clocks(60_000, 0, Some(moves));
            Budget::new(&limits, &board(Color::White, number), &options(0)).expect("a clock")
        };
        assert_eq!(to_go(3, 1).soft, MS * 20_000);
        assert_eq!(to_go(30, 1), to_go(30, 71));
        let factor = |moves| to_go(moves, 1).hard.div_duration_f64(to_go(moves, 1).soft);
        assert!(factor(30) > factor(20) && factor(20) > factor(10));
        assert!(factor(10) * 10.0 < 30.0, "one move of ten takes less than three tenths");
    }

    #[test]
    fn helpers_are_not_waited_for_without_time_on_the_clock() {
        let vote_time = |limits: &Limits| {
            TimeManager::new(Instant::now(), budget(limits, Color::White, 20), 0, None)
                .vote_time(None)
        };
        assert_eq!(vote_time(&clocks(10, 1, None)), Duration::ZERO);
        assert_eq!(vote_time(&clocks(60_000, 0, None)), VOTE_TIME);
        assert_eq!(vote_time(&Limits::default()), VOTE_TIME);
        let fixed = Limits { move_time: Some(MS), ..Limits::default() };
        assert_eq!(vote_time(&fixed), SHORT_VOTE_TIME);
    }

    #[test]
    fn pauses_count_from_the_ponderhit_on() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds));
        let start = ago(10).expect("the clock has run for longer");
        let mut pauses = PauseWatch::new(start);
        pauses.record_poll(None);
        assert!(pauses.sum >= Duration::from_secs(10));
        pauses.last_poll = start;
        pauses.record_poll(ago(1));
        assert!((Duration::from_secs(1)..Duration::from_secs(10)).contains(&pauses.sum));
    }

    /// Returns whether the soft limit of this budget is reached after an iteration that
    /// ended at this time.
    fn stops_after(budget: Budget, milliseconds: u64, iteration: &Iteration) -> bool {
        let mut manager = TimeManager::new(Instant::now(), Some(budget), 1, None);
        manager.finish_iteration(iteration, milliseconds, false)
    }

    #[test]
    fn a_forced_move_uses_time_only_if_it_is_fixed() {
        let best = Move::from_bits(1).expect("a move");
        let forced = Iteration { depth: 10, best, score: Score(0), effort: 1000, is_forced: true };
        // Last move before the time control: the limits are equal, but the time is not fixed.
        let last = budget(&clocks(1000, 0, Some(1)), Color::White, 0).expect("a clock");
        assert_eq!((last.soft, last.is_fixed), (last.hard, false));
        assert!(stops_after(last, 1, &forced));
        let fixed = Budget { is_fixed: true, ..last };
        assert!(!stops_after(fixed, 1, &forced));
        let manager = TimeManager::new(Instant::now(), Some(fixed), 1, None);
        assert!(manager.is_hard_limit_reached(900, None));
    }

    #[test]
    fn movetime_runs_from_the_ponderhit() {
        let best = Move::from_bits(1).expect("a move");
        let iteration =
            Iteration { depth: 10, best, score: Score(0), effort: 500, is_forced: false };
        let limits = Limits { move_time: Some(MS * 5_000), ..Limits::default() };
        let budget = budget(&limits, Color::White, 0).expect("a time");
        let start = Instant::now();
        let long_ago = start.checked_sub(MS * 6_000).expect("the clock began before");
        let mut manager = TimeManager::new(long_ago, Some(budget), 0, None);
        assert!(!manager.finish_iteration(&iteration, 1, true), "it ponders");
        assert!(!manager.finish_iteration(&iteration, 1, false), "the opponent has moved");
        assert!(!manager.is_hard_limit_reached(1, Some(start)));
        assert!(manager.is_hard_limit_reached(1, None), "without pondering time would be over");
    }

    #[test]
    fn the_search_ends_at_the_ponderhit_if_its_time_is_used_up() {
        let best = Move::from_bits(1).expect("a move");
        let iteration =
            Iteration { depth: 10, best, score: Score(0), effort: 500, is_forced: false };
        let budget = budget(&clocks(1000, 0, None), Color::White, 0).expect("a clock");
        let mut manager = TimeManager::new(Instant::now(), Some(budget), 1, None);
        assert!(!manager.finish_iteration(&iteration, 1, true));
        assert!(!manager.is_hard_limit_reached(1, Some(Instant::now())), "there is time left");
        assert!(!manager.finish_iteration(&iteration, 10_000, true), "no answer yet");
        assert!(manager.is_overdue && manager.is_hard_limit_reached(0, Some(Instant::now())));
        manager.record_fail_low();
        assert!(!manager.is_hard_limit_reached(0, Some(Instant::now())), "the move is refuted");
    }

    #[test]
    fn unclear_positions_get_more_time() {
        let manager = |last| TimeManager::new(Instant::now(), None, 0, last);
        let best = Move::from_bits(1).expect("a move");
        let iteration = |score, effort| Iteration {
            depth: 10,
            best,
            score: Score(score),
            effort,
            is_forced: false,
        };
        let (mut clear, mut unclear) = (manager(Some(Score(20))), manager(None));
        for _ in 0..10 {
            clear.scale(&iteration(20, 950));
        }
        unclear.scale(&iteration(20, 300));
        assert!(clear.scale(&iteration(20, 950)) < 700);
        assert!(unclear.scale(&iteration(-40, 300)) > 1700);
        let mut worse = manager(Some(Score(60)));
        assert!(worse.scale(&iteration(20, 500)) > manager(None).scale(&iteration(20, 500)));
    }
}
