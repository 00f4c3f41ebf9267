//! Bitboards: sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::{Color, Direction, File, Rank, Square};

/// Set of squares: bit 0 is a1, bit 63 is h8.
#[derive(Copy, Clone, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// The dark squares, such as a1.
    pub const DARK_SQUARES: Self = Self(0xAA55_AA55_AA55_AA55);

    /// Returns the squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// Returns the squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (rank as u8 * 8))
    }

    /// Returns the set of one square.
    #[inline]
    pub const fn square(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// Returns whether the set contains the square.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        (self.0 >> square as u8) & 1 != 0
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set is not empty.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns whether the set has at least two squares.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_low_bits(self.0.trailing_zeros() as u16)) }
    }

    /// Returns whether `other` contains every square of this set.
    #[inline]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Shifts all squares by one step and drops those that leave the board.
    #[inline]
    pub const fn shift(self, direction: Direction) -> Self {
        const NOT_A: u64 = !Bitboard::file(File::A).0;
        const NOT_H: u64 = !Bitboard::file(File::H).0;
        Self(match direction {
            Direction::North => self.0 << 8,
            Direction::South => self.0 >> 8,
            Direction::East => (self.0 << 1) & NOT_A,
            Direction::West => (self.0 >> 1) & NOT_H,
            Direction::NorthEast => (self.0 << 9) & NOT_A,
            Direction::NorthWest => (self.0 << 7) & NOT_H,
            Direction::SouthEast => (self.0 >> 7) & NOT_A,
            Direction::SouthWest => (self.0 >> 9) & NOT_H,
        })
    }

    /// Shifts all squares by one step in the pawn direction of `color`.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        // Two shifts, of which one is by nothing, need no branch.
        let (north, south) = match color {
            Color::White => (8, 0),
            Color::Black => (0, 8),
        };
        Self(self.0 << north >> south)
    }

    /// Mirrors the set vertically: a1 becomes a8.
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::square(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a set in index order.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Set difference: squares of `self` that are not in `other`.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) { " X" } else { " ." };
                f.write_str(mark)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_come_back_in_order() {
        let set: Bitboard = [Square::H8, Square::A1, Square::E4].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::E4, Square::H8]);
        assert_eq!(set.count(), 3);
        assert!(set.more_than_one() && !Bitboard::square(Square::A1).more_than_one());
    }

    #[test]
    fn shifts_do_not_wrap_around() {
        let edges = Bitboard::file(File::H);
        assert_eq!(edges.shift(Direction::East), Bitboard::EMPTY);
        assert_eq!(Bitboard::file(File::A).shift(Direction::SouthWest), Bitboard::EMPTY);
        assert_eq!(
            Bitboard::square(Square::E4).shift(Direction::NorthWest),
            Bitboard::square(Square::D5)
        );
    }

    #[test]
    fn a1_is_dark() {
        assert!(Bitboard::DARK_SQUARES.contains(Square::A1));
        assert!(!Bitboard::DARK_SQUARES.contains(Square::H1));
    }
}
