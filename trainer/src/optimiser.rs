//! AdamW: Adam with decoupled weight decay.
//!
//! Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization",
//! <https://arxiv.org/abs/1711.05101>

use wide::f32x16;

use crate::maths::power;

/// β₁ and β₂ of Adam.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
/// Avoids division by zero.
const EPSILON: f32 = 1e-8;

/// Coefficients of a step, the same for every parameter.
#[derive(Copy, Clone, Debug)]
pub struct Step {
    /// Learning rate, corrected for the bias of the first moment.
    rate: f32,
    /// Correction of the root mean square for the bias of the second moment.
    root: f32,
    /// Factor of the weight decay.
    keep: f32,
}

impl Step {
    /// Creates the step that follows `done` others.
    pub fn new(done: u64, rate: f64, weight_decay: f64) -> Self {
        let seen = |decay: f32| 1.0 - power(decay.into(), done + 1);
        Self {
            rate: (rate / seen(MEAN_DECAY)) as f32,
            root: (1.0 / seen(SQUARE_DECAY).sqrt()) as f32,
            keep: (1.0 - rate * weight_decay) as f32,
        }
    }

    /// Applies the step to some parameters, which end within ±`limit`.
    #[inline]
    pub fn take(
        self,
        parameter: &mut f32x16,
        (mean, square): (&mut f32x16, &mut f32x16),
        gradient: f32x16,
        limit: f32,
    ) {
        let [rate, root, keep, limit] = [self.rate, self.root, self.keep, limit].map(f32x16::splat);
        let [mean_decay, square_decay] = [MEAN_DECAY, SQUARE_DECAY].map(f32x16::splat);
        *mean = *mean * mean_decay + gradient * (f32x16::ONE - mean_decay);
        *square = *square * square_decay + gradient * gradient * (f32x16::ONE - square_decay);
        let size = square.sqrt() * root + f32x16::splat(EPSILON);
        let moved = *parameter * keep - rate * *mean / size;
        *parameter = moved.fast_max(-limit).fast_min(limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: f32 = 1.5;

    /// Returns the parameter after steps at a rate of 0.1.
    fn after(start: f32, gradients: &[f32], decay: f64) -> f32 {
        let [mut parameter, mut mean, mut square] = [start, 0.0, 0.0].map(f32x16::splat);
        for (done, gradient) in gradients.iter().enumerate() {
            let step = Step::new(done as u64, 0.1, decay);
            step.take(&mut parameter, (&mut mean, &mut square), f32x16::splat(*gradient), LIMIT);
        }
        parameter.to_array()[0]
    }

    fn near(found: f32, expected: f32) -> bool {
        (found - expected).abs() < 1e-5
    }

    #[test]
    fn steady_gradients_move_by_the_rate_whatever_their_size() {
        for size in [1e-2, 1.0, 1e4] {
            assert!(near(after(0.5, &[size; 3], 0.0), 0.2));
            assert!(near(after(0.5, &[-size; 3], 0.0), 0.8));
        }
        // The moments after both steps: 0.9·0.1·1 − 0.1·3 and 0.999·0.001·1 + 0.001·9.
        let second = (0.09 - 0.3) / 0.19 / ((0.000_999_f32 + 0.009) / 0.001_999).sqrt();
        assert!(near(after(0.5, &[1.0, -3.0], 0.0), 0.4 - 0.1 * second));
    }

    #[test]
    fn parameters_shrink_and_stay_within_bounds() {
        assert!(near(after(1.0, &[0.0; 2], 0.5), 0.95 * 0.95));
        assert_eq!(after(1.4, &[-1.0; 5], 0.0), LIMIT);
        assert_eq!(after(-1.4, &[1.0; 5], 0.0), -LIMIT);
        assert_eq!(after(0.0, &[0.0; 5], 0.0), 0.0);
    }
}
