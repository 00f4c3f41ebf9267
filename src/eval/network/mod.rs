//! Efficiently updatable neural network (NNUE), trained on self-play games.
//!
//! Each side's perspective has 3072 inputs: each piece on each square, attacked or not, defended or
//! not. The hidden layer sums the weights of the active inputs, updated incrementally along a line.
//! Each sum is clamped to 0 … 1 and squared (*SCReLU*). The output is the weighted sum of both
//! sides' activations, the side to move first. A network may have several sets of output weights,
//! one of which the number of pieces on the board selects (*output buckets*); the embedded one has
//! a single set.
//!
//! Integers give the same result on every CPU: feature weights are in units of 1/[`QA`], output
//! weights in 1/[`QB`]. docs/network.md has the formulas.
//!
//! Source: <https://www.chessprogramming.org/NNUE>

mod accumulator;
mod features;
mod format;
mod kernels;
mod reference;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;
use thiserror::Error;

pub use accumulator::Evaluator;
pub use features::{Input, Inputs, Perspective, bucket};
pub use format::{
    BLOCK, FEATURES, FormatError, MAX_BUCKETS, MAX_FEATURE_BIAS, MAX_FEATURE_WEIGHT, MAX_HIDDEN,
    MAX_OUTPUT_WEIGHT, Parameters, QA, QB, SCALE, Sections, Shape,
};

use crate::board::{Board, FenStyle};
use crate::files;
use crate::types::{Score, Square};
use kernels::{Block, Kernel, Rows, WeightBlock};

mod embedded {
    use super::{FEATURES, Row, WeightRow};

    include!(concat!(env!("OUT_DIR"), "/network.rs"));

    /// Feature weights of the embedded network.
    pub(super) static WEIGHTS: [WeightRow; FEATURES] =
        bytemuck::must_cast(*include_bytes!(concat!(env!("OUT_DIR"), "/weights.bin")));

    /// Its other rows: feature biases, output weights.
    pub(super) static ROWS: [Row; 1 + 2 * BUCKETS] =
        bytemuck::must_cast(*include_bytes!(concat!(env!("OUT_DIR"), "/rows.bin")));
}

/// Shape of the embedded network, the only one that can be used.
pub const SHAPE: Shape = Shape { hidden: embedded::HIDDEN, buckets: embedded::BUCKETS };

/// Maximum size of a network file in MiB; the largest shape takes less than 4, and less than 7 in
/// older versions of the format.
pub const MAX_FILE_MIB: u64 = 8;

/// Numbers of one perspective's hidden layer.
type Row = [Block; SHAPE.hidden / BLOCK];
/// Weights of a feature for the neurons of the hidden layer.
type WeightRow = [WeightBlock; SHAPE.hidden / BLOCK];

/// Network of this [`SHAPE`], laid out for the SIMD kernels.
#[derive(PartialEq, Eq, Debug)]
pub struct Network {
    /// Indexed by feature.
    feature_weights: Cow<'static, [WeightRow]>,
    feature_biases: Row,
    /// Indexed by `[bucket][own, their]`.
    output_weights: Box<[[Row; 2]]>,
    output_biases: Box<[i32]>,
    kernel: Kernel,
}

/// Reason why a network cannot be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The file is not a network.
    #[error(transparent)]
    Format(FormatError),
    /// The shape differs from this program's.
    #[error("shape {0}; this program needs {SHAPE}")]
    Shape(Shape),
}

