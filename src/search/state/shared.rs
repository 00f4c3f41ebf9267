//! State that the threads of one search share: stop flag, node counts and the request.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use crate::platform::Instant;
use crate::search::request::SearchRequest;
use crate::search::tt::TranspositionTable;

/// Stop and ponderhit of one search. Each search has its own flag, so that a late command cannot
/// stop the next search and an early one is not lost.
pub(crate) struct StopFlag {
    is_stopped: AtomicBool,
    is_ponder_search: bool,
    ponder_hit: OnceLock<Instant>,
    /// Locked while the state changes, so that a waiting thread misses no change.
    gate: Mutex<()>,
    changed: Condvar,
}

impl StopFlag {
    pub(crate) fn new(is_ponder_search: bool) -> Self {
        Self {
            is_stopped: AtomicBool::new(false),
            is_ponder_search,
            ponder_hit: OnceLock::new(),
            gate: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.is_ponder_search && self.ponder_hit.get().is_none()
    }

    pub(crate) fn ponder_hit(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }

    fn change(&self, change: impl FnOnce()) {
        // The mutex guards no data, so a poisoned lock is harmless.
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.change(|| self.is_stopped.store(true, Relaxed));
    }

    pub(crate) fn record_ponder_hit(&self) {
        self.change(|| {
            self.ponder_hit.get_or_init(Instant::now);
        });
    }

    /// Returns false while an infinite or ponder search must not return its move.
    pub(crate) fn is_released(&self, is_infinite: bool) -> bool {
        self.is_stopped() || !is_infinite && !self.is_pondering()
    }

    /// Blocks until the search may return its move.
    pub(crate) fn wait_until_released(&self, is_infinite: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_released(is_infinite) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Nodes that a thread claims at a time.
const CLAIM: u64 = 512;

/// Node count of one thread, aligned to two cache lines against false sharing.
#[repr(align(128))]
struct NodeCounter(AtomicU64);

pub(crate) struct SharedState {
    pub(crate) request: SearchRequest,
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) stop: Arc<StopFlag>,
    counters: Box<[NodeCounter]>,
    /// Nodes of a strict limit that no thread has claimed yet; `None` without such a limit and for
    /// one thread, which counts them itself.
    unclaimed: Option<AtomicU64>,
    tb_hits: AtomicU64,
}

impl SharedState {
    pub(crate) fn new(
        request: SearchRequest,
        tt: Arc<TranspositionTable>,
        stop: Arc<StopFlag>,
        threads: usize,
    ) -> Self {
        let counters = (0..threads).map(|_| NodeCounter(AtomicU64::new(0))).collect();
        let tb_hits = AtomicU64::new(request.known_moves.len() as u64);
        let strict_limit = request.limits.nodes.filter(|_| request.limits.is_strict && threads > 1);
        let unclaimed = strict_limit.map(|limit| AtomicU64::new(limit.saturating_sub(CLAIM)));
        Self { request, tt, stop, counters, unclaimed, tb_hits }
    }

    /// Returns the nodes that a thread may count before it claims more. The first ones of a strict
    /// limit belong to the main thread, which returns the move.
    pub(crate) fn first_nodes(&self, id: usize) -> u64 {
        match (&self.unclaimed, self.request.limits.nodes) {
            (Some(_), Some(limit)) => {
                if id == 0 {
                    limit.min(CLAIM)
                } else {
                    0
                }
            }
            _ => u64::MAX,
        }
    }

    /// Claims nodes of a strict limit and returns their number, 0 if none are left.
    pub(crate) fn claim_nodes(&self) -> u64 {
        let Some(unclaimed) = &self.unclaimed else { return 0 };
        let claim = |left: u64| Some(left.saturating_sub(CLAIM));
        let (Ok(left) | Err(left)) = unclaimed.fetch_update(Relaxed, Relaxed, claim);
        left.min(CLAIM)
    }

    /// Prepares the next search of a single thread, after its request was set.
    pub(crate) fn restart(&mut self) {
        self.counters.iter_mut().for_each(|counter| *counter.0.get_mut() = 0);
        *self.tb_hits.get_mut() = self.request.known_moves.len() as u64;
        self.tt.new_search();
    }

    /// Publishes the node count of a thread, which alone writes it.
    pub(crate) fn publish_nodes(&self, id: usize, nodes: u64) {
        self.counters[id].0.store(nodes, Relaxed);
    }

    /// Counts a tablebase hit. These are rare enough for one shared counter.
    pub(crate) fn count_tb_hit(&self) {
        self.tb_hits.fetch_add(1, Relaxed);
    }

    pub(crate) fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Relaxed)
    }

    /// Returns the nodes of all threads, as last published.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}
