//! Input features of the network.
//!
//! Each side sees the board from its own end, mirrored where needed to have its king on the files a
//! to d. A position and its mirror image have the same features, which halves the positions to
//! learn.

use crate::board::Board;
use crate::types::{Color, File, Piece, Square};

/// Orientation of the board for one side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    /// XOR mask for squares: 7 mirrors the files, 56 the ranks.
    flip: u8,
}

impl Perspective {
    /// Creates the perspective of `color` with its king on this square.
    #[inline]
    pub fn new(color: Color, king: Square) -> Self {
        let ranks = if color == Color::Black { 56 } else { 0 };
        let files = if king.file() >= File::E { 7 } else { 0 };
        Self { color, flip: ranks | files }
    }

    /// Creates the perspective of `color` on a board.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Self {
        Self::new(color, board.king_square(color))
    }

    #[inline]
    pub(super) fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// Returns the feature of a piece on a square: `[own, their][piece type][oriented square]`.
    #[inline]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let side = usize::from(piece.color() != self.color);
        (side * 6 + piece.piece_type().index()) * 64 + usize::from(square as u8 ^ self.flip)
    }

    /// Returns the active features of a board, in the order of its squares.
    pub fn features(self, board: &Board) -> impl Iterator<Item = usize> + '_ {
        board.occupied().into_iter().filter_map(move |square| {
            board.piece_on(square).map(|piece| self.feature(piece, square))
        })
    }
}

/// Returns the output bucket for a number of pieces, kings included: 2 to 32, divided evenly among
/// the buckets.
#[inline]
pub fn bucket(pieces: usize, buckets: usize) -> usize {
    (pieces.clamp(2, 32) - 2) * buckets / 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_numbered_as_described() {
        let white = Perspective::new(Color::White, Square::C1);
        assert_eq!(white.feature(Piece::WhitePawn, Square::A2), 8);
        assert_eq!(white.feature(Piece::WhiteKing, Square::C1), 5 * 64 + 2);
        assert_eq!(white.feature(Piece::BlackPawn, Square::H8), 384 + 63);
        let mirrored = Perspective::new(Color::White, Square::E1);
        assert_eq!(mirrored.feature(Piece::WhiteKnight, Square::B1), 64 + 6);
        let black = Perspective::new(Color::Black, Square::D8);
        assert_eq!(black.feature(Piece::BlackRook, Square::A8), 3 * 64);
        assert_eq!(black.feature(Piece::WhiteQueen, Square::D1), 384 + 4 * 64 + 59);
        let black = Perspective::new(Color::Black, Square::H8);
        assert_eq!(black.feature(Piece::BlackKing, Square::H8), 5 * 64);
    }

    #[test]
    fn buckets_divide_the_piece_counts_evenly() {
        for buckets in 1..=31 {
            assert_eq!((bucket(2, buckets), bucket(32, buckets)), (0, (30 * buckets) / 31));
            assert!((2..32).all(|pieces| {
                let step = bucket(pieces + 1, buckets) - bucket(pieces, buckets);
                step <= 1
            }));
        }
        assert_eq!((bucket(32, 8), bucket(32, 31)), (7, 30));
    }
}
