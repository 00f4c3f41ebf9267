//! Pool of search threads (lazy SMP).
//!
//! All threads search the same root independently and share the TT. The main thread also watches
//! the clock, reports, collects the helpers' lines and returns the best move. On a host without
//! threads the pool has one [`LocalWorker`].
//!
//! Source: <https://www.chessprogramming.org/Lazy_SMP>

use std::io;
use std::iter;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use thiserror::Error;

use crate::platform::{HAS_THREADS, Room};
use crate::search::node::{Searcher, ThreadMemory};
use crate::search::report::{Outcome, Reporter, SearchEvent};
use crate::search::request::SearchRequest;
use crate::search::state::{Clock, RootMoves, ScoredLine, SharedState, StopFlag};
use crate::search::tt::{TranspositionTable, TtError};
use crate::types::Score;

use super::local_worker::LocalWorker;

/// Stack size of a search thread: several times what the longest line needs.
pub const STACK_BYTES: usize = 16 << 20;
const DEFAULT_HASH_MIB: usize = 16;
/// Threads that search at the same time, for each processor. More would delay the one that watches
/// the clock (docs/reliability.md).
const SEARCHING_PER_PROCESSOR: usize = 8;

/// Reason why a pool cannot be created.
#[derive(Debug, Error)]
pub enum PoolError {
    /// The threads cannot be started.
    #[error("threads: {0}")]
    Threads(io::Error),
    /// The TT cannot be allocated.
    #[error("hash: {0}")]
    Hash(TtError),
    /// There is no room for the rest of the engine.
    #[error("memory: {0}")]
    Memory(io::Error),
}

/// Handle to a running search. Dropping it does not stop the search.
#[derive(Clone)]
pub struct SearchHandle {
    flag: Arc<StopFlag>,
    /// `None` if threads search.
    local: Option<LocalWorker>,
}

impl SearchHandle {
    /// Stops the search at once.
    pub fn stop(&self) {
        self.flag.stop();
    }

    /// Signals that the opponent played the predicted move. The clock runs from now.
    pub fn ponder_hit(&self) {
        self.flag.record_ponder_hit();
    }

    /// Searches on the calling thread if the host has no threads; otherwise does nothing. `pulse`
    /// is called at least every 512 nodes.
    ///
    /// Afterwards the search has sent all its events, except the last one of an infinite or ponder
    /// search without `stop` or `ponderhit`: a call after these sends it.
    ///
    /// `pulse` may stop the search, but must not use the pool.
    pub fn search_here(&self, pulse: &mut dyn FnMut()) {
        if let Some(local) = &self.local {
            local.run(pulse);
        }
    }
}

enum WorkerJob {
    Search(Arc<SharedState>, Reporter, Role),
    /// Clears the histories if the flag is set. The sender is dropped at the end.
    Clear(bool, Sender<()>),
}

enum Role {
    /// Watches the clock and returns the move, after the helpers have sent their lines or
    /// dropped their senders, or after the time for the vote.
    Main(Receiver<ScoredLine>),
    Helper(Sender<ScoredLine>),
}

/// Thread of the pool, joined on drop.
struct Worker {
    jobs: Option<Sender<WorkerJob>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn spawn(id: usize) -> io::Result<Self> {
        let memory = ThreadMemory::new()?;
        // All threads may grow during a search.
        Room::ensure(STACK_BYTES + (id + 1) * ThreadMemory::MAX_GROWTH)?;
        let (sender, jobs) = unbounded();
        let (starting, started) = bounded::<()>(0);
        let run = move || {
            drop(starting);
            worker_loop(id, &jobs, memory);
        };
        let thread = thread::Builder::new()
            .name(format!("search-{id}"))
            .stack_size(STACK_BYTES)
            .spawn(run)?;
        // Nothing is sent: the sender is dropped when the thread has allocated its memory, so that
        // the room for the next one can be checked.
        let _ = started.recv();
        Ok(Self { jobs: Some(sender), thread: Some(thread) })
    }

    fn give(&self, job: WorkerJob) {
        if let Some(jobs) = &self.jobs {
            jobs.send(job).expect("a worker lives as long as its sender");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Panics of its jobs are caught.
            let _ = thread.join();
        }
    }
}

fn worker_loop(id: usize, jobs: &Receiver<WorkerJob>, memory: ThreadMemory) {
    let mut memory = Some(memory);
    // Clearing histories that are still empty would use their memory.
    let mut has_searched = false;
    for job in jobs {
        match job {
            WorkerJob::Search(shared, reporter, Role::Main(helpers)) => {
                has_searched = true;
                let search = || run_main(&shared, &mut memory, &reporter, &helpers);
                let outcome = caught(id, &reporter, search).unwrap_or_else(|| {
                    shared.stop.wait_until_released(shared.request.limits.infinite);
                    shared.stop.stop();
                    without_search(&shared)
                });
                drop(shared);
                reporter.send(SearchEvent::Finished(outcome));
            }
            WorkerJob::Search(shared, reporter, Role::Helper(done)) => {
                has_searched = true;
                let search = || run_helper(&shared, &mut memory, id);
                let line = caught(id, &reporter, search).flatten();
                drop(shared);
                // The channel has room for every helper's line.
                line.into_iter().for_each(|line| _ = done.send(line));
            }
            WorkerJob::Clear(with_histories, done) => {
                if with_histories
                    && std::mem::take(&mut has_searched)
                    && let Some(memory) = &mut memory
                {
                    memory.histories.clear();
                }
                drop(done);
            }
        }
    }
}

