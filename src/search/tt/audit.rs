//! Full keys beside the short tags, to count TT hits of other positions. Only with the feature
//! `tt-audit`, for the figures in docs/keys.md.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::zobrist::Key;

pub(crate) struct Audit {
    keys: Box<[AtomicU64]>,
    hits: AtomicU64,
    foreign: AtomicU64,
}

impl Audit {
    pub(crate) fn new(entries: usize) -> Result<Self, ()> {
        let keys = bytemuck::allocation::try_zeroed_slice_box(entries)?;
        Ok(Self { keys, hits: AtomicU64::new(0), foreign: AtomicU64::new(0) })
    }

    pub(crate) fn record(&self, entry: usize, key: Key) {
        self.keys[entry].store(key.0, Relaxed);
    }

    pub(crate) fn count_hit(&self, entry: usize, key: Key) {
        self.hits.fetch_add(1, Relaxed);
        if self.keys[entry].load(Relaxed) != key.0 {
            self.foreign.fetch_add(1, Relaxed);
        }
    }

    /// Returns the number of hits and of those that belong to another position.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.hits.load(Relaxed), self.foreign.load(Relaxed))
    }
}
