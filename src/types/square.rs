//! Squares, files, ranks and the directions between them.

#![expect(
    unsafe_code,
    reason = "enums from integers: a table lookup costs perft a tenth of its speed"
)]

use std::fmt;

use super::Color;
use super::index_enum::{from_index_unchecked, index_enum};

from_index_unchecked!(Square);
from_index_unchecked!(File);
from_index_unchecked!(Rank);

index_enum! {
    /// A square, a1 = 0, b1 = 1, … h8 = 63.
    Square, 64 {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

index_enum! {
    /// A file, from a to h.
    File, 8 { A, B, C, D, E, F, G, H }
}

index_enum! {
    /// A rank, counted from White's side.
    Rank, 8 { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

/// Direction of a step: north towards the eighth rank, east towards the h file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the variants are compass points")]
pub enum Direction {
    North,
    South,
    East,
    West,
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    /// Returns the direction in which pawns of `color` advance.
    #[inline]
    pub const fn forward(color: Color) -> Self {
        match color {
            Color::White => Self::North,
            Color::Black => Self::South,
        }
    }

    /// Returns the difference in square index of one step.
    #[inline]
    pub const fn offset(self) -> i8 {
        match self {
            Self::North => 8,
            Self::South => -8,
            Self::East => 1,
            Self::West => -1,
            Self::NorthEast => 9,
            Self::NorthWest => 7,
            Self::SouthEast => -7,
            Self::SouthWest => -9,
        }
    }
}

impl Square {
    /// Returns the square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_low_bits(rank as u16 * 8 + file as u16)
    }

    /// Returns the square whose index is the low six bits of `index`.
    #[inline]
    pub const fn from_low_bits(index: u16) -> Self {
        // SAFETY: a 6-bit number is below 64.
        unsafe { Self::from_index_unchecked((index & 63) as u8) }
    }

    /// Returns the file.
    #[inline]
    pub const fn file(self) -> File {
        // SAFETY: a 3-bit number is below 8.
        unsafe { File::from_index_unchecked(self as u8 & 7) }
    }

    /// Returns the rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        // SAFETY: a square's index is below 64, so its upper three bits are below 8.
        unsafe { Rank::from_index_unchecked(self as u8 >> 3) }
    }

    /// Returns the moves that a king needs from here to another square of an empty board.
    #[inline]
    pub fn distance(self, other: Self) -> u8 {
        let files = (self.file() as u8).abs_diff(other.file() as u8);
        let ranks = (self.rank() as u8).abs_diff(other.rank() as u8);
        files.max(ranks)
    }

    /// Mirrors the square vertically: e2 becomes e7.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::from_low_bits(self as u16 ^ 56)
    }

    /// Mirrors the square vertically if `color` is Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// Returns the next square in the pawn direction of `color`; `None` beyond the last rank.
    #[inline]
    pub const fn forward(self, color: Color) -> Option<Self> {
        let index = self as i8 + Direction::forward(color).offset();
        if index >= 0 && index < 64 { Some(Self::from_low_bits(index as u16)) } else { None }
    }

    /// Parses a square such as `e4`; lower case only.
    pub fn parse(text: &str) -> Option<Self> {
        let &[file, rank] = text.as_bytes() else { return None };
        let file = File::from_index(file.wrapping_sub(b'a') as usize)?;
        let rank = Rank::from_index(rank.wrapping_sub(b'1') as usize)?;
        Some(Self::new(file, rank))
    }
}

impl Rank {
    /// Returns the rank counted from `color`'s side.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            // SAFETY: a rank's index is at most 7, and so is its complement.
            Color::Black => unsafe { Self::from_index_unchecked(7 - self as u8) },
        }
    }
}

impl File {
    /// Returns the file's letter in lower case.
    #[inline]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank() as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for square in Square::ALL {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn absence_costs_nothing() {
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn a_king_walks_straight() {
        assert_eq!(
            [Square::C8, Square::H2, Square::A1].map(|to| Square::A1.distance(to)),
            [7, 7, 0]
        );
        assert_eq!(Square::E7.distance(Square::C6), 2);
    }

    #[test]
    fn mirrors() {
        assert_eq!(Square::E2.relative_to(Color::Black), Square::E7);
        assert_eq!(Square::E8.forward(Color::White), None);
        assert_eq!(Square::E7.forward(Color::Black), Some(Square::E6));
    }
}
