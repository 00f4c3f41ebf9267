//! Colours, piece types, and pieces.

#![expect(
    unsafe_code,
    reason = "enums from integers: a table lookup costs perft a tenth of its speed"
)]

use std::fmt;
use std::ops::Not;

use super::index_enum::{from_index_unchecked, index_enum};

index_enum! {
    /// Colour of a piece or of a side.
    Color, 2 { White, Black }
}

index_enum! {
    /// Type of a piece, in order of its usual value.
    PieceType, 6 { Pawn, Knight, Bishop, Rook, Queen, King }
}

index_enum! {
    /// A piece with its colour. Bit 0 of the index is the colour, the rest the type.
    Piece, 12 {
        WhitePawn, BlackPawn, WhiteKnight, BlackKnight, WhiteBishop, BlackBishop,
        WhiteRook, BlackRook, WhiteQueen, BlackQueen, WhiteKing, BlackKing,
    }
}

from_index_unchecked!(Color);
from_index_unchecked!(PieceType);
from_index_unchecked!(Piece);

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

impl PieceType {
    /// Returns the letter in lower case: `p n b r q k`.
    #[inline]
    pub const fn letter(self) -> char {
        b"pnbrqk"[self as usize] as char
    }

    /// Returns the type with this lower-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece_type| piece_type.letter() == letter)
    }

    /// Returns the filled figurine; its colour shows the side.
    pub const fn figurine(self) -> char {
        match self {
            Self::Pawn => '♟',
            Self::Knight => '♞',
            Self::Bishop => '♝',
            Self::Rook => '♜',
            Self::Queen => '♛',
            Self::King => '♚',
        }
    }

    /// Returns whether this is a knight or a bishop.
    #[inline]
    pub const fn is_minor(self) -> bool {
        matches!(self, Self::Knight | Self::Bishop)
    }
}

impl Piece {
    /// Returns the piece of this colour and type.
    #[inline]
    pub const fn new(color: Color, piece_type: PieceType) -> Self {
        // SAFETY: twice a number below 6 plus one below 2 is below 12.
        unsafe { Self::from_index_unchecked(piece_type as u8 * 2 + color as u8) }
    }

    /// Returns the colour.
    #[inline]
    pub const fn color(self) -> Color {
        // SAFETY: one bit is below 2.
        unsafe { Color::from_index_unchecked(self as u8 & 1) }
    }

    /// Returns the type of the piece.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        // SAFETY: half a number below 12 is below 6.
        unsafe { PieceType::from_index_unchecked(self as u8 >> 1) }
    }

    /// Returns the FEN letter, in upper case for White.
    #[inline]
    pub const fn letter(self) -> char {
        b"PpNnBbRrQqKk"[self as usize] as char
    }

    /// Returns the piece with this FEN letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        for piece in Piece::ALL {
            assert_eq!(Piece::new(piece.color(), piece.piece_type()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
