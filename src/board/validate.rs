//! Consistency check of a board, for debug assertions.

use super::Board;
use crate::types::{Bitboard, Color, PieceType, Square};

impl Board {
    /// Compares all incrementally updated data with a recomputation from the placement.
    ///
    /// # Errors
    /// The first inconsistency found.
    pub(super) fn validate(&self) -> Result<(), &'static str> {
        if !self.sets_match_mailbox() {
            return Err("the sets do not match the mailbox");
        }
        if (self.state().key, self.state().structure) != self.keys_from_scratch() {
            return Err("a key is wrong");
        }
        let king = self.king_square(self.side_to_move());
        let checkers = self.attackers(!self.side_to_move(), king, self.occupied());
        if checkers != self.checkers() {
            return Err("the checkers are wrong");
        }
        if self.threats() != self.state().find_threats() {
            return Err("the threats are wrong");
        }
        let other = self.king_square(!self.side_to_move());
        if self.attackers(self.side_to_move(), other, self.occupied()).any() {
            return Err("the king can be taken");
        }
        Ok(())
    }

    fn sets_match_mailbox(&self) -> bool {
        let on = |square: Square| -> Bitboard {
            let bit = Bitboard::square(square);
            let (types, colors) = (self.state().by_type, self.state().by_color);
            let set = |sets: &[Bitboard]| sets.iter().filter(|set| (**set & bit).any()).count();
            match self.piece_on(square) {
                Some(piece)
                    if set(&types) == 1
                        && set(&colors) == 1
                        && self.pieces_of(piece.color(), piece.piece_type()).contains(square) =>
                {
                    bit
                }
                None if set(&types) + set(&colors) == 0 => bit,
                _ => Bitboard::EMPTY,
            }
        };
        let kings = Color::ALL.map(|color| self.pieces_of(color, PieceType::King).count());
        Square::ALL.into_iter().all(|square| on(square).any()) && kings == [1, 1]
    }
}
