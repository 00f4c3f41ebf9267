//! What follows from the placement and is looked up many times over, or never.

use std::sync::atomic::{AtomicU64, Ordering};

use super::state::GameState;
use crate::types::Bitboard;

/// Sets of squares that are found when they are first asked for. Nothing asks for them where a position is only counted,
/// or answered by the transposition table.
///
/// Atomic, since several threads may read one board: they would all find the same.
#[derive(Debug)]
pub(super) struct Masks {
    checkers: AtomicU64,
    /// Found together with the checkers and written after them; until then [`UNKNOWN`].
    pinned: AtomicU64,
    /// Empty until they are found: a king always attacks something.
    threats: AtomicU64,
}

/// Every square: so many pieces are never pinned.
const UNKNOWN: u64 = u64::MAX;

impl Masks {
    pub(super) const fn unknown() -> Self {
        Self {
            checkers: AtomicU64::new(UNKNOWN),
            pinned: AtomicU64::new(UNKNOWN),
            threats: AtomicU64::new(0),
        }
    }

    /// The pieces that give check to the side to move, in this position, which the masks belong to.
    #[inline]
    pub(super) fn checkers(&self, state: &GameState) -> Bitboard {
        if self.pinned.load(Ordering::Acquire) == UNKNOWN {
            return self.find(state).0;
        }
        Bitboard(self.checkers.load(Ordering::Relaxed))
    }

    /// The pieces of the side to move that are pinned to its king.
    #[inline]
    pub(super) fn pinned(&self, state: &GameState) -> Bitboard {
        match self.pinned.load(Ordering::Acquire) {
            UNKNOWN => self.find(state).1,
            pinned => Bitboard(pinned),
        }
    }

    // Not inlined, so that what asks again and again stays small.
    #[inline(never)]
    fn find(&self, state: &GameState) -> (Bitboard, Bitboard) {
        let (checkers, pinned) = state.find_checkers_and_pinned();
        self.checkers.store(checkers.0, Ordering::Relaxed);
        self.pinned.store(pinned.0, Ordering::Release);
        (checkers, pinned)
    }

    /// What the opponent of the side to move attacks, with that side's king lifted off the board: he cannot hide in
    /// his own shadow.
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
        // First the one that says whether the other is there.
        let pinned = AtomicU64::new(self.pinned.load(Ordering::Acquire));
        Self { checkers: copy(&self.checkers), pinned, threats: copy(&self.threats) }
    }
}
