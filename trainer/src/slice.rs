//! Forward and backward pass of the network over some positions.
//!
//! The work goes tile by tile, so that a tile's weights or gradients stay in the L2 cache. Sums
//! have a fixed order, and products are not fused with sums: the result is the same on every CPU.
//!
//! The activation is SCReLU, the square of the clamped sum.

use crate::loss::Loss;
use crate::model::{ModelParameters, TileRow};
use crate::record::{Features, Record};

/// Partial sums in a sum over hidden units, whatever the vector width.
const LANES: usize = 16;

/// Buffers that grow as needed.
#[derive(Default)]
pub struct Workspace {
    loss: Loss,
    features: Vec<Features>,
    /// Clamped sums of the hidden units: `[tile][position][view]`.
    sums: Vec<[TileRow; 2]>,
    outputs: Vec<f32>,
    /// Derivatives of the loss with respect to the outputs.
    slopes: Vec<f32>,
}

impl Workspace {
    /// Creates empty buffers for this loss.
    pub fn new(loss: Loss) -> Self {
        Self { loss, ..Self::default() }
    }

    /// Returns an output for each position. Times `SCALE` it is the score of the side to move in
    /// hundredths of a pawn.
    pub fn evaluate<'a>(
        &mut self,
        model: &ModelParameters,
        records: impl Iterator<Item = &'a Record>,
    ) -> &[f32] {
        self.features.clear();
        self.features.extend(records.map(Features::of));
        let (shape, count) = (model.shape, self.features.len());
        self.sums.resize(shape.tiles() * count, [[0.0; _]; 2]);
        self.outputs.clear();
        let bias = |features: &Features| model.output_bias(shape.bucket(features.piece_count()));
        self.outputs.extend(self.features.iter().map(bias));
        for (tile, sums) in self.sums.chunks_exact_mut(count.max(1)).enumerate() {
            let (weights, biases) = (model.weights(tile), model.biases(tile));
            for ((features, sums), output) in self.features.iter().zip(sums).zip(&mut self.outputs)
            {
                let bucket = shape.bucket(features.piece_count());
                let mut lanes = [0.0; LANES];
                for (view, sums) in sums.iter_mut().enumerate() {
                    *sums = sum_features(biases, weights, features.view(view));
                    add_products(&mut lanes, sums, model.outputs(bucket, view, tile));
                }
                *output += sum_lanes(lanes);
            }
        }
        &self.outputs
    }

    /// Returns the summed loss of some positions.
    pub fn loss<'a>(
        &mut self,
        model: &ModelParameters,
        records: impl Iterator<Item = &'a Record> + Clone,
    ) -> f64 {
        self.evaluate(model, records.clone());
        let pairs = records.zip(&self.outputs);
        pairs.map(|(record, &output)| self.loss.value(output, record.target)).sum()
    }

    /// Adds the gradient of the summed loss, times `scale`, to `gradient`. Returns the loss without
    /// the scale.
    pub fn add_gradient<'a>(
        &mut self,
        model: &ModelParameters,
        records: impl Iterator<Item = &'a Record> + Clone,
        scale: f64,
        gradient: &mut ModelParameters,
    ) -> f64 {
        self.evaluate(model, records.clone());
        let mut sum = 0.0;
        self.slopes.clear();
        for (record, &output) in records.zip(&self.outputs) {
            sum += self.loss.value(output, record.target);
            self.slopes.push(self.loss.slope(output, record.target, scale) as f32);
        }
        self.propagate_back(model, gradient);
        sum
    }

    fn propagate_back(&self, model: &ModelParameters, gradient: &mut ModelParameters) {
        let (shape, count) = (model.shape, self.features.len());
        for (features, slope) in self.features.iter().zip(&self.slopes) {
            *gradient.output_bias_mut(shape.bucket(features.piece_count())) += slope;
        }
        for (tile, sums) in self.sums.chunks_exact(count.max(1)).enumerate() {
            let mut gradient = gradient.tile_mut(tile);
            for ((features, sums), &slope) in self.features.iter().zip(sums).zip(&self.slopes) {
                let bucket = shape.bucket(features.piece_count());
                for (view, sums) in sums.iter().enumerate() {
                    add_squares(gradient.outputs(bucket, view), sums, slope);
                    let slopes = unit_slopes(sums, model.outputs(bucket, view, tile), slope);
                    add(gradient.biases, &slopes);
                    for &feature in features.view(view) {
                        add(&mut gradient.weights[usize::from(feature)], &slopes);
                    }
                }
            }
        }
    }
}

#[inline]
fn sum_features(biases: &TileRow, weights: &[TileRow], features: &[u16]) -> TileRow {
    let mut sums = *biases;
    for &feature in features {
        add(&mut sums, &weights[usize::from(feature)]);
    }
    sums.map(|sum| sum.clamp(0.0, 1.0))
}

#[inline]
fn add(sums: &mut TileRow, row: &TileRow) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += value;
    }
}

#[inline]
fn add_products(lanes: &mut [f32; LANES], sums: &TileRow, weights: &TileRow) {
    let (sums, weights) = (sums.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0);
    for (sums, weights) in sums.iter().zip(weights) {
        for ((lane, sum), weight) in lanes.iter_mut().zip(sums).zip(weights) {
            *lane += sum * sum * weight;
        }
    }
}

#[inline]
fn sum_lanes(mut lanes: [f32; LANES]) -> f32 {
    for half in [8, 4, 2, 1] {
        let (low, high) = lanes.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
    }
    lanes[0]
}

/// Adds the gradient of a tile's output weights.
#[inline]
fn add_squares(gradient: &mut TileRow, sums: &TileRow, slope: f32) {
    for (gradient, sum) in gradient.iter_mut().zip(sums) {
        *gradient += sum * sum * slope;
    }
}

/// Returns the derivatives with respect to a tile's sums: zero where a sum is out of bounds.
#[inline]
fn unit_slopes(sums: &TileRow, weights: &TileRow, slope: f32) -> TileRow {
    let mut slopes = *sums;
    for (sum, weight) in slopes.iter_mut().zip(weights) {
        let change = 2.0 * *sum * weight * slope;
        *sum = if *sum < 1.0 { change } else { 0.0 };
    }
    slopes
}
