//! The network in floating point: shape, parameters and initialisation.

use std::fmt;
use std::ops::Range;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

use tabia::eval::network::{self, FEATURES, QA, QB};

/// Hidden units processed at a time: their weights or their gradients fit the L2 cache.
pub const TILE: usize = 64;
/// Slices in a batch. Each costs time: its own gradient is cleared and summed in every step.
pub const SLICES: usize = 4;
/// Limit of every parameter, of either sign: the engine allows output weights up to 2.
pub const MAX_PARAMETER: f32 = 1.98;

/// One number for each hidden unit of a tile.
pub type TileRow = [f32; TILE];

/// Size of a network's layers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelShape {
    /// Hidden units of each view, a multiple of [`TILE`].
    pub hidden: usize,
    /// Number of output buckets.
    pub buckets: usize,
}

impl fmt::Display for ModelShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.hidden, self.buckets)
    }
}

impl ModelShape {
    /// Returns the number of tiles.
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }

    /// Returns the output bucket for a number of pieces from 2 to 32.
    pub fn bucket(self, pieces: usize) -> usize {
        network::bucket(pieces, self.buckets)
    }

    /// Returns the number of feature weights, the first parameters.
    pub const fn feature_weights(self) -> usize {
        FEATURES * self.hidden
    }

    const fn outputs_at(self) -> usize {
        self.feature_weights() + self.hidden
    }

    const fn output_biases_at(self) -> usize {
        self.outputs_at() + self.buckets * 2 * self.hidden
    }

    /// Returns the number of parameters.
    pub const fn parameters(self) -> usize {
        self.output_biases_at() + self.buckets
    }

    const fn weights(self, tile: usize) -> Range<usize> {
        tile * FEATURES * TILE..(tile + 1) * FEATURES * TILE
    }

    const fn biases(self, tile: usize) -> Range<usize> {
        let start = self.feature_weights() + tile * TILE;
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

/// Parameters of a network, their gradient or their moments.
///
/// Their order: feature weights `[tile][feature][unit of the tile]`, feature biases `[hidden]`,
/// output weights `[bucket][view][hidden]` where view 0 is that of the side to move, output biases
/// `[bucket]`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelParameters {
    /// Sizes of the layers.
    pub shape: ModelShape,
    /// All values in this order.
    pub values: Vec<f32>,
}

impl ModelParameters {
    /// Creates parameters that are all zero.
    pub fn zeros(shape: ModelShape) -> Self {
        Self { shape, values: vec![0.0; shape.parameters()] }
    }

    /// Draws small random numbers: hidden units differ and stay within the activation's bounds.
    pub fn random(shape: ModelShape, seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut parameters = Self::zeros(shape);
        let (weights, rest) = parameters.values.split_at_mut(shape.feature_weights());
        let (biases, outputs) = rest.split_at_mut(shape.hidden);
        // By feature, so that `TILE` does not change the result.
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

    /// Returns parameters of a larger shape with the same outputs; `None` if the shape has fewer
    /// hidden units, or other buckets where there is not just one.
    ///
    /// Each further hidden unit has random inputs, and output weights of zero until it is trained.
    /// Each bucket begins as the only one.
    ///
    /// Source: T. Chen, I. Goodfellow and J. Shlens, "Net2Net: accelerating learning via knowledge
    /// transfer" (2016).
    pub fn grown(&self, shape: ModelShape, seed: u64) -> Option<Self> {
        let has_buckets = self.shape.buckets == 1 || self.shape.buckets == shape.buckets;
        if shape.hidden < self.shape.hidden || !has_buckets {
            return None;
        }
        let mut grown = Self::random(shape, seed);
        grown.values[shape.outputs_at()..].fill(0.0);
        let sources = (0..shape.buckets).map(|bucket| (bucket, bucket.min(self.shape.buckets - 1)));
        for tile in 0..self.shape.tiles() {
            let mut own = grown.tile_mut(tile);
            own.weights.copy_from_slice(self.weights(tile));
            *own.biases = *self.biases(tile);
            for (bucket, source) in sources.clone() {
                for view in [0, 1] {
                    *own.outputs(bucket, view) = *self.outputs(source, view, tile);
                }
            }
        }
        for (bucket, source) in sources {
            *grown.output_bias_mut(bucket) = self.output_bias(source);
        }
        Some(grown)
    }

    /// Sets the parameters to the others, rounded to the engine's units.
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

    /// Returns the weights of each feature for a tile.
    pub fn weights(&self, tile: usize) -> &[TileRow] {
        rows(&self.values[self.shape.weights(tile)])
    }

    /// Returns all feature weights, mutable.
    pub fn feature_weights_mut(&mut self) -> &mut [f32] {
        &mut self.values[..self.shape.feature_weights()]
    }

    /// Returns the biases of a tile.
    pub fn biases(&self, tile: usize) -> &TileRow {
        row(&self.values[self.shape.biases(tile)])
    }

    /// Returns the output weights of a tile.
    pub fn outputs(&self, bucket: usize, view: usize, tile: usize) -> &TileRow {
        row(&self.values[self.shape.outputs(bucket, view, tile)])
    }

    /// Returns the output bias of a bucket.
    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.values[self.shape.output_bias(bucket)]
    }

    /// Returns the weight of a feature for a hidden unit.
    pub fn weight(&self, feature: usize, unit: usize) -> f32 {
        self.weights(unit / TILE)[feature][unit % TILE]
    }

    /// Returns the output bias of a bucket, mutable.
    pub fn output_bias_mut(&mut self, bucket: usize) -> &mut f32 {
        let at = self.shape.output_bias(bucket);
        &mut self.values[at]
    }

    /// Returns the parameters of a tile, mutable.
    pub fn tile_mut(&mut self, tile: usize) -> TileMut<'_> {
        let shape = self.shape;
        let (weights, rest) = self.values.split_at_mut(shape.feature_weights());
        let (biases, outputs) = rest.split_at_mut(shape.hidden);
        let (weights, _) = weights[shape.weights(tile)].as_chunks_mut();
        let (biases, _) = biases[tile * TILE..].as_chunks_mut();
        let (outputs, _) = outputs.as_chunks_mut();
        TileMut { weights, biases: &mut biases[0], outputs, tile, tiles: shape.tiles() }
    }
}

/// Mutable parameters of a tile.
pub struct TileMut<'a> {
    /// Weights of each feature.
    pub weights: &'a mut [TileRow],
    /// Biases of the tile.
    pub biases: &'a mut TileRow,
    outputs: &'a mut [TileRow],
    tile: usize,
    tiles: usize,
}

impl TileMut<'_> {
    /// Returns the output weights of a bucket and view.
    pub fn outputs(&mut self, bucket: usize, view: usize) -> &mut TileRow {
        &mut self.outputs[(bucket * 2 + view) * self.tiles + self.tile]
    }
}

fn rows(values: &[f32]) -> &[TileRow] {
    values.as_chunks().0
}

fn row(values: &[f32]) -> &TileRow {
    &rows(values)[0]
}

fn between(rng: &mut impl Rng, low: f32, high: f32) -> f32 {
    let part = (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
    low + (high - low) * part
}
