//! Cached masks of a position, computed on first use.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::types::Bitboard;

use super::game_state::{GameState, Threats};

/// Checkers, pinned pieces and threats, which many positions cut off by the TT do not need.
///
/// The fields are atomic because threads may share a board; all compute the same masks. `state` is
/// always the position of the masks.
#[derive(Debug)]
pub(super) struct Masks {
    checkers: AtomicU64,
    /// Written after the checkers; [`UNKNOWN`] until then.
    pinned: AtomicU64,
    /// Empty until computed: a king always attacks some square.
    threats: AtomicU64,
    /// Threats by pawns, up to minor pieces, and up to rooks. Written before `threats`.
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

    // Not inlined, to keep the callers small.
    #[inline(never)]
    fn find(&self, state: &GameState) -> (Bitboard, Bitboard) {
        let (checkers, pinned) = state.find_checkers_and_pinned();
        self.checkers.store(checkers.0, Ordering::Relaxed);
        self.pinned.store(pinned.0, Ordering::Release);
        (checkers, pinned)
    }

    #[inline]
    pub(super) fn threats(&self, state: &GameState) -> Bitboard {
        self.known_threats().unwrap_or_else(|| self.find_threats(state).all)
    }

    /// Returns the threats if they are computed already.
    #[inline]
    pub(super) fn known_threats(&self) -> Option<Bitboard> {
        let threats = self.threats.load(Ordering::Acquire);
        (threats != 0).then_some(Bitboard(threats))
    }

    #[inline]
    pub(super) fn all_threats(&self, state: &GameState) -> Threats {
        let all = self.threats(state);
        let [by_pawns, up_to_minors, up_to_rooks] =
            self.lesser_threats.each_ref().map(|mask| Bitboard(mask.load(Ordering::Relaxed)));
        Threats { by_pawns, up_to_minors, up_to_rooks, all }
    }

    #[inline(never)]
    fn find_threats(&self, state: &GameState) -> Threats {
        let threats = state.find_threats(!state.side_to_move);
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
        // `pinned` and `threats` first, as they mark the others as computed.
        let pinned = AtomicU64::new(self.pinned.load(Ordering::Acquire));
        let threats = AtomicU64::new(self.threats.load(Ordering::Acquire));
        let lesser_threats = self.lesser_threats.each_ref().map(copy);
        Self { checkers: copy(&self.checkers), pinned, threats, lesser_threats }
    }
}
