//! Portable kernel. The loops go block by block so that the compiler can vectorise them.

use crate::eval::network::format::QA;

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
    // A valid network cannot overflow. With other weights, wrapping keeps the kernels equal.
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
            // Activation times weight fits 16 bits, times the activation again 32 bits.
            i32::from(clamped.wrapping_mul(weight)) * i32::from(clamped)
        });
        // The products of a block fit an i32, those of a row may not.
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
