//! The loops one number after the other, for any processor; the compiler makes what vectors of them it can.

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
    for row in added {
        for (sum, number) in numbers_mut(sums).zip(numbers(row)) {
            *sum = sum.wrapping_add(number);
        }
    }
    for row in removed {
        for (sum, number) in numbers_mut(sums).zip(numbers(row)) {
            *sum = sum.wrapping_sub(number);
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
            let clamped = i32::from(sum).clamp(0, QA);
            clamped * clamped * i32::from(weight)
        });
        // A block's products fit an i32, a row's may not.
        i64::from(products.sum::<i32>())
    });
    products.sum()
}

fn numbers<const N: usize>(row: &[Block; N]) -> impl Iterator<Item = i16> {
    row.iter().flat_map(|block| block.0)
}

fn numbers_mut<const N: usize>(row: &mut [Block; N]) -> impl Iterator<Item = &mut i16> {
    row.iter_mut().flat_map(|block| &mut block.0)
}
