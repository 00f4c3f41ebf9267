//! Winning chances of a score, and what a move that loses some of them is worth.
//!
//! Source of both formulas and of the limits: Lichess, <https://lichess.org/page/accuracy>. They
//! are fitted to games of people, whose winning chances grow more slowly with the score than those
//! of engines.

use crate::types::Score;

/// Scores beyond this count as this, in hundredths of a pawn. Mates do, too.
const MAX_SCORE: i32 = 1000;

/// Winning chances, in percentage points, that a move of each kind loses at least.
const LIMITS: [(f64, Judgement); 3] =
    [(15.0, Judgement::Blunder), (10.0, Judgement::Mistake), (5.0, Judgement::Inaccuracy)];

/// Kind of a bad move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::tools) enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Judgement {
    pub(in crate::tools) const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Judges a move by the winning chances that it loses, in percentage points.
    pub(in crate::tools) fn of(loss: f64) -> Option<Self> {
        LIMITS.into_iter().find(|(limit, _)| loss >= *limit).map(|(_, judgement)| judgement)
    }

    /// Returns the numeric annotation glyph.
    pub(in crate::tools) const fn nag(self) -> u16 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// Returns the sign behind a move.
    pub(in crate::tools) const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the name.
    pub(in crate::tools) const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// Limits a normalised score to those that differ in winning chances.
pub(in crate::tools) fn limited(score: Score) -> Score {
    Score(score.0.clamp(-MAX_SCORE, MAX_SCORE))
}

/// Returns the winning chances, in percent, of the side that has this normalised score.
pub(in crate::tools) fn winning_chances(score: Score) -> f64 {
    100.0 / (1.0 + (-0.003_682_08 * f64::from(limited(score).0)).exp())
}

/// Returns the accuracy, in percent, of a move that loses these winning chances.
pub(in crate::tools) fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_symmetrical_and_bounded() {
        assert_eq!(winning_chances(Score::DRAW), 50.0);
        for score in [Score(31), Score(300), Score::MATE, Score::TABLEBASE] {
            let (one, other) = (winning_chances(score), winning_chances(-score));
            assert!(one > 50.0 && one < 98.0 && (one + other - 100.0).abs() < 1e-9, "{score:?}");
        }
        assert_eq!(winning_chances(Score::mate_in(1)), winning_chances(Score::mate_in(40)));
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!(accuracy(0.0) > 99.99 && accuracy(100.0) == 0.0);
        assert!((accuracy(10.0) - 63.58).abs() < 0.01, "{}", accuracy(10.0));
        let judged = [0.0, 4.9, 5.0, 10.0, 14.9, 15.0, 97.0].map(Judgement::of);
        let names = judged.map(|judgement| judgement.map_or("", Judgement::sign));
        assert_eq!(names, ["", "", "?!", "?", "?", "??", "??"]);
    }
}
