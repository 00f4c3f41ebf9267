//! Searches that the caller waits for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::unbounded;

use crate::search::report::{Info, Outcome, SearchEvent};
use crate::search::request::SearchRequest;

use super::threads::SearchPool;

/// Interval at which the stop flag is read.
const STOP_POLL: Duration = Duration::from_millis(20);

/// Searches to the end and returns the outcome and all lines, for tests and tools.
///
/// # Panics
/// If the search panics.
pub fn run(pool: &mut SearchPool, request: SearchRequest) -> (Outcome, Vec<Info>) {
    run_until(pool, request, &AtomicBool::new(false))
}

/// Searches as [`run`] does, and ends early when the flag is set.
///
/// # Panics
/// If the search panics.
pub fn run_until(
    pool: &mut SearchPool,
    request: SearchRequest,
    stop: &AtomicBool,
) -> (Outcome, Vec<Info>) {
    let (sender, events) = unbounded();
    let handle = pool.start(request, 0, sender);
    let stop_if_set = || {
        if stop.load(Ordering::Relaxed) {
            handle.stop();
        }
    };
    handle.search_here(&mut || stop_if_set());
    let mut infos = Vec::new();
    loop {
        // `recv_timeout` reads a clock, which a host may lack.
        match events.try_recv().or_else(|_| events.recv_timeout(STOP_POLL)) {
            Ok((_, SearchEvent::Info(info))) => infos.push(info),
            Ok((_, SearchEvent::CurrentMove { .. })) => {}
            Ok((_, SearchEvent::Panicked { thread, message })) => {
                panic!("thread {thread}: {message}")
            }
            Ok((_, SearchEvent::Finished(outcome))) => return (outcome, infos),
            Err(error) => assert!(!error.is_disconnected(), "a search ends with its answer"),
        }
        stop_if_set();
    }
}
