//! The network: an evaluation learnt from games.
//!
//! Each side has a perspective, a board of 768 inputs that are set where a piece stands. A hidden layer sums the
//! weights of the inputs that are set, once for each perspective; so few inputs change with a move that the sums are
//! kept up rather than computed anew (an *efficiently updatable* network, NNUE). Each sum is held to 0 … 1 and squared
//! (*SCReLU*), and their weighted sum, the sums of the side to move first, is the output. Which weights these are is up
//! to the number of pieces on the board (*output buckets*).
//!
//! All of it is whole numbers, with the same result on every processor: a weight of the first layer is in units of
//! 1/[`QA`], one of the second in 1/[`QB`]. docs/network.md has the formulas.
//!
//! | file | what |
//! |---|---|
//! | `format.rs` | the file of a network |
//! | `features.rs` | which inputs a board sets |
//! | `reference.rs` | the definition, for networks of any shape |
//! | `accumulator.rs` | the sums of the hidden layer, kept up along a line of moves |
//! | `kernels/` | the inner loops for each kind of processor |
//!
//! Source: <https://www.chessprogramming.org/NNUE>

mod accumulator;
mod features;
mod format;
mod kernels;
mod reference;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, LazyLock};

pub use accumulator::Evaluator;
pub use features::{Perspective, bucket};
pub use format::{
    BLOCK, FEATURES, FormatError, MAX_BUCKETS, MAX_FEATURE_WEIGHT, MAX_HIDDEN, MAX_OUTPUT_WEIGHT,
    Parameters, QA, QB, SCALE, Shape,
};

use crate::board::{Board, FenStyle};
use crate::types::{Piece, Score, Square};
use kernels::{Block, Kernel};

/// The constants that the build script takes from the network it embeds.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/network.rs"));
}

/// The shape of the networks that this program can use: that of the embedded one.
pub const SHAPE: Shape = Shape { hidden: embedded::HIDDEN, buckets: embedded::BUCKETS };

/// No file larger than this is read, in bytes: an endless one must not fill the memory.
const MAX_FILE: u64 = 4 << 20;

/// One number for each neuron.
type Row = [Block; SHAPE.hidden / BLOCK];

/// A network of this program's [`SHAPE`], laid out for its processor.
#[derive(Debug)]
pub struct Network {
    /// `[feature]`
    feature_weights: Box<[Row]>,
    feature_biases: Row,
    /// `[bucket][own, their]`
    output_weights: Box<[[Row; 2]]>,
    /// `[bucket]`
    output_biases: Box<[i32]>,
    kernel: Kernel,
    hash: [u8; 32],
}

/// Why a network cannot be used.
#[derive(Debug)]
pub enum NetworkError {
    /// The file cannot be read.
    Io(io::Error),
    /// It is no network.
    Format(FormatError),
    /// It has another shape than this program's.
    Shape(Shape),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
            Self::Shape(shape) => write!(f, "a network of {shape}, this program takes {SHAPE}"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// The network in the program itself.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let parameters = Parameters::from_bytes(embedded::FILE);
            let parameters = parameters.expect("the build script has read the same bytes");
            Arc::new(Network::new(&parameters).expect("the shape is that of these bytes"))
        });
        EMBEDDED.clone()
    }

    /// Whether the network in the program is the one of its source, and not one that was embedded in its place.
    pub const EMBEDDED_IS_USUAL: bool = embedded::IS_USUAL;

    /// Evaluates the boards with every kind of inner loop that this processor can run and as the network is defined, and
    /// names the kinds.
    ///
    /// # Errors
    /// With the kind and the position, if one gives another score.
    pub fn check_kernels(boards: &[Board]) -> Result<String, String> {
        let parameters =
            Parameters::from_bytes(embedded::FILE).map_err(|error| error.to_string())?;
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

    /// The network in the program, once with each kind of inner loop that this processor can run.
    #[cfg(test)]
    pub(crate) fn with_each_kernel() -> Vec<Self> {
        let parameters = Parameters::from_bytes(embedded::FILE).expect("the embedded network");
        let network = |kernel| Self { kernel, ..Self::new(&parameters).expect("of its own shape") };
        Kernel::available().into_iter().map(network).collect()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When there is no such file, no network in it, or one of another shape.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(NetworkError::Io)?;
        file.take(MAX_FILE).read_to_end(&mut bytes).map_err(NetworkError::Io)?;
        Self::new(&Parameters::from_bytes(&bytes).map_err(NetworkError::Format)?)
    }

    /// The network with these numbers.
    ///
    /// # Errors
    /// When they are of another shape, or so large that sums could overflow.
    ///
    /// # Panics
    /// When there are not as many numbers as their shape says.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        if parameters.shape != SHAPE {
            return Err(NetworkError::Shape(parameters.shape));
        }
        parameters.check_weights().map_err(NetworkError::Format)?;
        let rows =
            |numbers: &[i16]| numbers.chunks_exact(SHAPE.hidden).map(row).collect::<Box<_>>();
        Ok(Self {
            feature_weights: rows(&parameters.feature_weights),
            feature_biases: row(&parameters.feature_biases),
            output_weights: rows(&parameters.output_weights).as_chunks().0.into(),
            output_biases: parameters.output_biases.as_slice().into(),
            kernel: Kernel::best(),
            hash: parameters.hash(),
        })
    }

    /// The SHA-256 of its file: what tells networks apart.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// Which inner loops it uses: `AVX-512`, `AVX2` or `scalar`.
    pub fn kernel(&self) -> impl fmt::Display {
        self.kernel
    }

    /// The worth of a position for the side to move, from nothing.
    pub fn evaluate(&self, board: &Board) -> Score {
        self.evaluate_without(board, None)
    }

    /// The worth of a position for the side to move as if one square were empty. The bucket stays that of the position.
    pub fn evaluate_without(&self, board: &Board, left_out: Option<Square>) -> Score {
        let side = |color| {
            let perspective = Perspective::of(board, color);
            let mut sums = self.feature_biases;
            let squares = board.occupied().into_iter().filter(|&square| Some(square) != left_out);
            for square in squares {
                if let Some(piece) = board.piece_on(square) {
                    self.kernel.accumulate(&mut sums, &[self.row(perspective, piece, square)], &[]);
                }
            }
            sums
        };
        let own = board.side_to_move();
        self.output(&side(own), &side(!own), output_bucket(board))
    }

    /// What a piece on a square adds to the sums of a perspective.
    #[inline]
    fn row(&self, perspective: Perspective, piece: Piece, square: Square) -> &Row {
        &self.feature_weights[perspective.feature(piece, square)]
    }

    /// The score for the side whose sums come first.
    #[inline]
    fn output(&self, own: &Row, their: &Row, bucket: usize) -> Score {
        let sum = self.kernel.forward(own, their, &self.output_weights[bucket]);
        reference::to_score(sum, self.output_biases[bucket])
    }
}

/// The output that judges a board.
#[inline]
pub fn output_bucket(board: &Board) -> usize {
    bucket(board.occupied().count(), SHAPE.buckets)
}

/// The numbers in blocks.
fn row(numbers: &[i16]) -> Row {
    let (blocks, _) = numbers.as_chunks::<BLOCK>();
    std::array::from_fn(|index| Block(blocks[index]))
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn every_kernel_gives_the_defined_score() {
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
