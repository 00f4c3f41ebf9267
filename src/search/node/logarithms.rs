//! Logarithms of the depth and the move number, for reductions.

use crate::types::{Depth, MAX_PLY};

/// Returns log₂(depth) · log₂(move number) in 1/1024.
#[inline]
pub(crate) fn log_product(depth: Depth, number: usize) -> i32 {
    let row = depth.clamp(1, MAX_PLY as Depth - 1) as usize;
    i32::from(PRODUCTS[row][number.min(MOVES - 1)])
}

/// Returns the base-2 logarithm in 1/1024. It uses integers because `f64::ln` differs between
/// platforms, which would then search different nodes.
const fn log2(x: u64) -> i32 {
    assert!(x > 0 && x < 1 << 16);
    let whole = x.ilog2();
    // x / 2^whole in [1, 2), with 30 fractional bits. Squaring doubles the logarithm; each time the
    // mantissa reaches 2, one more bit of the fraction is 1.
    let mut mantissa = x << (30 - whole);
    let mut log = whole as i32;
    let mut bit = 0;
    while bit < 10 {
        mantissa = (mantissa * mantissa) >> 30;
        log <<= 1;
        if mantissa >= 1 << 31 {
            mantissa >>= 1;
            log += 1;
        }
        bit += 1;
    }
    log
}

/// Number of moves that the table distinguishes. Later ones count as the last of them.
const MOVES: usize = 64;

/// log₂(depth) · log₂(move number) in 1/1024: `[depth][move number]`, free of tunable parameters.
static PRODUCTS: [[u16; MOVES]; MAX_PLY] = {
    let mut table = [[0; MOVES]; MAX_PLY];
    let mut depth = 1;
    while depth < MAX_PLY {
        let mut number = 1;
        while number < MOVES {
            table[depth][number] = ((log2(depth as u64) * log2(number as u64)) >> 10) as u16;
            number += 1;
        }
        depth += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_match_floating_point() {
        for x in 1..5000u64 {
            let exact = (x as f64).log2() * 1024.0;
            assert!((f64::from(log2(x)) - exact).abs() < 1.5, "{x}");
        }
    }
}
