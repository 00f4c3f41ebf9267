//! The network: an evaluation learnt from games.
//!
//! Each side has a perspective, a board of 768 inputs that are set where a piece stands. A hidden layer sums the weights
//! of the inputs that are set, once for each perspective; so few inputs change with a move that the sums are kept up
//! rather than computed anew (an *efficiently updatable* network, NNUE). Each sum is held to 0 … 1 and squared (*SCReLU*),
//! and their weighted sum, the sums of the side to move first, is the output. Which weights these are is up to the
//! number of pieces on the board (*output buckets*).
//!
//! All of it is whole numbers, with the same result on every processor: a weight of the first layer is in units of
//! 1/[`QA`], one of the second in 1/[`QB`].
//!
//! Source: <https://www.chessprogramming.org/NNUE>

mod features;
mod format;
mod reference;

pub use features::{Perspective, bucket};
pub use format::{
    BLOCK, FEATURES, FormatError, MAX_BUCKETS, MAX_FEATURE_WEIGHT, MAX_HIDDEN, MAX_OUTPUT_WEIGHT,
    Parameters, QA, QB, SCALE, Shape,
};
