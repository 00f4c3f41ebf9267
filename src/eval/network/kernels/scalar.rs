//! The loops in plain Rust, for any processor. They go block by block, which the compiler makes vectors of where the
//! processor it builds for has some: on x86-64 those of 16 bytes, that every one has.

use super::super::format::QA;
use super::Block;

pub(super) fn update<const N: usize, const A: usize, const R: usize>(
    to: &mut [Block; N],
    from: &[Block; N],
    added: [&[Block; N]; A],
    removed: [&[Block; N]; R],
) {
    *to = *from;
    accumulate(to, &added, &removed);
}

pub(super) fn accumulate<const N: usize>(
    sums: &mut [Block; N],
    added: &[&[Block; N]],
    removed: &[&[Block; N]],
) {
    // Sums of a checked network fit; for others the kernels at least agree.
    for (block, sums) in sums.iter_mut().enumerate() {
        for row in added {
            combine(sums, &row[block], i16::wrapping_add);
        }
        for row in removed {
            combine(sums, &row[block], i16::wrapping_sub);
        }
    }
}

pub(super) fn forward<const N: usize>(
    own: &[Block; N],
    their: &[Block; N],
    weights: &[[Block; N]; 2],
) -> i64 {
    let [own_weights, their_weights] = weights;
    weigh(own, own_weights) + weigh(their, their_weights)
}

fn weigh<const N: usize>(sums: &[Block; N], weights: &[Block; N]) -> i64 {
    let products = sums.iter().zip(weights).map(|(sums, weights)| {
        let products = sums.0.iter().zip(weights.0).map(|(&sum, weight)| {
            let clamped = sum.clamp(0, QA as i16);
            // An activation by its weight fits 16 bits, by itself again 32.
            i32::from(clamped.wrapping_mul(weight)) * i32::from(clamped)
        });
        // A block's products fit an i32, a row's may not.
        i64::from(products.sum::<i32>())
    });
    products.sum()
}

#[inline]
fn combine(sums: &mut Block, numbers: &Block, operation: impl Fn(i16, i16) -> i16) {
    for (sum, number) in sums.0.iter_mut().zip(numbers.0) {
        *sum = operation(*sum, number);
    }
}
