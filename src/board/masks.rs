//! Cached masks of a position, computed on first use.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::types::Bitboard;

use super::state::{GameState, Threats};

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
    /// Part of the threats by pawns, by these and minor pieces, and by these and rooks. Computed
    /// with the threats and written before them.
    lesser_threats: [AtomicU64; 3],
}

/// The full board, which can never be the set of pinned pieces.
const UNKNOWN: u64 = u64::MAX;

impl Masks {
    pub(super) const fn unknown() -> Self {
        Self {
            checkers: AtomicU64::new(UNKNOWN),
            pinned: AtomicU64::new(UNKNOWN),
            threats: AtomicU64::new(0),
            lesser_threats: [const { AtomicU64::new(0) }; 3],
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
        match self.threats.load(Ordering::Acquire) {
            0 => self.find_threats(state).all,
            threats => Bitboard(threats),
        }
    }

    /// Returns the same, and what pieces of lesser value attack.
    #[inline]
    pub(super) fn all_threats(&self, state: &GameState) -> Threats {
        let all = self.threats(state);
        let [by_pawns, up_to_minors, up_to_rooks] =
            self.lesser_threats.each_ref().map(|mask| Bitboard(mask.load(Ordering::Relaxed)));
        Threats { by_pawns, up_to_minors, up_to_rooks, all }
    }

    #[inline(never)]
    fn find_threats(&self, state: &GameState) -> Threats {
        let threats = state.find_threats();
        let lesser = [threats.by_pawns, threats.up_to_minors, threats.up_to_rooks];
        for (mask, found) in self.lesser_threats.iter().zip(lesser) {
            mask.store(found.0, Ordering::Relaxed);
        }
        self.threats.store(threats.all.0, Ordering::Release);
        threats
    }
}

impl Clone for Masks {
    #[inline]
    fn clone(&self) -> Self {
        let copy = |mask: &AtomicU64| AtomicU64::new(mask.load(Ordering::Relaxed));
        // Load `pinned` and `threats` first: they tell whether the others are valid.
        let pinned = AtomicU64::new(self.pinned.load(Ordering::Acquire));
        let threats = AtomicU64::new(self.threats.load(Ordering::Acquire));
        let lesser_threats = self.lesser_threats.each_ref().map(copy);
        Self { checkers: copy(&self.checkers), pinned, threats, lesser_threats }
    }
}
