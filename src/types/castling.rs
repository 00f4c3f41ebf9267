//! Castling rights.

use super::index_enum::index_enum;
use super::{Color, File, Rank, Square};

index_enum! {
    /// Castling side: the king ends on the g file or on the c file.
    CastlingSide, 2 { King, Queen }
}

impl CastlingSide {
    /// Returns the king's square after castling.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Returns the rook's square after castling.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// Set of castling rights, one bit each: White's king side and queen side, then Black's. The number
/// is below [`Self::COUNT`].
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// Number of different sets.
    pub const COUNT: usize = 16;
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All four rights.
    pub const ALL: Self = Self(15);

    /// Returns the set of one right.
    #[inline]
    pub const fn single(color: Color, side: CastlingSide) -> Self {
        Self(1 << (color as u8 * 2 + side as u8))
    }

    /// Returns both rights of a colour.
    #[inline]
    pub const fn both(color: Color) -> Self {
        Self(3 << (color as u8 * 2))
    }

    /// Returns the index, below [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing. It lets the compiler leave out bounds checks.
        (self.0 & 15) as usize
    }

    /// Returns whether the set contains the right.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & Self::single(color, side).0 != 0
    }

    /// Returns the rights in both sets.
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the rights in either set.
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the rights that are not in `other`.
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
