//! The pool of search threads, and how a search is stopped.
//!
//! Lazy SMP: every thread searches the same root on its own, and they help each other through the shared transposition
//! table. The first thread watches the clock, reports, hears what the others found, and answers. Threads live as long as
//! the pool; each keeps its history tables from search to search.
//!
//! Worth of a second thread: 126 ± 26 Elo at 1+0.01 (2026-11-21, docs/strength.md).
//!
//! Source: <https://www.chessprogramming.org/Lazy_SMP>

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::report::{Info, Outcome, Reporter, SearchEvent};
use super::root::ScoredLine;
use super::time::{Clock, Instant};
use super::tt::{TranspositionTable, TtError};
use super::{SearchRequest, Searcher, ThreadMemory};

/// The stack of a thread that searches: room for the longest line with every frame at its largest, several times over.
pub const STACK_BYTES: usize = 16 << 20;
const DEFAULT_HASH_MIB: usize = 16;

/// Tells one search to stop, or that the move pondered on was played. Each search has its own, so that a late command
/// can never stop the next one, nor an early one be lost.
pub(super) struct StopFlag {
    is_stopped: AtomicBool,
    is_ponder_search: bool,
    ponder_hit: OnceLock<Instant>,
    /// Held while the state changes, so that a sleeper misses no change.
    gate: Mutex<()>,
    changed: Condvar,
}

