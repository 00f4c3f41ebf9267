//! The undo stack: the current position and those before it.

use super::masks::Masks;
use super::state::GameState;
use crate::zobrist::Key;

/// The current position and all before it, of the game and of the line being searched.
#[derive(Clone, Debug)]
pub(super) struct StateStack {
    now: SavedState,
    /// The positions before it, earliest first, and behind them room for more: what was written once is written again
    /// without a thought of memory.
    past: Vec<SavedState>,
    /// How many positions came before.
    plies: usize,
}

/// How many positions more there is room for when there was none left.
const GROWTH: usize = 256;

/// A position and what is known of it: four cache lines.
#[derive(Debug)]
struct SavedState {
    state: GameState,
    masks: Masks,
}

const _: () = assert!(size_of::<SavedState>() == 256);

impl Clone for SavedState {
    fn clone(&self) -> Self {
        Self { state: self.state, masks: self.masks.clone() }
    }

    /// In place: a detour would cost as much again.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.state = other.state;
        self.masks = other.masks.clone();
    }
}

impl StateStack {
    /// A game that begins with this position.
    pub(super) fn new(state: GameState) -> Self {
        Self { now: SavedState { state, masks: Masks::unknown() }, past: Vec::new(), plies: 0 }
    }

    /// The current position.
    #[inline]
    pub(super) fn now(&self) -> &GameState {
        &self.now.state
    }

    /// The masks of the current position.
    #[inline]
    pub(super) fn masks(&self) -> &Masks {
        &self.now.masks
    }

    /// The current position, to be changed: nothing is known of it any more.
    #[inline]
    pub(super) fn now_mut(&mut self) -> &mut GameState {
        self.now.masks = Masks::unknown();
        &mut self.now.state
    }

    /// Remembers the current position, which is to be changed.
    #[inline]
    pub(super) fn push(&mut self) -> &mut GameState {
        if self.plies == self.past.len() {
            self.grow();
        }
        self.past[self.plies].clone_from(&self.now);
        self.plies += 1;
        self.now_mut()
    }

    #[cold]
    fn grow(&mut self) {
        self.past.resize(self.plies + GROWTH, self.now.clone());
    }

    /// Goes back to the position before.
    ///
    /// # Panics
    /// Where there is none.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.plies = self.plies.checked_sub(1).expect("a move was made");
        self.now.clone_from(&self.past[self.plies]);
    }

    /// How many plies ago the position with this key was on the board, latest first, looking back `reach` plies at
    /// most. A position can recur after four plies at the earliest, and with the same side to move only.
    pub(super) fn occurrences(&self, key: Key, reach: usize) -> impl Iterator<Item = usize> {
        let now = self.plies;
        (4..=reach).step_by(2).filter(move |plies| self.past[now - plies].state.key == key)
    }
}
