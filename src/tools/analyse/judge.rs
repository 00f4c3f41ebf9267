//! Winning chances of a score, and the judgement of moves that lose some of them.
//!
//! Source of formulas and limits: Lichess, <https://lichess.org/page/accuracy>. They fit games of
//! people, whose winning chances grow more slowly with the score than those of engines.

use crate::types::Score;

/// Clamp of scores, mates included, in hundredths of a pawn.
const MAX_SCORE: i32 = 1000;

/// Minimum loss of winning chances for each judgement, in percentage points.
const LIMITS: [(f64, Judgement); 3] =
    [(15.0, Judgement::Blunder), (10.0, Judgement::Mistake), (5.0, Judgement::Inaccuracy)];

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::tools) enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Judgement {
    pub(in crate::tools) const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Judges a loss of winning chances, in percentage points.
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

    pub(in crate::tools) const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    pub(in crate::tools) const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// Clamps a normalised score to [`MAX_SCORE`].
pub(in crate::tools) fn clamped(score: Score) -> Score {
    Score(score.0.clamp(-MAX_SCORE, MAX_SCORE))
}

/// Returns the winning chances, in percent, of a normalised score.
pub(in crate::tools) fn winning_chances(score: Score) -> f64 {
    100.0 / (1.0 + (-0.003_682_08 * f64::from(clamped(score).0)).exp())
}

/// Returns the accuracy, in percent, of a loss of winning chances.
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
