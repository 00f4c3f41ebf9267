//! Cached masks of a position, computed on first use.

use std::sync::atomic::{AtomicU64, Ordering};

use super::state::GameState;
use crate::types::Bitboard;

/// Checkers, pinned pieces and threats, each computed when first asked for.
///
/// Positions that are only counted, or answered by the transposition table, never need them.
/// The fields are atomic because threads may share a board; all would compute the same masks.
#[derive(Debug)]
pub(super) struct Masks {
    checkers: AtomicU64,
    /// Computed with the checkers and written after them; [`UNKNOWN`] until then.
    pinned: AtomicU64,
    /// Empty until computed: a king always attacks some square.
    threats: AtomicU64,
}

/// The full board, which can never be the set of pinned pieces.
const UNKNOWN: u64 = u64::MAX;

impl Masks {
    pub(super) const fn unknown() -> Self {
        Self {
            checkers: AtomicU64::new(UNKNOWN),
            pinned: AtomicU64::new(UNKNOWN),
            threats: AtomicU64::new(0),
        }
    }

    /// Returns the pieces that give check. `state` must be the position of these masks.
    #[inline]
    pub(super) fn checkers(&self, state: &GameState) -> Bitboard {
        if self.pinned.load(Ordering::Acquire) == UNKNOWN {
            return self.find(state).0;
        }
        Bitboard(self.checkers.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn pinned(&self, state: &GameState) -> Bitboard {
        match self.pinned.load(Ordering::Acquire) {
            UNKNOWN => self.find(state).1,
            pinned => Bitboard(pinned),
        }
    }

    // Not inlined, to keep the frequent path through the callers small.
    #[inline(never)]
    fn find(&self, state: &GameState) -> (Bitboard, Bitboard) {
        let (checkers, pinned) = state.find_checkers_and_pinned();
        self.checkers.store(checkers.0, Ordering::Relaxed);
        self.pinned.store(pinned.0, Ordering::Release);
        (checkers, pinned)
    }

    /// Returns the squares the opponent attacks, with the king of the side to move removed.
    ///
    /// Without the king, squares behind him on a slider's line count as attacked too.
    #[inline]
    pub(super) fn threats(&self, state: &GameState) -> Bitboard {
        match self.threats.load(Ordering::Relaxed) {
            0 => self.find_threats(state),
            threats => Bitboard(threats),
        }
    }

    #[inline(never)]
    fn find_threats(&self, state: &GameState) -> Bitboard {
        let threats = state.find_threats();
        self.threats.store(threats.0, Ordering::Relaxed);
        threats
    }
}

impl Clone for Masks {
    #[inline]
    fn clone(&self) -> Self {
        let copy = |mask: &AtomicU64| AtomicU64::new(mask.load(Ordering::Relaxed));
        // Load `pinned` first: it tells whether `checkers` is valid.
        let pinned = AtomicU64::new(self.pinned.load(Ordering::Acquire));
        Self { checkers: copy(&self.checkers), pinned, threats: copy(&self.threats) }
    }
}
