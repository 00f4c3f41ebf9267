//! Mathematical functions with the same result on every machine.
//!
//! System libraries differ in the last digit of an exponential, and so would the trained network.
//! Sums, products, quotients, square roots and rounding are exact to the last digit everywhere.

use std::f64::consts::{FRAC_PI_2, LOG2_E, PI, SQRT_2};

/// Natural logarithm of two in two parts. Multiples of the first are exact.
const LN_2_HIGH: f64 = 0.693_146_705_627_441_4;
const LN_2_LOW: f64 = 4.749_325_039_031_672_6e-7;

/// Returns e to the power of `x`, which is clamped to ±700.
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let twos = (x * LOG2_E).round_ties_even();
    let rest = x - twos * LN_2_HIGH - twos * LN_2_LOW;
    // Power series by Horner's rule.
    let series = (1..=14).rev().fold(1.0, |sum, n| 1.0 + sum * rest / f64::from(n));
    series * f64::from_bits(((1023 + twos as i64) as u64) << 52)
}

/// Returns the logistic function of `x`, 0 to 1.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// Returns the natural logarithm of a positive number.
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0);
    let bits = x.to_bits();
    let mut twos = (bits >> 52) as i64 - 1023;
    let mut rest = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if rest > SQRT_2 {
        rest *= 0.5;
        twos += 1;
    }
    // Power series of the inverse hyperbolic tangent; the argument is at most 0.172.
    let argument = (rest - 1.0) / (rest + 1.0);
    let square = argument * argument;
    let series = (0..=11).rev().fold(0.0, |sum, n| sum * square + 1.0 / f64::from(2 * n + 1));
    2.0 * argument * series + twos as f64 * LN_2_LOW + twos as f64 * LN_2_HIGH
}

/// Returns a power with a base of at least 0 and a positive exponent.
pub fn power_of(base: f64, exponent: f64) -> f64 {
    if base < f64::MIN_POSITIVE { 0.0 } else { exp(exponent * ln(base)) }
}

/// Returns the cosine of an angle from 0 to π.
pub fn cosine(angle: f64) -> f64 {
    debug_assert!((0.0..=PI).contains(&angle));
    if angle > FRAC_PI_2 {
        return -cosine(PI - angle);
    }
    let square = angle * angle;
    (1..=10).rev().fold(1.0, |sum, n| 1.0 - sum * square / f64::from((2 * n - 1) * (2 * n)))
}

/// Returns a power with an integer exponent.
pub fn power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut factor, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left & 1 != 0 {
            result *= factor;
        }
        factor *= factor;
        left >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree(found: f64, known: f64) -> bool {
        (found - known).abs() <= 4.0 * f64::EPSILON * known.abs().max(0.5)
    }

    #[test]
    fn exp_agrees_with_the_standard_library() {
        for step in -7000..=7000 {
            let x = f64::from(step) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "e to the power of {x}");
            assert!(agree(sigmoid(x), 1.0 / (1.0 + (-x).exp())), "sigmoid of {x}");
        }
        assert_eq!((exp(0.0), sigmoid(0.0)), (1.0, 0.5));
        assert!(exp(1e9).is_finite() && exp(-1e9) > 0.0);
    }

    #[test]
    fn cosine_agrees_with_the_standard_library() {
        for step in 0..=1000 {
            let angle = PI * f64::from(step) / 1000.0;
            assert!(agree(cosine(angle), angle.cos()), "cosine of {angle}");
        }
        assert_eq!((cosine(0.0), cosine(PI)), (1.0, -1.0));
    }

    #[test]
    fn logarithms_and_powers_agree_with_the_standard_library() {
        for step in 1..=4000 {
            let x = f64::from(step) / 1000.0;
            assert!(agree(ln(x), x.ln()), "logarithm of {x}");
            for exponent in [0.5, 1.5, 2.5] {
                let (found, known) = (power_of(x, exponent), x.powf(exponent));
                assert!((found / known - 1.0).abs() < 1e-13, "{x} to the power of {exponent}");
            }
        }
        assert!(agree(ln(1e-300), 1e-300_f64.ln()) && agree(ln(1e300), 1e300_f64.ln()));
        assert_eq!((ln(1.0), power_of(0.0, 1.5), power_of(1.0, 2.5)), (0.0, 0.0, 1.0));
    }

    #[test]
    fn powers_are_products() {
        assert_eq!((power(3.0, 0), power(3.0, 1), power(3.0, 13)), (1.0, 3.0, 1_594_323.0));
        assert!((power(0.999, 1000) / 0.999_f64.powi(1000) - 1.0).abs() < 1e-12);
    }
}