/// Runs a part of a search. Reports a panic and returns `None`.
///
/// After a panic only state that cannot be half changed may be used: the request, the signals, the
/// TT (entries of single words) and the lines of the last completed depth (replaced as a whole).
fn caught<T>(id: usize, reporter: &Reporter, part: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(part))
        .map_err(|payload| {
            let owned = payload.downcast_ref::<String>().map(String::as_str);
            let text = owned.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            // The report must be one line.
            let message = text.replace('\n', ";");
            reporter.send(SearchEvent::Panicked { thread: id, message });
        })
        .ok()
}

/// Returns the first root move, for a search that could not begin.
fn without_search(shared: &SharedState) -> Outcome {
    let mut root = RootMoves::new(&shared.request);
    root.abandon_depth(true, Some(Score::DRAW));
    let best = root.lines().first().map(ScoredLine::best);
    Outcome { best, ponder: None, score: Score::DRAW, nodes: shared.nodes() }
}

/// Runs the main thread's search and the vote. After a panic its memory may be damaged and is
/// dropped.
fn run_main(
    shared: &SharedState,
    memory: &mut Option<ThreadMemory>,
    reporter: &Reporter,
    helpers: &Receiver<ScoredLine>,
) -> Outcome {
    let clock = Clock::managed(&shared.request);
    let mut searcher =
        Searcher::new(shared, ThreadMemory::kept_or_new(memory), clock, Some(reporter), 0);
    let end = caught(0, reporter, || searcher.iterate());
    if end.is_none() && searcher.root.abandon_depth(false, Some(Score::DRAW)) {
        searcher.report_lines();
    }
    shared.stop.wait_until_released(shared.request.limits.infinite);
    shared.stop.stop();
    let vote_time = searcher.vote_time();
    if vote_time.is_zero() {
        // Even after its deadline, a receiver that waits yields the processor first.
        searcher.vote(helpers.try_iter());
    } else {
        let deadline = Instant::now() + vote_time;
        searcher.vote(iter::from_fn(|| helpers.recv_deadline(deadline).ok()));
    }
    // Waiting for the helpers counts too.
    searcher.log_overrun();
    let outcome = searcher.outcome();
    *memory = end.map(|()| searcher.into_memory());
    outcome
}

/// Searches as a helper. Returns at once if the search was stopped, because the main thread waits.
fn run_helper(
    shared: &SharedState,
    memory: &mut Option<ThreadMemory>,
    id: usize,
) -> Option<ScoredLine> {
    if shared.stop.is_stopped() {
        return None;
    }
    let own = ThreadMemory::kept_or_new(memory);
    let mut searcher = Searcher::new(shared, own, Clock::Follower, None, id);
    searcher.iterate();
    let line = searcher.root.lines().first().cloned();
    *memory = Some(searcher.into_memory());
    line
}

/// Pool of search threads with their shared TT.
pub struct SearchPool {
    /// Empty if there is a local worker.
    workers: Vec<Worker>,
    local: Option<LocalWorker>,
    max_searching: usize,
    tt: Arc<TranspositionTable>,
    last: Option<SearchHandle>,
}

impl SearchPool {
    /// Creates a pool of `threads` threads, at least one, with a TT of 16 MiB.
    ///
    /// # Panics
    /// If [`with_hash`](Self::with_hash) returns an error.
    pub fn new(threads: usize) -> Self {
        Self::with_hash(threads, DEFAULT_HASH_MIB).expect("the system has room for a small pool")
    }

    /// Creates a pool of `threads` threads, at least one, with a TT of `mib` MiB.
    ///
    /// # Errors
    /// If the system has no memory for it or cannot start the threads.
    pub fn with_hash(threads: usize, mib: usize) -> Result<Self, PoolError> {
        Self::with_workers(threads, mib, HAS_THREADS)
    }

    pub(crate) fn with_workers(
        threads: usize,
        mib: usize,
        has_threads: bool,
    ) -> Result<Self, PoolError> {
        let tt = TranspositionTable::new(mib).map_err(PoolError::Hash)?;
        let processors = thread::available_parallelism().map_or(usize::MAX, usize::from);
        let max_searching = processors.saturating_mul(SEARCHING_PER_PROCESSOR);
        let local =
            if has_threads { None } else { Some(LocalWorker::new().map_err(PoolError::Memory)?) };
        let mut pool =
            Self { workers: Vec::new(), local, max_searching, tt: Arc::new(tt), last: None };
        pool.set_threads(threads).map_err(PoolError::Threads)?;
        Ok(pool)
    }

