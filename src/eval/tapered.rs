//! Values that change between the middlegame and the endgame.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The phase with all pieces on the board; 0 is an endgame of pawns. More than this (after promotions) counts as this.
pub const MAX_PHASE: i32 = 24;

/// What a feature is worth in the middlegame and in the endgame, in hundredths of a pawn.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Tapered {
    /// The worth with all pieces on the board.
    pub middlegame: i32,
    /// The worth with pawns and kings only.
    pub endgame: i32,
}

/// The short spelling for tables.
pub(super) const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered { middlegame, endgame }
}

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Self = t(0, 0);

    /// The sum; `+` is not available in constants.
    pub(super) const fn plus(self, other: Self) -> Self {
        t(self.middlegame + other.middlegame, self.endgame + other.endgame)
    }

    /// The product with a count; `*` is not available in constants.
    pub(super) const fn times(self, count: i32) -> Self {
        t(self.middlegame * count, self.endgame * count)
    }

    /// The value at `phase`, on the straight line between endgame (0) and middlegame ([`MAX_PHASE`]).
    ///
    /// Division truncates towards zero, so that the value of a mirrored board is exactly the negative.
    #[inline]
    pub fn at_phase(self, phase: i32) -> i32 {
        let phase = phase.min(MAX_PHASE);
        (self.middlegame * phase + self.endgame * (MAX_PHASE - phase)) / MAX_PHASE
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.times(-1)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        t(self.middlegame - other.middlegame, self.endgame - other.endgame)
    }
}

impl Mul<usize> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, count: usize) -> Self {
        self.times(count as i32)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_interpolate() {
        let value = t(100, 40);
        assert_eq!(value.at_phase(MAX_PHASE), 100);
        assert_eq!(value.at_phase(MAX_PHASE + 8), 100, "promoted queens");
        assert_eq!(value.at_phase(MAX_PHASE / 2), 70);
        assert_eq!(value.at_phase(0), 40);
        assert_eq!((-value).at_phase(7), -value.at_phase(7));
    }
}
