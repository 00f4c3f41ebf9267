//! Loss of a position: a power of the error in winning chance.
//!
//! An output times `SCALE` is a score, whose winning chance is sigmoid(score / scale). So the
//! engine does not depend on the scale of a recipe.

use tabia::eval::network::SCALE;

use crate::maths::{power_of, sigmoid};
use crate::recipe::Training;

const SQUARE: f64 = 2.0;

/// Power of the distance between two winning chances.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Loss {
    /// Argument of the logistic function for an output of 1.
    factor: f64,
    exponent: f64,
}

impl Default for Loss {
    /// Returns the squared error, with the engine's `SCALE`.
    fn default() -> Self {
        Self { factor: 1.0, exponent: SQUARE }
    }
}

impl Loss {
    /// Returns the loss of a recipe.
    pub fn of(training: &Training) -> Self {
        Self { factor: f64::from(SCALE) / f64::from(training.scale), exponent: training.exponent }
    }

    /// Returns the loss of an output for a target chance.
    pub fn value(self, output: f32, target: f32) -> f64 {
        self.of_error(self.chance(output) - f64::from(target))
    }

    fn of_error(self, error: f64) -> f64 {
        if self.exponent == SQUARE { error * error } else { power_of(error.abs(), self.exponent) }
    }

    /// Returns the loss and its derivative with respect to the output, times `scale`.
    pub fn value_and_slope(self, output: f32, target: f32, scale: f64) -> (f64, f64) {
        let chance = self.chance(output);
        let error = chance - f64::from(target);
        let steepness = if self.exponent == SQUARE {
            2.0 * error
        } else {
            self.exponent * power_of(error.abs(), self.exponent - 1.0).copysign(error)
        };
        let slope = steepness * chance * (1.0 - chance) * scale * self.factor;
        (self.of_error(error), slope)
    }

    fn chance(self, output: f32) -> f64 {
        sigmoid(f64::from(output) * self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_differences_of_losses() {
        const STEP: f32 = 1.0 / 1024.0;
        for (factor, exponent) in [(1.0, 2.0), (0.8, 2.0), (1.0, 2.5), (0.8, 1.5)] {
            let loss = Loss { factor, exponent };
            for (output, target) in [(0.5, 0.1), (-1.25, 0.75), (2.0, 1.0), (0.25, 0.5)] {
                let change = loss.value(output + STEP, target) - loss.value(output - STEP, target);
                let slope = 3.0 * change / f64::from(2.0 * STEP);
                let (value, found) = loss.value_and_slope(output, target, 3.0);
                assert_eq!(value, loss.value(output, target));
                assert!((slope - found).abs() < 1e-5, "{loss:?} {output}: {slope} or {found}");
            }
        }
    }

    #[test]
    fn the_scale_converts_scores_to_chances() {
        let loss = Loss { factor: f64::from(SCALE) / 200.0, ..Loss::default() };
        // An output of 1.25 is a score of 200.
        assert!(loss.value(1.25, sigmoid(1.0) as f32) < 1e-14);
        assert_eq!(Loss { exponent: 2.5, ..loss }.value_and_slope(0.0, 0.5, 1.0), (0.0, 0.0));
    }
}
