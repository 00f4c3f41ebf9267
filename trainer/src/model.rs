//! The network in floating point: its shape, its parameters and where they start from.

use std::fmt;
use std::ops::Range;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

use tabia::eval::network::{self, FEATURES, QA, QB};

/// Hidden units that are worked on at a time. Their weights and the gradients of these stay in the second cache.
pub const TILE: usize = 64;
/// No parameter gets larger than this, of either sign: the engine's 16-bit numbers have room for output
/// weights up to 2 and for feature weights and biases up to 3.89.
pub const MAX_PARAMETER: f32 = 1.98;

/// What each hidden unit of a tile has.
pub type Row = [f32; TILE];

/// How large a network is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Hidden units of each view, a multiple of [`TILE`].
    pub hidden: usize,
    /// Sets of output weights, chosen by the number of pieces.
    pub buckets: usize,
}

/// `256 x 8`: hidden units and buckets.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.hidden, self.buckets)
    }
}

impl Shape {
    /// Tiles of hidden units.
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }

    /// The bucket of a position with so many pieces, 2 to 32.
    pub fn bucket(self, pieces: usize) -> usize {
        network::bucket(pieces, self.buckets)
    }

    const fn biases_at(self) -> usize {
        FEATURES * self.hidden
    }

    const fn outputs_at(self) -> usize {
        self.biases_at() + self.hidden
    }

    const fn output_biases_at(self) -> usize {
        self.outputs_at() + self.buckets * 2 * self.hidden
    }

    /// The number of parameters.
    pub const fn parameters(self) -> usize {
        self.output_biases_at() + self.buckets
    }

    /// Where the feature weights of a tile are.
    const fn weights(self, tile: usize) -> Range<usize> {
        tile * FEATURES * TILE..(tile + 1) * FEATURES * TILE
    }

    const fn biases(self, tile: usize) -> Range<usize> {
        let start = self.biases_at() + tile * TILE;
        start..start + TILE
    }

    const fn outputs(self, bucket: usize, view: usize, tile: usize) -> Range<usize> {
        let start = self.outputs_at() + (bucket * 2 + view) * self.hidden + tile * TILE;
        start..start + TILE
    }

    const fn output_bias(self, bucket: usize) -> usize {
        self.output_biases_at() + bucket
    }
}

/// The parameters of a network, or a number for each of them: a gradient, a mean.
///
/// Their order: feature weights `[tile][feature][unit of the tile]`, feature biases `[hidden]`, output weights
/// `[bucket][view][hidden]` where view 0 is that of the side to move, output biases `[bucket]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// How many there are of what.
    pub shape: Shape,
    /// All of them.
    pub values: Vec<f32>,
}

impl Parameters {
    /// All zero.
    pub fn zeros(shape: Shape) -> Self {
        Self { shape, values: vec![0.0; shape.parameters()] }
    }

    /// A start for training: small numbers drawn from the seed, large enough for hidden units to differ and small
    /// enough for them to stay within the bounds of their activation.
    pub fn random(shape: Shape, seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut parameters = Self::zeros(shape);
        let (weights, rest) = parameters.values.split_at_mut(shape.biases_at());
        let (biases, outputs) = rest.split_at_mut(shape.hidden);
        // Weights are drawn by feature, so that the width of a tile does not matter.
        for feature in 0..FEATURES {
            for unit in 0..shape.hidden {
                let at = unit / TILE * FEATURES * TILE + feature * TILE + unit % TILE;
                weights[at] = between(&mut rng, -0.1, 0.1);
            }
        }
        biases.iter_mut().for_each(|bias| *bias = between(&mut rng, 0.0, 0.2));
        let bound = 1.0 / (shape.hidden as f32).sqrt();
        let output_weights = shape.buckets * 2 * shape.hidden;
        outputs[..output_weights]
            .iter_mut()
            .for_each(|weight| *weight = between(&mut rng, -bound, bound));
        parameters
    }

    /// Makes these the others, each rounded to a number that the network can have as a whole one.
    pub fn round_from(&mut self, others: &Self) {
        let shape = self.shape;
        let units =
            [(0..shape.outputs_at(), QA), (shape.outputs_at()..shape.output_biases_at(), QB)];
        let last = (shape.output_biases_at()..shape.parameters(), QA * QB);
        for (range, unit) in units.into_iter().chain([last]) {
            let unit = unit as f32;
            for (value, other) in self.values[range.clone()].iter_mut().zip(&others.values[range]) {
                *value = (other * unit).round_ties_even() / unit;
            }
        }
    }

    /// The weights of each feature for the units of a tile.
    pub fn weights(&self, tile: usize) -> &[Row] {
        rows(&self.values[self.shape.weights(tile)])
    }

    /// The biases of a tile.
    pub fn biases(&self, tile: usize) -> &Row {
        row(&self.values[self.shape.biases(tile)])
    }

    /// The output weights of a tile.
    pub fn outputs(&self, bucket: usize, view: usize, tile: usize) -> &Row {
        row(&self.values[self.shape.outputs(bucket, view, tile)])
    }

    /// The output bias of a bucket.
    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.values[self.shape.output_bias(bucket)]
    }

    /// The weight of a feature for a hidden unit.
    pub fn weight(&self, feature: usize, unit: usize) -> f32 {
        self.weights(unit / TILE)[feature][unit % TILE]
    }

    /// The same as [`Self::output_bias`], to be changed.
    pub fn output_bias_mut(&mut self, bucket: usize) -> &mut f32 {
        let at = self.shape.output_bias(bucket);
        &mut self.values[at]
    }

    /// The weights and biases of a tile, and the output weights of all tiles, to be changed.
    pub fn tile_mut(&mut self, tile: usize) -> TileMut<'_> {
        let shape = self.shape;
        let (weights, rest) = self.values.split_at_mut(shape.biases_at());
        let (biases, outputs) = rest.split_at_mut(shape.hidden);
        let (weights, _) = weights[shape.weights(tile)].as_chunks_mut();
        let (biases, _) = biases[tile * TILE..].as_chunks_mut();
        let (outputs, _) = outputs.as_chunks_mut();
        TileMut { weights, biases: &mut biases[0], outputs, tile, tiles: shape.tiles() }
    }
}

/// A tile of parameters to be changed.
pub struct TileMut<'a> {
    /// The weights of each feature.
    pub weights: &'a mut [Row],
    /// The biases.
    pub biases: &'a mut Row,
    outputs: &'a mut [Row],
    tile: usize,
    tiles: usize,
}

impl TileMut<'_> {
    /// The output weights.
    pub fn outputs(&mut self, bucket: usize, view: usize) -> &mut Row {
        &mut self.outputs[(bucket * 2 + view) * self.tiles + self.tile]
    }
}

fn rows(values: &[f32]) -> &[Row] {
    values.as_chunks().0
}

fn row(values: &[f32]) -> &Row {
    &rows(values)[0]
}

/// A number from `low` to `high`, all equally likely.
fn between(rng: &mut impl Rng, low: f32, high: f32) -> f32 {
    let part = (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
    low + (high - low) * part
}
