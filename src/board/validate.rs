//! Consistency check of a board, for debug assertions.

use crate::types::{Color, PieceType, Square};

use super::Board;

impl Board {
    /// Compares the bitboards with the mailbox, and the keys, checkers and reused attacks with
    /// those computed from scratch.
    pub(super) fn validate(&self) -> Result<(), &'static str> {
        if !self.bitboards_match_mailbox() {
            return Err("the bitboards do not match the mailbox");
        }
        if (self.state().key, self.state().structure_keys) != self.keys_from_scratch() {
            return Err("a key is wrong");
        }
        let king = self.king_square(self.side_to_move());
        let checkers = self.attackers(!self.side_to_move(), king, self.occupied());
        if checkers != self.checkers() {
            return Err("the checkers are wrong");
        }
        if self.attacks_by(self.side_to_move())
            != self.state().find_threats(self.side_to_move()).all
        {
            return Err("the reused attacks are wrong");
        }
        let their_king = self.king_square(!self.side_to_move());
        if self.attackers(self.side_to_move(), their_king, self.occupied()).any() {
            return Err("the side to move can capture the king");
        }
        Ok(())
    }

    fn bitboards_match_mailbox(&self) -> bool {
        let matches = |square: Square| {
            let in_type = |&kind: &PieceType| self.pieces(kind).contains(square);
            let in_color = |&color: &Color| self.colors(color).contains(square);
            let types = PieceType::ALL.iter().filter(|kind| in_type(kind)).count();
            let colors = Color::ALL.iter().filter(|color| in_color(color)).count();
            match self.piece_on(square) {
                None => types == 0 && colors == 0,
                Some(piece) => {
                    let same = self.pieces_of(piece.color(), piece.piece_type());
                    types == 1 && colors == 1 && same.contains(square)
                }
            }
        };
        let kings = Color::ALL.map(|color| self.pieces_of(color, PieceType::King).count());
        Square::ALL.into_iter().all(matches) && kings == [1, 1]
    }
}
