//! Worker of a pool on a host without threads, such as a browser.
//!
//! Its search runs on the caller's thread, when the caller asks for it. During the search it often
//! calls the *pulse*, a function of the caller that handles events and new commands.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::search::node::{Searcher, ThreadMemory};
use crate::search::report::{Outcome, Reporter, SearchEvent};
use crate::search::state::{Clock, SharedState};

/// Handle to the worker, shared by its clones.
#[derive(Clone)]
pub(crate) struct LocalWorker(Arc<Mutex<LocalState>>);

struct LocalState {
    memory: Option<ThreadMemory>,
    task: Option<LocalTask>,
}

enum LocalTask {
    Search(Arc<SharedState>, Reporter),
    /// Result of an infinite or ponder search that must not be returned yet.
    Hold(Arc<SharedState>, Reporter, Outcome),
}

impl LocalWorker {
    pub(crate) fn new() -> io::Result<Self> {
        let memory = Some(ThreadMemory::new()?);
        Ok(Self(Arc::new(Mutex::new(LocalState { memory, task: None }))))
    }

    fn state(&self) -> MutexGuard<'_, LocalState> {
        // Memory that a panic may have damaged was taken out.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn start(&self, shared: Arc<SharedState>, reporter: Reporter) {
        self.state().task = Some(LocalTask::Search(shared, reporter));
    }

    pub(crate) fn clear_histories(&self) {
        if let Some(memory) = &mut self.state().memory {
            memory.histories.clear();
        }
    }

    /// Runs the search that was started and sends its result, unless it has to be held back until
    /// `stop` or `ponderhit`: then the next call sends it.
    pub(crate) fn run(&self, pulse: &mut dyn FnMut()) {
        let mut state = self.state();
        let (shared, reporter, outcome) = match state.task.take() {
            None => return,
            Some(LocalTask::Hold(shared, reporter, outcome)) => (shared, reporter, outcome),
            Some(LocalTask::Search(shared, reporter)) => {
                let outcome = search(&shared, &mut state.memory, &reporter, pulse);
                (shared, reporter, outcome)
            }
        };
        if shared.stop.is_released(shared.request.limits.infinite) {
            drop(shared);
            reporter.send(SearchEvent::Finished(outcome));
        } else {
            state.task = Some(LocalTask::Hold(shared, reporter, outcome));
        }
    }
}

fn search(
    shared: &SharedState,
    memory: &mut Option<ThreadMemory>,
    reporter: &Reporter,
    pulse: &mut dyn FnMut(),
) -> Outcome {
    let clock = Clock::managed(&shared.request);
    let own = ThreadMemory::kept_or_new(memory);
    let mut searcher = Searcher::new(shared, own, clock, Some(reporter), 0);
    searcher.pulse = Some(pulse);
    searcher.iterate();
    searcher.log_overrun();
    let outcome = searcher.outcome();
    *memory = Some(searcher.into_memory());
    outcome
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;
    use crate::board::Board;
    use crate::search::{Limits, SearchHandle, SearchPool, SearchRequest, run};

    fn pool(has_threads: bool) -> SearchPool {
        SearchPool::with_workers(1, 1, has_threads).expect("a megabyte")
    }

    #[test]
    fn a_local_worker_searches_what_a_thread_searches() {
        let (mut local, mut threads) = (pool(false), pool(true));
        let mut board = Board::startpos();
        for mv in ["e2e4", "e7e5", "g1f3"] {
            let limits = Limits { depth: Some(10), ..Limits::default() };
            let (outcome, lines) =
                run(&mut local, SearchRequest::new(board.clone(), limits.clone()));
            let (expected, expected_lines) =
                run(&mut threads, SearchRequest::new(board.clone(), limits));
            assert_eq!(outcome, expected);
            assert_eq!(lines.len(), expected_lines.len());
            board.make_move(board.parse_move(mv).expect("legal"));
        }
        local.clear();
        threads.clear();
        let request = || {
            let limits = Limits { nodes: Some(30_000), ..Limits::default() };
            SearchRequest::new(Board::startpos(), limits)
        };
        assert_eq!(run(&mut local, request()).0, run(&mut threads, request()).0);
        assert!(local.set_threads(1).is_ok() && local.set_threads(2).is_err());
        assert_eq!(local.threads(), 1);
    }

    #[test]
    fn the_pulse_can_stop_the_search() {
        let mut pool = pool(false);
        let (sender, events) = unbounded();
        let limits = Limits { infinite: true, ..Limits::default() };
        let handle = pool.start(SearchRequest::new(Board::startpos(), limits), 0, sender);
        let mut pulses = 0;
        handle.search_here(&mut || {
            pulses += 1;
            if pulses == 100 {
                handle.stop();
            }
        });
        assert_eq!(pulses, 100);
        let last = events.try_iter().last().map(|(_, event)| event);
        assert!(matches!(last, Some(SearchEvent::Finished(Outcome { best: Some(_), .. }))));
    }

    #[test]
    fn a_result_is_held_back_until_it_may_be_returned() {
        let mate = Board::from_fen("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1").expect("a legal position");
        let is_finished = |limits: Limits, release: fn(&SearchHandle)| {
            let mut pool = pool(false);
            let (sender, events) = unbounded();
            let limits = Limits { depth: Some(2), ..limits };
            let handle = pool.start(SearchRequest::new(mate.clone(), limits), 0, sender);
            let has_ended = || {
                let is_end = |(_, event)| matches!(event, SearchEvent::Finished(_));
                events.try_iter().any(is_end)
            };
            handle.search_here(&mut || {});
            let early = has_ended();
            handle.search_here(&mut || {});
            let still_early = early || has_ended();
            release(&handle);
            handle.search_here(&mut || {});
            (still_early, has_ended())
        };
        let infinite = Limits { infinite: true, ..Limits::default() };
        assert_eq!(is_finished(infinite, SearchHandle::stop), (false, true));
        let ponder = Limits { ponder: true, ..Limits::default() };
        assert_eq!(is_finished(ponder, SearchHandle::ponder_hit), (false, true));
    }
}
