//! Colours, kinds of pieces, and pieces.

use std::fmt;
use std::ops::Not;

use super::Indexed;
use super::square::index_enum;

index_enum! {
    /// One of the two sides.
    Color, 2 { White, Black }
}

index_enum! {
    /// A kind of piece, in rising order of its usual worth.
    PieceType, 6 { Pawn, Knight, Bishop, Rook, Queen, King }
}

index_enum! {
    /// A piece of a colour: White's and Black's pawn first, then the knights, … so that bit 0 is the colour.
    Piece, 12 {
        WhitePawn, BlackPawn, WhiteKnight, BlackKnight, WhiteBishop, BlackBishop,
        WhiteRook, BlackRook, WhiteQueen, BlackQueen, WhiteKing, BlackKing,
    }
}

impl Not for Color {
    type Output = Self;

    /// The other side.
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// `White` or `Black`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

impl PieceType {
    /// The letter in lower case: `p n b r q k`.
    #[inline]
    pub const fn letter(self) -> char {
        b"pnbrqk"[self as usize] as char
    }

    /// Knight or bishop.
    #[inline]
    pub const fn is_minor(self) -> bool {
        matches!(self, Self::Knight | Self::Bishop)
    }
}

impl Piece {
    /// The piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, piece_type: PieceType) -> Self {
        Self::ALL[piece_type as usize * 2 + color as usize]
    }

    /// Its colour.
    #[inline]
    pub const fn color(self) -> Color {
        Color::ALL[self as usize & 1]
    }

    /// Its kind.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        PieceType::ALL[self as usize >> 1]
    }

    /// The FEN letter: upper case for White.
    #[inline]
    pub const fn letter(self) -> char {
        b"PpNnBbRrQqKk"[self as usize] as char
    }

    /// The piece of a FEN letter.
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
