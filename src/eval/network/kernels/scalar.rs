//! Portable kernel. The loops go block by block so that the compiler can vectorise them.

use crate::eval::network::format::QA;

use super::{Block, Input, Rows, WeightBlock};

pub(super) fn update<const N: usize, const SIDES: usize>(
    to: [&mut [Block; N]; SIDES],
    from: [&[Block; N]; SIDES],
    rows: [Rows<'_, N>; SIDES],
    added: &[Input],
    removed: &[Input],
) {
    for ((to, from), rows) in to.into_iter().zip(from).zip(rows) {
        *to = *from;
        // The result fits for a valid network; sums in between may wrap. Wrapping also keeps the
        // kernels equal with other weights.
        for &input in added {
            combine(to, rows.row(input), i16::wrapping_add);
        }
        for &input in removed {
            combine(to, rows.row(input), i16::wrapping_sub);
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
fn combine<const N: usize>(
    to: &mut [Block; N],
    row: &[WeightBlock; N],
    operation: impl Fn(i16, i16) -> i16,
) {
    for (sums, weights) in to.iter_mut().zip(row) {
        for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
            *sum = operation(*sum, weight.into());
        }
    }
}
