//! Forward pass over some positions, and what the backward pass needs of them.
//!
//! Sums have a fixed order, and products are not fused with sums: the result is the same on every
//! CPU. The activation is SCReLU, the square of the clamped sum.

use wide::f32x16;

use tabia::eval::network::FEATURES;

use crate::loss::Loss;
use crate::model::{BIAS_ROW, GROUP, ModelParameters, TILE, TileRow};
use crate::record::{Examples, Features, Record};

/// Positions whose sums stay in a cache until their products are added up.
const POSITIONS_AT_ONCE: usize = 128;
const TILES_IN_GROUP: usize = GROUP / TILE;

/// Clamped sums of a tile's hidden units, then their derivatives: own and opponent's view.
pub type Views = [TileRow; 2];

/// A slice of a batch.
#[derive(Default)]
pub struct Slice {
    records: Vec<Record>,
    /// Features of each position.
    pub features: Vec<Features>,
    outputs: Vec<f32>,
    /// Derivative of the loss with respect to each output.
    pub slopes: Vec<f32>,
    /// Sum of the losses.
    pub loss: f64,
    /// Views in which each feature occurs.
    pub occurrences: Occurrences,
}

impl Slice {
    /// Evaluates the positions at these places. `sums` gets the clamped sums of each
    /// tile; the slopes are multiplied by `scale`.
    pub fn forward(
        &mut self,
        model: &ModelParameters,
        examples: Examples<'_>,
        places: &[u32],
        loss: Loss,
        scale: f64,
        sums: &mut [&mut [Views]],
    ) {
        // Copied first: a loop of nothing but copies waits for many cache misses at once.
        self.records.clear();
        self.records.extend(places.iter().map(|&place| examples.get(place)));
        self.features.clear();
        self.features.extend(self.records.iter().map(Features::of));
        self.occurrences.find(&self.features);
        set_biases(model, &self.features, &mut self.outputs);
        // A group's weights stay in the L2 cache.
        for (group, sums) in sums.chunks_exact_mut(TILES_IN_GROUP).enumerate() {
            for start in (0..places.len()).step_by(POSITIONS_AT_ONCE) {
                let block = start..places.len().min(start + POSITIONS_AT_ONCE);
                let (features, outputs) =
                    (&self.features[block.clone()], &mut self.outputs[block.clone()]);
                let sums = sums.iter_mut().map(|sums| &mut sums[block.clone()]);
                add_group(model, group, features, outputs, sums);
            }
        }
        self.loss = 0.0;
        self.slopes.clear();
        for (record, &output) in self.records.iter().zip(&self.outputs) {
            let (value, slope) = loss.value_and_slope(output, record.target, scale);
            self.loss += value;
            self.slopes.push(slope as f32);
        }
    }
}

/// Views of a slice in which each feature occurs, in the order of the positions.
#[derive(Default)]
pub struct Occurrences {
    /// End of each feature's views in `views`.
    ends: Vec<u32>,
    /// Twice the position's index, plus one for the opponent's view.
    views: Vec<u32>,
}

impl Occurrences {
    /// Sorts the views of some positions by feature.
    fn find(&mut self, features: &[Features]) {
        let views = || features.iter().flat_map(|features| [features.view(0), features.view(1)]);
        self.ends.clear();
        self.ends.resize(FEATURES + 1, 0);
        for view in views() {
            for &feature in view {
                self.ends[usize::from(feature) + 1] += 1;
            }
        }
        let mut total = 0;
        for end in &mut self.ends {
            total += *end;
            *end = total;
        }
        self.views.resize(total as usize, 0);
        for (index, view) in (0..).zip(views()) {
            for &feature in view {
                let end = &mut self.ends[usize::from(feature)];
                self.views[*end as usize] = index;
                *end += 1;
            }
        }
    }

    /// Returns the views with a feature.
    pub fn of(&self, feature: usize) -> &[u32] {
        let start = if feature == 0 { 0 } else { self.ends[feature - 1] };
        &self.views[start as usize..self.ends[feature] as usize]
    }
}