impl Network {
    /// Returns the embedded network, which the build script has checked.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let [feature_biases, output_weights @ ..] = &embedded::ROWS;
            Arc::new(Network {
                feature_weights: Cow::Borrowed(embedded::WEIGHTS.as_slice()),
                feature_biases: *feature_biases,
                output_weights: output_weights.as_chunks().0.into(),
                output_biases: embedded::OUTPUT_BIASES.into(),
                kernel: Kernel::best(),
            })
        });
        EMBEDDED.clone()
    }

    /// Returns the weights in the form of a file.
    fn parameters(&self) -> Parameters {
        let weights = bytemuck::must_cast_slice::<WeightRow, i8>(&self.feature_weights);
        let numbers = |rows: &[Row]| bytemuck::must_cast_slice::<Row, i16>(rows).to_vec();
        Parameters {
            shape: SHAPE,
            feature_weights: weights.iter().map(|&weight| weight.into()).collect(),
            feature_biases: numbers(&[self.feature_biases]),
            output_weights: numbers(self.output_weights.as_flattened()),
            output_biases: self.output_biases.to_vec(),
        }
    }

    /// False if `EVALFILE` named the embedded network at build time.
    pub const EMBEDDED_IS_DEFAULT: bool = embedded::IS_DEFAULT;

    /// Checks that every kernel gives the reference scores. Returns the names of the kernels.
    ///
    /// # Errors
    /// The kernel and the position of the first difference.
    pub fn check_kernels(boards: &[Board]) -> Result<String, String> {
        let parameters = Self::embedded().parameters();
        let mut network = Self::new(&parameters).map_err(|error| error.to_string())?;
        let kernels = Kernel::available();
        for board in boards {
            let expected = parameters.evaluate(board);
            for &kernel in &kernels {
                network.kernel = kernel;
                let found = network.evaluate(board);
                if found != expected {
                    let fen = board.fen(FenStyle::Standard);
                    return Err(format!("{kernel} gives {found:?}, not {expected:?}: {fen}"));
                }
            }
        }
        Ok(kernels.iter().map(Kernel::to_string).collect::<Vec<_>>().join(", "))
    }

    #[cfg(test)]
    pub(crate) fn with_each_kernel() -> Vec<Self> {
        let parameters = Self::embedded().parameters();
        let network = |kernel| Self { kernel, ..Self::new(&parameters).expect("of its own shape") };
        Kernel::available().into_iter().map(network).collect()
    }

    /// Reads a network from a file.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let bytes = files::read(path, MAX_FILE_MIB).map_err(NetworkError::Io)?;
        Self::new(&Parameters::from_bytes(&bytes).map_err(NetworkError::Format)?)
    }

    /// Creates a network from its weights.
    ///
    /// # Errors
    /// If the shape is not [`SHAPE`], or if a weight or a bias is outside its limits.
    ///
    /// # Panics
    /// If the lengths of the vectors do not match the shape.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        if parameters.shape != SHAPE {
            return Err(NetworkError::Shape(parameters.shape));
        }
        let Shape { hidden, buckets } = SHAPE;
        assert_eq!(parameters.feature_weights.len(), FEATURES * hidden, "feature weights");
        assert_eq!(parameters.feature_biases.len(), hidden, "feature biases");
        assert_eq!(parameters.output_weights.len(), buckets * 2 * hidden, "output weights");
        assert_eq!(parameters.output_biases.len(), buckets, "output biases");
        parameters.check_weights(MAX_FEATURE_WEIGHT).map_err(NetworkError::Format)?;
        let rows = |numbers: &[i16]| numbers.chunks_exact(hidden).map(row).collect::<Vec<_>>();
        Ok(Self {
            feature_weights: parameters
                .feature_weights
                .chunks_exact(hidden)
                .map(weight_row)
                .collect(),
            feature_biases: row(&parameters.feature_biases),
            output_weights: rows(&parameters.output_weights).as_chunks().0.into(),
            output_biases: parameters.output_biases.as_slice().into(),
            kernel: Kernel::best(),
        })
    }

    /// Returns the SHA-256 of the embedded network's file.
    pub fn embedded_hash() -> [u8; 32] {
        embedded::HASH
    }

    /// Returns the name of the kernel: `AVX-512`, `AVX2`, `NEON`, `SIMD128` or `scalar`.
    pub fn kernel(&self) -> impl fmt::Display {
        self.kernel
    }

    /// Returns the score of a position for the side to move, without incremental updates.
    pub fn evaluate(&self, board: &Board) -> Score {
        self.evaluate_without(board, None)
    }

    /// Returns the score for the side to move without the piece on a square, with the attacks and
    /// the bucket of the position.
    pub fn evaluate_without(&self, board: &Board, left_out: Option<Square>) -> Score {
        let all = Inputs::of(board).all();
        let inputs: ArrayVec<Input, 32> =
            all.filter(|input| Some(input.square()) != left_out).collect();
        let side = |color| {
            let rows = self.rows(Perspective::of(board, color));
            let mut sums = [Block::ZERO; _];
            self.kernel.update([&mut sums], [&self.feature_biases], [rows], &inputs, &[]);
            sums
        };
        let own = board.side_to_move();
        self.output(&side(own), &side(!own), output_bucket(board))
    }

    #[inline]
    fn rows(&self, view: Perspective) -> Rows<'_, { SHAPE.hidden / BLOCK }> {
        Rows { weights: &self.feature_weights, view }
    }

    /// Returns the score for the side whose sums come first.
    #[inline]
    fn output(&self, own: &Row, their: &Row, bucket: usize) -> Score {
        let sum = self.kernel.forward(own, their, &self.output_weights[bucket]);
        reference::to_score(sum, self.output_biases[bucket])
    }
}

/// Returns the output bucket of a board.
#[inline]
pub fn output_bucket(board: &Board) -> usize {
    bucket(board.occupied().count(), SHAPE.buckets)
}

fn row(numbers: &[i16]) -> Row {
    let (blocks, _) = numbers.as_chunks::<BLOCK>();
    std::array::from_fn(|index| Block(blocks[index]))
}

/// Converts weights that are within ±[`MAX_FEATURE_WEIGHT`].
fn weight_row(weights: &[i16]) -> WeightRow {
    let (blocks, _) = weights.as_chunks::<BLOCK>();
    std::array::from_fn(|index| WeightBlock(blocks[index].map(|weight| weight as i8)))
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn every_kernel_gives_the_reference_score() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut board = Board::startpos();
        let mut boards = Vec::new();
        for _ in 0..2000 {
            boards.push(board.clone());
            let moves = board.legal_moves();
            match moves.get(rng.next_u32() as usize % moves.len().max(1)) {
                Some(&mv) if board.fullmove_number() < 100 => board.make_move(mv),
                _ => board = Board::startpos(),
            }
        }
        let kernels = Network::check_kernels(&boards).expect("all agree");
        assert!(kernels.starts_with("scalar"), "{kernels}");
    }
}
