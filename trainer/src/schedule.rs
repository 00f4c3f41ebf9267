//! Learning rate schedule: linear warm-up, then half a cosine down to the final rate.

use std::f64::consts::PI;

use crate::maths::cosine;
use crate::recipe::Training;

/// Returns the learning rate of a step, counted from 0. `steps` must exceed the warm-up.
pub fn rate(training: &Training, step: u64, steps: u64) -> f64 {
    let Training { rate, final_rate, warm_up, .. } = *training;
    if step < warm_up {
        return rate * (step + 1) as f64 / warm_up as f64;
    }
    let last = steps - 1;
    let part = if step == last { 1.0 } else { (step - warm_up) as f64 / (last - warm_up) as f64 };
    final_rate + (rate - final_rate) * 0.5 * (1.0 + cosine(PI * part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls_to_the_final_rate() {
        let training = Training {
            seed: 1,
            start: None,
            epochs: 1,
            batch: 16,
            rate: 0.01,
            final_rate: 0.0001,
            warm_up: 10,
            scale: 160,
            exponent: 2.0,
            decay: 0.0,
            max_input_weight: 127,
        };
        let rates: Vec<f64> = (0..1000).map(|step| rate(&training, step, 1000)).collect();
        assert_eq!((rates[0], rates[9], rates[10]), (0.001, 0.01, 0.01));
        assert!(rates[..10].is_sorted() && rates[10..].iter().rev().is_sorted());
        assert_eq!(rates[999], 0.0001);
        let middle = rates[10 + 989 / 2];
        assert!((middle - 0.00505).abs() < 0.0001, "{middle}");
        assert_eq!((rate(&training, 9, 11), rate(&training, 10, 11)), (0.01, 0.0001));
    }
}
