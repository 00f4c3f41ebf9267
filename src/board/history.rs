//! Repetitions and the other draws by rule.

use super::Board;
use super::masks::Masks;
use super::state::GameState;
use crate::types::{Bitboard, PieceType};
use crate::zobrist::Key;

/// The current position and all before it, of the game and of the line being searched.
#[derive(Clone, Debug)]
pub(super) struct History {
    now: Entry,
    /// The positions before it, earliest first, and behind them room for more: what was written once is written again
    /// without a thought of memory.
    past: Vec<Entry>,
    /// How many positions came before.
    plies: usize,
}

/// How many positions more there is room for when there was none left.
const GROWTH: usize = 256;

/// A position and what is known of it: four cache lines.
#[derive(Debug)]
struct Entry {
    state: GameState,
    masks: Masks,
}

const _: () = assert!(size_of::<Entry>() == 256);

impl Clone for Entry {
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

impl History {
    /// A game that begins with this position.
    pub(super) fn new(state: GameState) -> Self {
        Self { now: Entry { state, masks: Masks::unknown() }, past: Vec::new(), plies: 0 }
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
    fn occurrences(&self, key: Key, reach: usize) -> impl Iterator<Item = usize> {
        let now = self.plies;
        (4..=reach).step_by(2).filter(move |plies| self.past[now - plies].state.key == key)
    }
}

impl Board {
    /// Whether the position is a repetition to a search that stands `ply` plies from its root: it occurred once since
    /// the root, or twice at all.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen = self.repetitions();
        match seen.next() {
            Some(plies) => plies < ply || seen.next().is_some(),
            None => false,
        }
    }

    /// Whether the position is on the board for the third time.
    pub fn is_threefold(&self) -> bool {
        self.repetitions().nth(1).is_some()
    }

    fn repetitions(&self) -> impl Iterator<Item = usize> {
        let reach = self.state().halfmove_clock.min(self.state().reversible_plies);
        self.history.occurrences(self.key(), reach.into())
    }

    /// Whether fifty moves of each side have passed without a capture or pawn move; mate on the last one counts first.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state().halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Whether no sequence of legal moves can mate: bare kings, one minor piece, or bishops of one square colour only.
    pub fn is_insufficient_material(&self) -> bool {
        let mating = self.pieces(PieceType::Pawn)
            | self.pieces(PieceType::Rook)
            | self.pieces(PieceType::Queen);
        if mating.any() {
            return false;
        }
        let bishops = self.pieces(PieceType::Bishop);
        let minors = bishops | self.pieces(PieceType::Knight);
        let one_colour = (bishops & Bitboard::DARK_SQUARES).is_empty()
            || bishops.is_subset_of(Bitboard::DARK_SQUARES);
        !minors.more_than_one() || (minors == bishops && one_colour)
    }

    /// Whether the position is a draw by rule to a search `ply` plies from its root: fifty moves, repetition,
    /// insufficient material. Stalemate shows when there is no move.
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_fifty_move_draw() || self.is_repetition(ply) || self.is_insufficient_material()
    }
}
