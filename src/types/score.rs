//! Scores, bounds and depths.
//!
//! ```text
//! 0           TABLEBASE-MAX_PLY      TABLEBASE   MATE-MAX_PLY            MATE
//! | evaluations |   tablebase wins           |          |  mate in MAX_PLY … mate in 0
//! ```

use std::ops::{Add, Div, Neg, Sub};

use super::piece::Color;

/// Remaining search depth in plies.
pub type Depth = i32;

/// Maximum length of a searched line, in plies.
pub const MAX_PLY: usize = 246;

/// Score from the side to move's point of view unless said otherwise, in hundredths of a pawn.
///
/// The network does not measure pawns, so the name of the unit is a convention. Users see
/// normalised scores: `crate::eval::chances::normalised`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// A drawn position.
    pub const DRAW: Self = Self(0);
    /// No material won or lost in an exchange.
    pub const ZERO: Self = Self(0);
    /// The opponent is mated at the root.
    pub const MATE: Self = Self(32_000);
    /// Limit above every score.
    pub const INFINITE: Self = Self(32_001);
    /// Lowest score of a forced mate.
    pub const MIN_MATE: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A tablebase win at the root.
    pub const TABLEBASE: Self = Self(20_000);
    /// Lowest score of a tablebase win.
    pub const MIN_TABLEBASE: Self = Self(Self::TABLEBASE.0 - MAX_PLY as i32);
    /// Largest evaluation; decisive scores lie beyond it.
    pub const MAX_EVAL: Self = Self(Self::MIN_TABLEBASE.0 - 1);

    /// Returns the score of giving mate `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// Returns the score of being mated `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        Self(-Self::MATE.0 + ply as i32)
    }

    /// Returns the score of a tablebase win `ply` plies from the root.
    #[inline]
    pub const fn tablebase_win_in(ply: usize) -> Self {
        Self(Self::TABLEBASE.0 - ply as i32)
    }

    /// Returns whether this is a forced mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MIN_MATE.0
    }

    /// Returns whether this is a loss by mate or tablebases.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_TABLEBASE.0
    }

    /// Returns whether this is a win by mate or tablebases.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_TABLEBASE.0
    }

    /// Returns whether this is a win for either side, by mate or tablebases.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns the moves until mate: positive if the side of this score mates, negative if it is
    /// mated, 0 if the mate is on the board.
    pub const fn mate_moves(self) -> Option<i32> {
        let plies = Self::MATE.0 - self.0.abs();
        if self.is_mate() { Some((plies + 1) / 2 * self.0.signum()) } else { None }
    }

    /// Returns a score of the side to move from White's view, or the reverse.
    pub const fn for_white(self, side_to_move: Color) -> Self {
        match side_to_move {
            Color::White => self,
            Color::Black => Self(-self.0),
        }
    }

    /// Clamps the score to the range of evaluations.
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

/// Relation between a stored score and the true score of a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most the stored one: no move raised alpha.
    Upper = 1,
    /// The true score is at least the stored one: a move reached beta.
    Lower = 2,
    /// The stored score is the true one.
    Exact = 3,
}

impl Bound {
    /// Returns whether the stored score decides the zero window `(beta - 1, beta)`.
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
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!((-Score::mate_in(3)).mate_moves(), Some(-2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score(-35).mate_moves(), None);
        assert!(
            !Score::MAX_EVAL.is_mate() && Score::MIN_MATE.is_win() && (-Score::MIN_MATE).is_loss()
        );
    }
}
