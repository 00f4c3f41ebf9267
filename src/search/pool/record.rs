//! Search of one thread that is recorded (feature `tree`).

use std::sync::Arc;
use std::thread;

use crate::search::node::{Searcher, ThreadMemory};
use crate::search::recorder::{Recorder, SearchTree};
use crate::search::report::Outcome;
use crate::search::request::SearchRequest;
use crate::search::state::{Clock, SharedState, StopFlag};
use crate::search::tt::TranspositionTable;

use super::threads::{PoolError, STACK_BYTES};

/// Searches with one thread and an empty TT of `mib` MiB, and records at most `max_nodes` nodes of
/// the last iteration. The result is that of a pool of one thread.
///
/// # Errors
/// If there is not enough memory for the TT or the thread.
///
/// # Panics
/// If `max_nodes` is 0, or the search panics.
pub fn record(
    request: SearchRequest,
    mib: usize,
    max_nodes: usize,
) -> Result<(Outcome, SearchTree), PoolError> {
    assert!(max_nodes > 0, "at least the root is recorded");
    let tt = TranspositionTable::new(mib).map_err(PoolError::Hash)?;
    let memory = ThreadMemory::new().map_err(PoolError::Threads)?;
    let stop = Arc::new(StopFlag::new(request.limits.ponder));
    let shared = SharedState::new(request, Arc::new(tt), stop, 1);
    let search = || {
        let clock = Clock::managed(&shared.request);
        let mut searcher = Searcher::new(&shared, memory, clock, None, 0);
        searcher.recorder = Recorder::new(max_nodes);
        searcher.iterate();
        let pv = searcher.root.lines().first().map(|line| line.moves.clone()).unwrap_or_default();
        (searcher.outcome(), std::mem::take(&mut searcher.recorder).into_tree(&pv))
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("record".to_owned()).stack_size(STACK_BYTES);
        let handle = thread.spawn_scoped(scope, search).map_err(PoolError::Threads)?;
        Ok(handle.join().expect("the search does not panic"))
    })
}
