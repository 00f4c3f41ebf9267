//! The network in floating point: shape, parameters and initialisation.

use std::fmt;
use std::slice::ChunksExactMut;

use bytemuck::{Pod, Zeroable};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Deserialize;
use wide::f32x16;

use tabia::eval::network::{self, FEATURES, QA, QB};

/// Hidden units of a tile, the part of the network that one job trains.
pub const TILE: usize = 32;
/// Hidden units whose products are added up before they are added to the output. A multiple of
/// [`TILE`]; the hidden layer is a multiple of it.
pub const GROUP: usize = 64;
/// Slices in a batch. Gradients are summed within each slice, then over the slices.
pub const SLICES: usize = 4;
/// Limit of every parameter, of either sign: the engine allows output weights up to 2.
pub const MAX_PARAMETER: f32 = 1.98;

/// Numbers in a vector, whatever the width of the CPU's.
pub const LANES: usize = 16;

/// One number for each hidden unit of a tile.
#[derive(Copy, Clone, PartialEq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct TileRow(pub [f32x16; TILE / LANES]);

impl TileRow {
    /// A row of zeros.
    pub const ZERO: Self = Self([f32x16::ZERO; TILE / LANES]);

    /// Returns the numbers.
    pub fn values(&self) -> &[f32; TILE] {
        bytemuck::cast_ref(self)
    }

    /// Returns the numbers, mutable.
    pub fn values_mut(&mut self) -> &mut [f32; TILE] {
        bytemuck::cast_mut(self)
    }

    /// Adds another row.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        for (sum, vector) in self.0.iter_mut().zip(&other.0) {
            *sum += *vector;
        }
    }
}

/// Size of a network's layers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelShape {
    /// Hidden units of each view, a multiple of [`GROUP`].
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

    /// Returns the number of rows of a tile.
    pub const fn rows(self) -> usize {
        self.output_row(self.buckets, 0)
    }

    /// Returns the number of a tile's row of output weights.
    pub const fn output_row(self, bucket: usize, view: usize) -> usize {
        BIAS_ROW + 1 + bucket * 2 + view
    }

    /// Rounds a row of a tile to the engine's units.
    pub fn rounded(row: usize, values: &TileRow) -> TileRow {
        let unit = if row <= BIAS_ROW { QA } else { QB };
        let unit = f32x16::splat(unit as f32);
        TileRow(values.0.map(|vector| (vector * unit).round_ties_even() / unit))
    }
}

/// Row of a tile with the biases. Those of the feature weights come before it.
pub const BIAS_ROW: usize = FEATURES;

/// Rounds a parameter to a multiple of 1 / `unit`.
#[inline]
pub fn rounded(value: f32, unit: i32) -> f32 {
    (value * unit as f32).round_ties_even() / unit as f32
}

/// Parameters of a network, or their moments.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelParameters {
    /// Sizes of the layers.
    pub shape: ModelShape,
    /// Rows `[tile][row]`. The rows of a tile are its feature weights `[feature]`, its biases and
    /// its output weights `[bucket][view]`, where view 0 is that of the side to move.
    pub rows: Vec<TileRow>,
    /// Output biases `[bucket]`.
    pub output_biases: Vec<f32>,
}

impl ModelParameters {
    /// Creates parameters that are all zero.
    pub fn zeros(shape: ModelShape) -> Self {
        let rows = vec![TileRow::ZERO; shape.tiles() * shape.rows()];
        Self { shape, rows, output_biases: vec![0.0; shape.buckets] }
    }

