//! Packed pieces, as in training records and the formats of other trainers.

use crate::board::Board;
use crate::types::{Bitboard, Color, Square};

/// The pieces of a position in 24 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PackedPieces {
    /// Occupied squares, one bit each, a1 lowest.
    pub occupied: u64,
    /// Piece codes in the order of the occupied squares, half a byte each, lower half first.
    pub codes: [u8; 16],
}

impl PackedPieces {
    /// Packs pieces. `code` returns the code on an occupied square, at most 15.
    pub fn new(occupied: Bitboard, code: impl Fn(Square) -> u8) -> Self {
        let mut codes = [0; 16];
        for (index, square) in occupied.into_iter().enumerate() {
            codes[index / 2] |= code(square) << (index % 2 * 4);
        }
        Self { occupied: occupied.0, codes }
    }

    /// Packs pieces from the point of view of the side to move, with the board flipped for Black.
    /// The code is the piece type, 0 pawn … 5 king, plus 8 for the opponent's.
    pub fn of_side_to_move(board: &Board) -> Self {
        let us = board.side_to_move();
        let occupied = match us {
            Color::White => board.occupied(),
            Color::Black => board.occupied().flip_ranks(),
        };
        Self::new(occupied, |square| {
            let piece = board.piece_on(square.relative_to(us)).expect("the square is occupied");
            piece.piece_type() as u8 | u8::from(piece.color() != us) << 3
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_flipped_for_black() {
        let board = Board::from_fen("4k3/8/8/8/8/8/4P3/R3K3 b Q - 0 1").expect("legal");
        let packed = PackedPieces::of_side_to_move(&board);
        // Own king on e1, their rook on a8 (56), king on e8 (60), pawn on e7 (52).
        assert_eq!(packed.occupied, 1 << 4 | 1 << 52 | 1 << 56 | 1 << 60);
        assert_eq!(packed.codes[..3], [8 << 4 | 5, 13 << 4 | 11, 0]);
    }
}