impl StopFlag {
    pub(super) fn new(is_ponder_search: bool) -> Self {
        Self {
            is_stopped: AtomicBool::new(false),
            is_ponder_search,
            ponder_hit: OnceLock::new(),
            gate: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    /// Whether the opponent has not moved yet.
    pub(super) fn is_pondering(&self) -> bool {
        self.is_ponder_search && self.ponder_hit.get().is_none()
    }

    /// When the opponent made the move expected.
    pub(super) fn ponder_hit(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }

    fn change(&self, change: impl FnOnce()) {
        // The mutex guards no data, so a panic elsewhere leaves nothing broken.
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.change(|| self.is_stopped.store(true, Relaxed));
    }

    fn hit(&self) {
        // A second ponderhit changes nothing.
        self.change(|| {
            self.ponder_hit.get_or_init(Instant::now);
        });
    }

    /// Sleeps until an answer may be given.
    fn wait_for_leave(&self, is_infinite: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (is_infinite || self.is_pondering()) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The reins of one search. Dropping them stops nothing.
#[derive(Clone)]
pub struct SearchHandle(Arc<StopFlag>);

impl SearchHandle {
    /// Ends the search; the answer follows at once.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Says that the opponent made the move pondered on: the clock runs from now.
    pub fn ponder_hit(&self) {
        self.0.hit();
    }
}

/// One thread's node count, on a cache line (and its neighbour) of its own.
#[repr(align(128))]
struct NodeCounter(AtomicU64);

/// What the threads of one search share.
pub(super) struct SharedState {
    pub(super) request: SearchRequest,
    pub(super) tt: Arc<TranspositionTable>,
    pub(super) stop: Arc<StopFlag>,
    counters: Box<[NodeCounter]>,
    tb_hits: AtomicU64,
}

impl SharedState {
    /// The state of a search on so many threads.
    pub(super) fn new(
        request: SearchRequest,
        tt: Arc<TranspositionTable>,
        stop: Arc<StopFlag>,
        threads: usize,
    ) -> Self {
        let counters = (0..threads).map(|_| NodeCounter(AtomicU64::new(0))).collect();
        let tb_hits = AtomicU64::new(request.known_moves.len() as u64);
        Self { request, tt, stop, counters, tb_hits }
    }

    /// Prepares for another search of one thread, once its request is in place.
    pub(super) fn restart(&mut self) {
        self.counters.iter_mut().for_each(|counter| *counter.0.get_mut() = 0);
        *self.tb_hits.get_mut() = self.request.known_moves.len() as u64;
        self.tt.new_search();
    }

    /// Lets the others see how many nodes a thread has searched. It is the only one to write its counter.
    pub(super) fn publish_nodes(&self, id: usize, nodes: u64) {
        self.counters[id].0.store(nodes, Relaxed);
    }

    /// Counts a position that the tablebases knew: rare enough for one counter.
    pub(super) fn count_tb_hit(&self) {
        self.tb_hits.fetch_add(1, Relaxed);
    }

    /// Positions that the tablebases knew, in all threads.
    pub(super) fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Relaxed)
    }

    /// Nodes searched by all threads, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// What a thread is to do.
enum Job {
    Search(Arc<SharedState>, Role),
    /// Forget the histories, and empty this thread's part of the table. Done when the sender is dropped.
    Clear(Arc<Clearing>, Sender<()>),
}

enum Role {
    /// Watches the clock and answers, when all helpers have told their lines or dropped their senders.
    Main(Reporter, Receiver<ScoredLine>),
    Helper(Sender<ScoredLine>),
}

/// What all threads are to empty together.
struct Clearing {
    tt: Arc<TranspositionTable>,
    threads: usize,
    with_histories: bool,
}

/// A thread of the pool; it ends when dropped.
struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn spawn(id: usize) -> io::Result<Self> {
        let (sender, jobs) = unbounded();
        let thread = thread::Builder::new()
            .name(format!("search-{id}"))
            .stack_size(STACK_BYTES)
            .spawn(move || work(id, &jobs))?;
        Ok(Self { jobs: Some(sender), thread: Some(thread) })
    }

    fn give(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            jobs.send(job).expect("a worker lives as long as its sender");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A worker that panicked has said so already.
            let _ = thread.join();
        }
    }
}

/// The life of a thread.
fn work(id: usize, jobs: &Receiver<Job>) {
    let mut memory = None;
    for job in jobs {
        match job {
            Job::Search(shared, Role::Main(reporter, helpers)) => {
                lead(&shared, &mut memory, &reporter, &helpers);
            }
            Job::Search(shared, Role::Helper(done)) => {
                let line = help(&shared, &mut memory, id);
                drop(shared);
                // There is room for every helper's line.
                line.into_iter().for_each(|line| _ = done.send(line));
            }
            Job::Clear(clearing, done) => {
                if clearing.with_histories
                    && let Some(memory) = &mut memory
                {
                    memory.histories.clear();
                }
                clearing.tt.clear_part(id, clearing.threads);
                drop(done);
            }
        }
    }
}

/// Searches as the main thread, and answers when it may and all are done.
fn lead(
    shared: &SharedState,
    memory: &mut Option<ThreadMemory>,
    reporter: &Reporter,
    helpers: &Receiver<ScoredLine>,
) {
    let clock = Clock::managed(&shared.request);
    let mut searcher = Searcher::new(shared, memory.take(), clock, Some(reporter), 0);
    searcher.iterate();
    shared.stop.wait_for_leave(shared.request.limits.infinite);
    shared.stop.stop();
    searcher.vote(helpers.iter());
    // Waiting for the helpers takes time too.
    searcher.log_overrun();
    let outcome = searcher.outcome();
    *memory = Some(searcher.into_memory());
    reporter.send(SearchEvent::Finished(outcome));
}

/// Searches until told to stop: the line found, if there is one. The answer waits for this, so a thread that gets its turn
/// too late has none.
fn help(shared: &SharedState, memory: &mut Option<ThreadMemory>, id: usize) -> Option<ScoredLine> {
    if shared.stop.is_stopped() {
        return None;
    }
    let mut searcher = Searcher::new(shared, memory.take(), Clock::Follower, None, id);
    searcher.iterate();
    let line = searcher.root.lines().first().cloned();
    *memory = Some(searcher.into_memory());
    line
}

/// The threads that search, and the table they share.
pub struct SearchPool {
    workers: Vec<Worker>,
    tt: Arc<TranspositionTable>,
    /// Stops the last search that was started.
    last: Option<SearchHandle>,
}

impl SearchPool {
    /// A pool of `threads` threads, at least one, with a table of 16 MiB.
    ///
    /// # Panics
    /// If the system has neither memory for that table nor room for these threads.
    pub fn new(threads: usize) -> Self {
        let tt = TranspositionTable::new(DEFAULT_HASH_MIB).expect("a small table fits");
        let mut pool = Self { workers: Vec::new(), tt: Arc::new(tt), last: None };
        pool.set_threads(threads).expect("the system starts the first threads");
        pool
    }