/// Buffers to evaluate positions, which grow as needed.
#[derive(Default)]
pub struct Workspace {
    features: Vec<Features>,
    sums: Vec<Views>,
    outputs: Vec<f32>,
}

impl Workspace {
    /// Returns an output for each position. Times `SCALE` it is the score of the side to move in
    /// hundredths of a pawn.
    pub fn evaluate(&mut self, model: &ModelParameters, records: &[Record]) -> &[f32] {
        self.features.clear();
        self.features.extend(records.iter().map(Features::of));
        self.sums.resize(TILES_IN_GROUP * POSITIONS_AT_ONCE, [TileRow::ZERO; 2]);
        set_biases(model, &self.features, &mut self.outputs);
        for group in 0..model.shape.hidden / GROUP {
            let outputs = self.outputs.chunks_mut(POSITIONS_AT_ONCE);
            for (features, outputs) in self.features.chunks(POSITIONS_AT_ONCE).zip(outputs) {
                let sums = self.sums.chunks_exact_mut(POSITIONS_AT_ONCE);
                add_group(model, group, features, outputs, sums);
            }
        }
        &self.outputs
    }

    /// Returns the summed loss of some positions.
    pub fn loss(&mut self, model: &ModelParameters, records: &[Record], loss: Loss) -> f64 {
        let outputs = self.evaluate(model, records);
        let pairs = records.iter().zip(outputs);
        pairs.map(|(record, &output)| loss.value(output, record.target)).sum()
    }
}

/// Sets the output of each position to the bias of its bucket.
fn set_biases(model: &ModelParameters, features: &[Features], outputs: &mut Vec<f32>) {
    let bucket = |features: &Features| model.shape.bucket(features.piece_count());
    outputs.clear();
    outputs.extend(features.iter().map(|features| model.output_biases[bucket(features)]));
}

/// Adds the products of a group of hidden units to the outputs of some positions. `sums` gets the
/// clamped sums of each of its tiles.
fn add_group<'a>(
    model: &ModelParameters,
    group: usize,
    features: &[Features],
    outputs: &mut [f32],
    sums: impl Iterator<Item = &'a mut [Views]>,
) {
    let tiles = group * TILES_IN_GROUP..(group + 1) * TILES_IN_GROUP;
    let mut found: [&[Views]; TILES_IN_GROUP] = [&[]; TILES_IN_GROUP];
    for ((tile, sums), found) in tiles.clone().zip(sums).zip(&mut found) {
        let rows = model.tile(tile);
        for (sums, features) in sums.iter_mut().zip(features) {
            *sums = sum_features(rows, features);
        }
        *found = sums;
    }
    for (index, (features, output)) in features.iter().zip(outputs).enumerate() {
        let bucket = model.shape.bucket(features.piece_count());
        let mut lanes = f32x16::ZERO;
        for view in [0, 1] {
            for (tile, sums) in tiles.clone().zip(&found) {
                add_products(&mut lanes, &sums[index][view], model.outputs(bucket, view, tile));
            }
        }
        *output += sum_lanes(lanes);
    }
}

#[inline]
fn sum_features(rows: &[TileRow], features: &Features) -> Views {
    let [mut own, mut theirs] = [rows[BIAS_ROW]; 2];
    for (own_feature, their_feature) in features.view(0).iter().zip(features.view(1)) {
        own.add(&rows[usize::from(*own_feature)]);
        theirs.add(&rows[usize::from(*their_feature)]);
    }
    [own, theirs]
        .map(|sums| TileRow(sums.0.map(|sum| sum.fast_max(f32x16::ZERO).fast_min(f32x16::ONE))))
}

#[inline]
fn add_products(lanes: &mut f32x16, sums: &TileRow, weights: &TileRow) {
    for (sum, weight) in sums.0.iter().zip(&weights.0) {
        *lanes += *sum * *sum * *weight;
    }
}

#[inline]
fn sum_lanes(lanes: f32x16) -> f32 {
    let mut lanes = lanes.to_array();
    for half in [8, 4, 2, 1] {
        let (low, high) = lanes.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
    }
    lanes[0]
}
