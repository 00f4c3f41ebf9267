//! Zobrist keys computed from scratch.

use crate::types::Color;
use crate::zobrist::{self, Key};

use super::Board;
use super::game_state::StructureKeys;

impl Board {
    pub(super) fn reset_keys(&mut self) {
        let (key, structure_keys) = self.keys_from_scratch();
        let state = self.state_mut();
        state.key = key;
        state.structure_keys = structure_keys;
    }

    /// Computes the Zobrist key from the position alone.
    pub fn key_from_scratch(&self) -> Key {
        self.keys_from_scratch().0
    }

    pub(super) fn keys_from_scratch(&self) -> (Key, StructureKeys) {
        let mut key = self.state().rights_key();
        let mut structure_keys = StructureKeys::default();
        if self.side_to_move() == Color::Black {
            key ^= zobrist::side_to_move();
        }
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let piece_key = zobrist::piece(piece, square);
                key ^= piece_key;
                structure_keys.toggle(piece, piece_key);
            }
        }
        (key, structure_keys)
    }
}
