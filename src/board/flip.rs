//! Mirrored positions with the colours exchanged.

use crate::types::{CastlingRights, CastlingSide, Color, Piece, Square};

use super::Board;

impl Board {
    /// Returns the position mirrored vertically with colours exchanged, without game history.
    pub fn flipped(&self) -> Self {
        let mut board = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let mirrored = Piece::new(!piece.color(), piece.piece_type());
                board.state_mut().place(mirrored, square.flip_rank());
            }
        }
        board.state_mut().side_to_move = !self.side_to_move();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling_rook_of(color, side) {
                    let king = self.king_square(color).flip_rank();
                    let right = CastlingRights::single(!color, side);
                    board.castling_paths.add(!color, side, king, rook.flip_rank());
                    board.state_mut().castling = board.castling_rights().union(right);
                }
            }
        }
        board.state_mut().halfmove_clock = self.state().halfmove_clock;
        board.state_mut().fullmove_number = self.fullmove_number();
        board.state_mut().en_passant = self.state().en_passant.map(Square::flip_rank);
        board.passed_first = self.passed_square().map(Square::flip_rank);
        board.reset_keys();
        board
    }
}