    /// Draws small random numbers: hidden units differ and stay within the activation's bounds.
    pub fn random(shape: ModelShape, seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut parameters = Self::zeros(shape);
        let output_rows = shape.buckets * 2;
        let bound = 1.0 / (shape.hidden as f32).sqrt();
        // By row, so that `TILE` does not change the result.
        let bounds = [(-0.1, 0.1); FEATURES].into_iter().chain([(0.0, 0.2)]);
        for (row, (low, high)) in bounds.chain([(-bound, bound)].repeat(output_rows)).enumerate() {
            for tile in 0..shape.tiles() {
                let values = parameters.tile_mut(tile)[row].values_mut();
                values.iter_mut().for_each(|value| *value = between(&mut rng, low, high));
            }
        }
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
        let sources = (0..shape.buckets).map(|bucket| (bucket, bucket.min(self.shape.buckets - 1)));
        for tile in 0..shape.tiles() {
            let own = grown.tile_mut(tile);
            own[shape.output_row(0, 0)..].fill(TileRow::ZERO);
            if tile >= self.shape.tiles() {
                continue;
            }
            own[..=BIAS_ROW].copy_from_slice(&self.tile(tile)[..=BIAS_ROW]);
            for (bucket, source) in sources.clone() {
                for view in [0, 1] {
                    own[shape.output_row(bucket, view)] = *self.outputs(source, view, tile);
                }
            }
        }
        for (bucket, source) in sources {
            grown.output_biases[bucket] = self.output_biases[source];
        }
        Some(grown)
    }

    /// Sets the parameters to the others, rounded to the engine's units.
    pub fn round_from(&mut self, others: &Self) {
        let rows = self.shape.rows();
        for (at, (row, other)) in self.rows.iter_mut().zip(&others.rows).enumerate() {
            *row = ModelShape::rounded(at % rows, other);
        }
        for (bias, other) in self.output_biases.iter_mut().zip(&others.output_biases) {
            *bias = rounded(*other, QA * QB);
        }
    }

    /// Returns all parameters.
    pub fn values(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flat_map(TileRow::values).chain(&self.output_biases)
    }

    /// Returns all parameters, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().flat_map(TileRow::values_mut).chain(&mut self.output_biases)
    }

    /// Returns the rows of a tile.
    pub fn tile(&self, tile: usize) -> &[TileRow] {
        &self.rows[tile * self.shape.rows()..][..self.shape.rows()]
    }

    /// Returns the rows of a tile, mutable.
    pub fn tile_mut(&mut self, tile: usize) -> &mut [TileRow] {
        let rows = self.shape.rows();
        &mut self.rows[tile * rows..][..rows]
    }

    /// Returns the rows of each tile, mutable.
    pub fn tiles_mut(&mut self) -> ChunksExactMut<'_, TileRow> {
        self.rows.chunks_exact_mut(self.shape.rows())
    }

    /// Returns the biases of a tile.
    pub fn biases(&self, tile: usize) -> &TileRow {
        &self.tile(tile)[BIAS_ROW]
    }

    /// Returns the output weights of a tile.
    pub fn outputs(&self, bucket: usize, view: usize, tile: usize) -> &TileRow {
        &self.tile(tile)[self.shape.output_row(bucket, view)]
    }

    /// Returns the weight of a feature for a hidden unit.
    pub fn weight(&self, feature: usize, unit: usize) -> f32 {
        self.tile(unit / TILE)[feature].values()[unit % TILE]
    }
}

fn between(rng: &mut impl Rng, low: f32, high: f32) -> f32 {
    let part = (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
    low + (high - low) * part
}

#[cfg(test)]
mod tests {
    use tabia::board::Board;

    use super::*;
    use crate::export::quantise;

    #[test]
    fn a_grown_network_has_the_same_evaluations() {
        let small = ModelParameters::random(ModelShape { hidden: 64, buckets: 1 }, 5);
        let small_network = quantise(&small).expect("a network");
        let shapes = [(64, 1), (64, 3), (192, 1), (192, 8)];
        for shape in shapes.map(|(hidden, buckets)| ModelShape { hidden, buckets }) {
            let grown = small.grown(shape, 6).expect("a larger shape");
            assert_eq!(grown.shape, shape);
            let grown_network = quantise(&grown).expect("a network");
            for fen in [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            ] {
                let board = Board::from_fen(fen).expect("legal");
                let scores = [&grown_network, &small_network].map(|net| net.evaluate(&board));
                assert_eq!(scores[0], scores[1], "{shape} {fen}");
            }
        }
    }

    #[test]
    fn a_network_neither_loses_hidden_units_nor_changes_several_buckets() {
        let model = ModelParameters::random(ModelShape { hidden: 128, buckets: 4 }, 5);
        for (hidden, buckets) in [(64, 4), (128, 1), (128, 8)] {
            assert_eq!(model.grown(ModelShape { hidden, buckets }, 6), None);
        }
    }
}
