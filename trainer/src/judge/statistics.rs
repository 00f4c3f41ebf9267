//! Divisors, means and standard errors.

use std::fmt;

use crate::maths::sigmoid;

/// Smallest divisor that is tried.
const MIN_DIVISOR: f64 = 10.0;
/// Halvings of the interval of divisors, by a third each: more than the precision of an `f64`.
const THIRDS: usize = 60;

/// Factor from a standard error to half of the 95 % interval.
pub(super) const Z_95: f64 = 1.96;

/// A number with its standard error.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The estimated number.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// Returns the mean of independent values.
    pub fn mean(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let variance =
            values.iter().map(|each| (each - value).powi(2)).sum::<f64>() / (count - 1.0);
        Self { value, error: (variance / count).sqrt() }
    }

    /// Returns the ratio of two means of paired values. Its error is that of the first order
    /// (the *delta method*).
    pub fn ratio(above: &[f64], below: &[f64]) -> Self {
        let mean_below = Self::mean(below).value;
        let value = Self::mean(above).value / mean_below;
        let rests = above.iter().zip(below).map(|(above, below)| above - value * below);
        Self { value, error: Self::mean(&rests.collect::<Vec<_>>()).error / mean_below }
    }

    /// Returns the ends of the 95 % interval.
    pub fn interval(self) -> (f64, f64) {
        (self.value - Z_95 * self.error, self.value + Z_95 * self.error)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = f.precision().unwrap_or(5);
        write!(f, "{:.precision$} ± {:.precision$}", self.value, self.error)
    }
}

/// Returns the winning chance of an evaluation.
pub(super) fn chance(evaluation: i32, divisor: f64) -> f64 {
    sigmoid(f64::from(evaluation) / divisor)
}

/// Returns the divisor for which the chances of evaluations are nearest to their targets in the
/// mean square; infinite if the evaluations say nothing.
pub(super) fn fit_divisor(pairs: &[(i32, f64)]) -> f64 {
    let error = |inverse: f64| -> f64 {
        let chance = |evaluation| sigmoid(f64::from(evaluation) * inverse);
        pairs.iter().map(|&(evaluation, target)| (chance(evaluation) - target).powi(2)).sum()
    };
    // Ternary search over the inverse, in which infinity is an ordinary number.
    let (mut low, mut high) = (0.0, 1.0 / MIN_DIVISOR);
    for _ in 0..THIRDS {
        let third = (high - low) / 3.0;
        if error(low + third) <= error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    1.0 / low
}

/// Returns the slope of `y` on `x` through the origin, with a standard error that allows for any
/// variance of each value (White, 1980), and the mean square of the rest.
pub(super) fn fit_slope(x: &[f64], y: &[f64]) -> (Estimate, f64) {
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        x.iter().zip(y).map(|(&x, &y)| term(x, y)).sum()
    };
    let squares = sum(&|x, _| x * x);
    let value = sum(&|x, y| x * y) / squares;
    let error = sum(&|x, y| (x * (y - value * x)).powi(2)).sqrt() / squares;
    (Estimate { value, error }, sum(&|x, y| (y - value * x).powi(2)) / x.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_ratios_match_a_calculation_by_hand() {
        // The squared deviations are 4, 0 and 4: variance 4, of the mean 4/3.
        let mean = Estimate::mean(&[1.0, 3.0, 5.0]);
        assert_eq!(mean, Estimate { value: 3.0, error: (4.0_f64 / 3.0).sqrt() });
        assert_eq!(format!("{mean:.2}"), "3.00 ± 1.15");
        // The rests are −1, 0 and 1: variance 1, of their mean 1/3.
        let ratio = Estimate::ratio(&[1.0, 4.0, 7.0], &[1.0, 2.0, 3.0]);
        assert_eq!(ratio, Estimate { value: 2.0, error: (1.0_f64 / 3.0).sqrt() / 2.0 });
        let same = Estimate::ratio(&[0.5, 0.25], &[0.5, 0.25]);
        assert_eq!((same, same.interval()), (Estimate { value: 1.0, error: 0.0 }, (1.0, 1.0)));
    }

    #[test]
    fn the_divisor_of_exact_chances_is_found() {
        for divisor in [11.0, 83.0, 171.5, 5000.0] {
            let pairs = [-700, -90, 0, 15, 40, 310];
            let pairs = pairs.map(|evaluation| (evaluation, chance(evaluation, divisor)));
            let found = fit_divisor(&pairs);
            assert!((found / divisor - 1.0).abs() < 1e-6, "{found}, not {divisor}");
        }
        assert_eq!(chance(700, fit_divisor(&[(0, 0.3), (0, 0.9)])), 0.5, "evaluations say nothing");
        assert_eq!(chance(700, fit_divisor(&[(50, 0.3), (-50, 0.9)])), 0.5, "the wrong way round");
    }

    #[test]
    fn slopes_match_a_calculation_by_hand() {
        // 13/14; the rests are 1/14, 2/14 and 3/14 · −…: y − 13/14 · x.
        let (slope, rest) = fit_slope(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]);
        let rests = [1.0, 16.0, -11.0].map(|part: f64| part / 14.0);
        let error = (rests[0].powi(2) + (2.0 * rests[1]).powi(2) + (3.0 * rests[2]).powi(2)).sqrt();
        let near = |found: f64, known: f64| (found - known).abs() < 1e-12;
        assert!(near(slope.value, 13.0 / 14.0) && near(slope.error, error / 14.0), "{slope}");
        assert!(near(rest, rests.iter().map(|rest| rest * rest).sum::<f64>() / 3.0), "{rest}");
    }
}
