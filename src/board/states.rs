//! Undo stack: the current position and those before it, in the game and in the searched line.

use crate::zobrist::Key;

use super::game_state::GameState;
use super::masks::Masks;

#[derive(Debug)]
pub(super) struct StateStack {
    current: SavedState,
    /// Earlier positions, oldest first; the first `plies` are in use. Never shrinks, to reuse
    /// memory.
    past: Vec<SavedState>,
    plies: usize,
}

const GROWTH: usize = 256;

/// A position with its cached masks: four cache lines.
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

    /// Clones in place, as a temporary would double the cost.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.state = other.state;
        self.masks = other.masks.clone();
    }
}

impl Clone for StateStack {
    fn clone(&self) -> Self {
        let past = self.past[..self.plies].to_vec();
        Self { current: self.current.clone(), past, plies: self.plies }
    }

    fn clone_from(&mut self, other: &Self) {
        self.current.clone_from(&other.current);
        if self.past.len() < other.plies {
            self.past.resize(other.plies + GROWTH, other.current.clone());
        }
        self.past[..other.plies].clone_from_slice(&other.past[..other.plies]);
        self.plies = other.plies;
    }
}

impl StateStack {
    pub(super) fn new(state: GameState) -> Self {
        Self { current: SavedState { state, masks: Masks::unknown() }, past: Vec::new(), plies: 0 }
    }

    #[inline]
    pub(super) fn current(&self) -> &GameState {
        &self.current.state
    }

    /// Returns the position before the last move, with its masks.
    #[inline]
    pub(super) fn previous(&self) -> Option<(&GameState, &Masks)> {
        let SavedState { state, masks } = &self.past[self.plies.checked_sub(1)?];
        Some((state, masks))
    }

    #[inline]
    pub(super) fn masks(&self) -> &Masks {
        &self.current.masks
    }

    /// Resets the masks, because the caller changes the position.
    #[inline]
    pub(super) fn current_mut(&mut self) -> &mut GameState {
        self.current.masks = Masks::unknown();
        &mut self.current.state
    }

    #[inline]
    pub(super) fn push(&mut self) -> &mut GameState {
        if self.plies == self.past.len() {
            self.grow();
        }
        self.past[self.plies].clone_from(&self.current);
        self.plies += 1;
        self.current_mut()
    }

    #[cold]
    fn grow(&mut self) {
        self.past.resize(self.plies + GROWTH, self.current.clone());
    }

    /// Restores the previous position.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.plies = self.plies.checked_sub(1).expect("a move was made");
        self.current.clone_from(&self.past[self.plies]);
    }

    /// Returns how many plies ago the key occurred, latest first, at most `reach` plies back.
    ///
    /// A repetition needs at least four plies and the same side to move.
    pub(super) fn occurrences(&self, key: Key, reach: usize) -> impl Iterator<Item = usize> {
        let top = self.plies;
        (2..=reach / 2)
            .map(|moves| 2 * moves)
            .filter(move |plies| self.past[top - plies].state.key == key)
    }

    /// Returns the positions three, five and so on plies ago, latest first, at most `reach` plies
    /// back.
    #[inline]
    pub(super) fn with_other_side_to_move(&self, reach: usize) -> impl Iterator<Item = &GameState> {
        let top = self.plies;
        (3..=reach).step_by(2).map(move |plies| &self.past[top - plies].state)
    }
}