    /// Makes it `threads` threads, at least one. Those that stay keep their histories. No search may run.
    ///
    /// # Errors
    /// When the system starts no more threads; those started stay.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        let threads = threads.max(1);
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            self.workers.push(Worker::spawn(self.workers.len())?);
        }
        Ok(())
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Replaces the table by an empty one of `mib` MiB.
    ///
    /// # Errors
    /// When there is no room for it; the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), TtError> {
        self.tt = Arc::new(TranspositionTable::new(mib)?);
        Ok(())
    }

    /// Forgets everything, for a new game: the table and every thread's histories. Waits for a search going on.
    pub fn clear(&mut self) {
        self.clear_together(true);
    }

    /// Empties the table. Waits for a search going on.
    pub fn clear_hash(&mut self) {
        self.clear_together(false);
    }

    /// Has every thread empty its part.
    fn clear_together(&self, with_histories: bool) {
        let (tt, threads) = (self.tt.clone(), self.workers.len());
        let clearing = Arc::new(Clearing { tt, threads, with_histories });
        let (sender, done) = bounded(0);
        for worker in &self.workers {
            worker.give(Job::Clear(clearing.clone(), sender.clone()));
        }
        drop(sender);
        // Nothing is sent: this waits until every sender is dropped.
        done.iter().for_each(drop);
    }

    /// The table.
    pub fn tt(&self) -> &TranspositionTable {
        &self.tt
    }

    /// Starts a search and returns at once. Its events go to `events`, each with `generation`, the last of them being
    /// [`SearchEvent::Finished`]: not before the reins allow it, if the limits say infinite or ponder.
    pub fn start(
        &mut self,
        request: SearchRequest,
        generation: u64,
        events: Sender<(u64, SearchEvent)>,
    ) -> SearchHandle {
        let stop = Arc::new(StopFlag::new(request.limits.ponder));
        self.tt.new_search();
        let threads = self.workers.len();
        let shared = Arc::new(SharedState::new(request, self.tt.clone(), stop.clone(), threads));
        let (done, helpers) = bounded(threads);
        let reporter = Reporter::new(generation, events);
        let (main, others) = self.workers.split_first().expect("a pool has at least one thread");
        // The one that answers begins first: a thousand others may keep it from its turn.
        main.give(Job::Search(shared.clone(), Role::Main(reporter, helpers)));
        for worker in others {
            worker.give(Job::Search(shared.clone(), Role::Helper(done.clone())));
        }
        let handle = SearchHandle(stop);
        self.last = Some(handle.clone());
        handle
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        // The workers are joined: a search without end must not keep them.
        if let Some(last) = &self.last {
            last.stop();
        }
    }
}

/// Searches to the end: the answer, and every line of analysis on the way. For tests and tools.
///
/// # Panics
/// If the search panics.
pub fn run(pool: &mut SearchPool, request: SearchRequest) -> (Outcome, Vec<Info>) {
    let (sender, events) = unbounded();
    pool.start(request, 0, sender);
    let mut infos = Vec::new();
    for (_, event) in events {
        match event {
            SearchEvent::Info(info) => infos.push(info),
            SearchEvent::CurrentMove { .. } => {}
            SearchEvent::Finished(outcome) => return (outcome, infos),
        }
    }
    panic!("a search ends with its answer");
}
