//! Scores, bounds and depths.
//!
//! ```text
//! 0           TABLEBASE-MAX_PLY        TABLEBASE   MATE-MAX_PLY           MATE
//! | evaluations |   won by the tablebases    |          |  mate in MAX_PLY …   … mate in 0
//! ```

use std::fmt;
use std::ops::{Add, Div, Neg, Sub};

/// Depth left to search, in plies.
pub type Depth = i32;

/// The longest line searched, in plies.
pub const MAX_PLY: usize = 246;

/// A score from the side to move's point of view unless said otherwise.
///
/// Its unit is that of the evaluation. It is called a hundredth of a pawn, as everywhere in the field, though no pawn is
/// measured: a network has learnt what positions are worth, and `crate::eval::chances` says what that means for results.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// Score of a drawn position.
    pub const DRAW: Self = Self(0);
    /// No material won or lost: the neutral value of exchanges and margins.
    pub const ZERO: Self = Self(0);
    /// Mate on the board, for the side that gave it.
    pub const MATE: Self = Self(32_000);
    /// Above every score.
    pub const INFINITE: Self = Self(32_001);
    /// The least score that is a forced mate.
    pub const MIN_MATE: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A win that the tablebases know, at the root.
    pub const TABLEBASE: Self = Self(20_000);
    /// The least score that is a win by the tablebases.
    pub const MIN_TABLEBASE: Self = Self(Self::TABLEBASE.0 - MAX_PLY as i32);
    /// The largest score of an evaluation: decisive scores lie beyond it.
    pub const MAX_EVAL: Self = Self(Self::MIN_TABLEBASE.0 - 1);

    /// Mating `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// Being mated `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        Self(-Self::MATE.0 + ply as i32)
    }

    /// A win by the tablebases `ply` plies from the root.
    #[inline]
    pub const fn tablebase_win_in(ply: usize) -> Self {
        Self(Self::TABLEBASE.0 - ply as i32)
    }

    /// Whether one side mates by force.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MIN_MATE.0
    }

    /// Whether this is a forced loss, by mate or by the tablebases.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_TABLEBASE.0
    }

    /// Whether this is a forced win, by mate or by the tablebases.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_TABLEBASE.0
    }

    /// Whether this is a forced win of either side.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Moves until mate: positive when mating, negative or zero when being mated; `None` without a forced mate.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Self::MATE.0 + self.0) / 2)
        }
    }

    /// The score held to the range of evaluations.
    #[inline]
    pub fn clamp_to_eval(self) -> Self {
        Self(self.0.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Score {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, units: i32) -> Self {
        Self(self.0 + units)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, units: i32) -> Self {
        Self(self.0 - units)
    }
}

impl Div<i32> for Score {
    type Output = Self;
    #[inline]
    fn div(self, divisor: i32) -> Self {
        Self(self.0 / divisor)
    }
}

/// As UCI prints it: `cp 31`, `mate 3`, `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// What a score says about the true one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this: no move raised alpha.
    Upper = 1,
    /// The true score is at least this: a move reached beta.
    Lower = 2,
    /// The score itself.
    Exact = 3,
}

impl Bound {
    /// Whether `score` with this bound shows the true score to be at least `beta` (or at most, for `beta - 1`).
    #[inline]
    pub fn allows_cutoff(self, score: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score < beta,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score(-35).to_string(), "cp -35");
        assert!(
            !Score::MAX_EVAL.is_mate() && Score::MIN_MATE.is_win() && (-Score::MIN_MATE).is_loss()
        );
    }
}