    /// Sets the number of threads, at least one. Remaining ones keep their histories. No search may
    /// be running.
    ///
    /// # Errors
    /// If the system cannot start a thread or has no memory for it; those already started stay.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        if self.local.is_some() {
            return if threads <= 1 { Ok(()) } else { Err(io::ErrorKind::Unsupported.into()) };
        }
        let wanted = threads.max(1);
        let kept = wanted.min(self.workers.len());
        end_together(&mut self.workers[kept..]);
        self.workers.truncate(kept);
        // The system counts memory only once it is used, so the new threads are checked together.
        let room = Room::for_request((wanted as u64).saturating_mul(ThreadMemory::MAX_BYTES));
        let max_threads = kept.saturating_add(room.parts_of(ThreadMemory::MAX_BYTES));
        while self.workers.len() < wanted {
            if self.workers.len() >= max_threads {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            self.workers.push(Worker::spawn(self.workers.len())?);
        }
        Ok(())
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        // A local worker counts as one.
        self.workers.len().max(1)
    }

    /// Returns the number of threads that take part in a search.
    pub fn searching(&self) -> usize {
        self.threads().min(self.max_searching)
    }

    /// Replaces the TT by an empty one of `mib` MiB. Waits for a running search.
    ///
    /// The old TT is dropped first, so that there need not be room for both. All processors touch a
    /// large new one, so that the next search does not wait for its pages.
    ///
    /// # Errors
    /// If there is not enough memory. The TT then has its old size or, failing that, the smallest.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), TtError> {
        let smallest = Arc::new(TranspositionTable::new(1)?);
        let old = std::mem::replace(&mut self.tt, smallest);
        // Helpers that finish late do not use the old TT after this.
        self.clear_hash();
        let old_mib = old.mib();
        drop(old);
        let result = self.replace_hash(mib);
        if result.is_err() {
            // Only the first error is returned.
            let _ = self.replace_hash(old_mib);
        }
        if !self.tt.is_small() {
            self.clear_hash();
        }
        result
    }

    fn replace_hash(&mut self, mib: usize) -> Result<(), TtError> {
        self.tt = Arc::new(TranspositionTable::new(mib)?);
        Ok(())
    }

    /// Clears the TT and the histories of all threads, for a new game. Waits for a running search.
    pub fn clear(&mut self) {
        self.clear_together(true);
    }

    /// Clears the TT. Waits for a running search.
    pub fn clear_hash(&mut self) {
        self.clear_together(false);
    }

    fn clear_together(&self, with_histories: bool) {
        if let Some(local) = &self.local {
            if with_histories {
                local.clear_histories();
            }
            return self.tt.clear();
        }
        let (sender, done) = bounded(0);
        for worker in &self.workers {
            worker.give(WorkerJob::Clear(with_histories, sender.clone()));
        }
        drop(sender);
        // Nothing is sent: this waits until all senders are dropped.
        done.iter().for_each(drop);
        self.clear_hash_on_all_processors();
    }

    /// Clears the TT, a part of it on each processor, whatever the number of workers.
    fn clear_hash_on_all_processors(&self) {
        let parts = if self.tt.is_small() {
            1
        } else {
            thread::available_parallelism().map_or(1, usize::from)
        };
        thread::scope(|scope| {
            for index in 1..parts {
                let clear = move || self.tt.clear_part(index, parts);
                if thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    // The system has no room for another thread.
                    clear();
                }
            }
            self.tt.clear_part(0, parts);
        });
    }

    /// Returns the transposition table.
    pub fn tt(&self) -> &TranspositionTable {
        &self.tt
    }

    /// Starts a search and returns at once.
    ///
    /// Its events go to `events` with `generation`. The last one is [`SearchEvent::Finished`],
    /// except for panics of late helpers. An infinite or ponder search sends it after the handle's
    /// stop or ponderhit.
    pub fn start(
        &mut self,
        request: SearchRequest,
        generation: u64,
        events: Sender<(u64, SearchEvent)>,
    ) -> SearchHandle {
        let stop = Arc::new(StopFlag::new(request.limits.ponder));
        self.tt.new_search();
        let threads = self.searching();
        let shared = Arc::new(SharedState::new(request, self.tt.clone(), stop.clone(), threads));
        let reporter = Reporter::new(generation, events);
        let handle = SearchHandle { flag: stop, local: self.local.clone() };
        self.last = Some(handle.clone());
        if let Some(local) = &self.local {
            local.start(shared, reporter);
            return handle;
        }
        let (done, helpers) = bounded(threads);
        let (main, others) = self.workers[..threads].split_first().expect("there is a thread");
        // The main thread is first, because many helpers may delay it.
        main.give(WorkerJob::Search(shared.clone(), reporter.clone(), Role::Main(helpers)));
        for worker in others {
            let role = Role::Helper(done.clone());
            worker.give(WorkerJob::Search(shared.clone(), reporter.clone(), role));
        }
        handle
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        // The workers are joined, so an infinite search has to be stopped.
        if let Some(last) = &self.last {
            last.stop();
        }
        end_together(&mut self.workers);
    }
}

/// Ends the threads all at once; dropping a worker joins its thread.
fn end_together(workers: &mut [Worker]) {
    workers.iter_mut().for_each(|worker| worker.jobs = None);
}
