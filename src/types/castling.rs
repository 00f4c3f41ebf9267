//! Castling rights.

use super::index_enum::index_enum;
use super::{Color, File, Rank, Square};

index_enum! {
    /// The wing on which a king castles: towards the h file (he ends on g) or the a file (he ends on c).
    CastlingSide, 2 { King, Queen }
}

impl CastlingSide {
    /// Where the king of `color` stands after castling.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the rook of `color` stands after castling.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// Which of the four castlings are still allowed. Bits: 0 White king side, 1 White queen side, 2 and 3 Black's.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// The number of different sets of rights.
    pub const COUNT: usize = 16;
    /// No right.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(15);

    /// The one right.
    #[inline]
    pub const fn single(color: Color, side: CastlingSide) -> Self {
        Self(1 << (color as u8 * 2 + side as u8))
    }

    /// Both rights of a colour.
    #[inline]
    pub const fn both(color: Color) -> Self {
        Self(3 << (color as u8 * 2))
    }

    /// The number of this set, below [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether the right is there.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & Self::single(color, side).0 != 0
    }

    /// The rights in both sets.
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The rights in either set.
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The rights of this set that are not in `other`.
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
