//! Backward pass: gradients of a tile's rows.
//!
//! Each slice's gradient is summed position by position, and the slices are added in order. A
//! gradient is summed where it is used and never stored: only the derivatives with respect to the
//! sums of the hidden units are read, which fit the L2 cache.

use wide::f32x16;

use tabia::eval::network::FEATURES;

use crate::model::{BIAS_ROW, ModelShape, TileRow};
use crate::slice::{Slice, Views};

/// Calls `visit` with the number and the gradient of each row of a tile. `sums` are the clamped
/// sums of all slices, which are overwritten, and `outputs` the tile's output weights.
pub fn gradients(
    shape: ModelShape,
    slices: &[Slice],
    sums: &mut [Views],
    outputs: &[TileRow],
    mut visit: impl FnMut(usize, &TileRow),
) {
    let mut biases = TileRow::ZERO;
    let mut weights = vec![TileRow::ZERO; outputs.len()];
    let mut slopes: Vec<&[TileRow]> = Vec::with_capacity(slices.len());
    let per_slice = sums.len() / slices.len();
    for (slice, sums) in slices.iter().zip(sums.chunks_exact_mut(per_slice)) {
        let mut of_biases = TileRow::ZERO;
        let mut of_weights = vec![TileRow::ZERO; outputs.len()];
        for ((features, slope), views) in slice.features.iter().zip(&slice.slopes).zip(&mut *sums) {
            let bucket = shape.bucket(features.piece_count());
            for (view, sums) in views.iter_mut().enumerate() {
                let row = bucket * 2 + view;
                add_squares(&mut of_weights[row], sums, *slope);
                *sums = unit_slopes(sums, &outputs[row], *slope);
                of_biases.add(sums);
            }
        }
        biases.add(&of_biases);
        weights.iter_mut().zip(&of_weights).for_each(|(sum, row)| sum.add(row));
        slopes.push(sums.as_flattened());
    }
    for feature in 0..FEATURES {
        let mut gradient = TileRow::ZERO;
        for (slice, slopes) in slices.iter().zip(&slopes) {
            let mut sum = TileRow::ZERO;
            for &view in slice.occurrences.of(feature) {
                sum.add(&slopes[view as usize]);
            }
            gradient.add(&sum);
        }
        visit(feature, &gradient);
    }
    for (row, gradient) in (BIAS_ROW..).zip([biases].iter().chain(&weights)) {
        visit(row, gradient);
    }
}

/// Returns the gradient of each bucket's output bias.
pub fn output_bias_gradients(shape: ModelShape, slices: &[Slice]) -> Vec<f32> {
    let mut gradients = vec![0.0; shape.buckets];
    for slice in slices {
        let mut sums = vec![0.0; shape.buckets];
        for (features, slope) in slice.features.iter().zip(&slice.slopes) {
            sums[shape.bucket(features.piece_count())] += slope;
        }
        gradients.iter_mut().zip(&sums).for_each(|(gradient, sum)| *gradient += sum);
    }
    gradients
}

/// Adds the gradient of a tile's output weights.
#[inline]
fn add_squares(gradient: &mut TileRow, sums: &TileRow, slope: f32) {
    for (gradient, sum) in gradient.0.iter_mut().zip(&sums.0) {
        *gradient += *sum * *sum * f32x16::splat(slope);
    }
}

/// Returns the derivatives with respect to a tile's sums: zero where a sum is out of bounds.
#[inline]
fn unit_slopes(sums: &TileRow, weights: &TileRow, slope: f32) -> TileRow {
    let mut slopes = *sums;
    for (sum, weight) in slopes.0.iter_mut().zip(&weights.0) {
        let change = f32x16::splat(2.0) * *sum * *weight * f32x16::splat(slope);
        *sum = sum.simd_lt(f32x16::ONE) & change;
    }
    slopes
}
