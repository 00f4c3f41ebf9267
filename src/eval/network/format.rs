//! File format of networks, as docs/network.md describes it.
//!
//! Uses nothing else of the crate, because the build script includes this file.

#![forbid(unsafe_code)]

use std::fmt;

use sha2::{Digest, Sha256};
use thiserror::Error;

/// Number of pairs of a piece and a square.
const PIECE_SQUARES: usize = 12 * 64;
/// Number of inputs of each perspective: `[defended][attacked][piece type][own, their][square]`.
pub const FEATURES: usize = 2 * 2 * PIECE_SQUARES;
/// Integer that stands for an activation of 1.0.
pub const QA: i32 = 255;
/// Integer that stands for an output weight of 1.0.
pub const QB: i32 = 64;
/// Score for an output of 1.0, in internal hundredths of a pawn; printed scores are scaled. The
/// logistic function of an output is about the expected points, so training can mix scores and
/// results.
pub const SCALE: i32 = 160;
/// Number of neurons in a block. The hidden layer is a multiple of it.
pub const BLOCK: usize = 64;
/// Largest hidden layer for which `i32` sums of products in eight lanes cannot overflow.
pub const MAX_HIDDEN: usize = 1024;
/// Largest number of output buckets: one for each number of pieces.
pub const MAX_BUCKETS: usize = 31;
/// Largest feature weight of either sign that the program takes: eight bits hold it.
pub const MAX_FEATURE_WEIGHT: i16 = i8::MAX as i16;
/// Largest feature bias of either sign, and largest feature weight in a file: a bias plus 32
/// weights fits an `i16`.
pub const MAX_FEATURE_BIAS: i16 = i16::MAX / 33;
/// Largest output weight of either sign: its product with an activation fits an `i16`.
pub const MAX_OUTPUT_WEIGHT: i16 = (i16::MAX as i32 / QA) as i16;

const MAGIC: &[u8; 8] = b"TABIANET";
const VERSION: u16 = 2;
/// Version 1, without attacks: its inputs are `[own, their][piece type][square]`. Networks 0 to 4
/// have it, and recipes in `nets/` start from some of them.
const WITHOUT_ATTACKS: u16 = 1;
/// Length of magic, six `u16` and hash.
const HEADER: usize = 8 + 6 * 2 + 32;

/// Size of a network's layers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Neurons of the hidden layer: a multiple of [`BLOCK`] up to [`MAX_HIDDEN`].
    pub hidden: usize,
    /// Output buckets, 1 to [`MAX_BUCKETS`].
    pub buckets: usize,
}

impl Shape {
    fn is_valid(self) -> bool {
        (BLOCK..=MAX_HIDDEN).contains(&self.hidden)
            && self.hidden.is_multiple_of(BLOCK)
            && (1..=MAX_BUCKETS).contains(&self.buckets)
    }

    /// Returns the length in bytes of a payload with this number of features.
    fn payload(self, features: usize) -> usize {
        2 * (features + 1) * self.hidden + self.buckets * (2 * 2 * self.hidden + 4)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.hidden, self.buckets)
    }
}

/// Weights and biases of a network of any shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Layer sizes, which determine the lengths of the vectors.
    pub shape: Shape,
    /// `[feature][hidden]` in units of 1/[`QA`], within ±[`MAX_FEATURE_BIAS`]; for the program
    /// within ±[`MAX_FEATURE_WEIGHT`].
    pub feature_weights: Vec<i16>,
    /// `[hidden]` in the same units, within ±[`MAX_FEATURE_BIAS`].
    pub feature_biases: Vec<i16>,
    /// `[bucket][own, their][hidden]` in units of 1/[`QB`], within ±[`MAX_OUTPUT_WEIGHT`]. "Own" is
    /// the side to move.
    pub output_weights: Vec<i16>,
    /// `[bucket]` in units of 1/([`QA`]·[`QB`]).
    pub output_biases: Vec<i32>,
}

/// Reason why bytes are not a network.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// The magic number is missing.
    #[error("not a Tabia network")]
    Magic,
    /// The version is not supported.
    #[error("format version {0}; this program reads 1 to {VERSION}")]
    Version(u16),
    /// The shape is outside the limits.
    #[error("invalid shape {0}")]
    Shape(Shape),
    /// The scales are not QA, QB and SCALE.
    #[error("scales {}, {}, {}; expected {QA}, {QB}, {SCALE}", .0[0], .0[1], .0[2])]
    Units([u16; 3]),
    /// The length does not match the header.
    #[error("{found} bytes; expected {expected}")]
    Length {
        /// Length by the header, in bytes.
        expected: usize,
        /// Length of the file in bytes.
        found: usize,
    },
    /// The payload does not match its hash.
    #[error("damaged: the hash of the weights differs from the header's")]
    Hash,
    /// A feature weight or bias is outside its limits.
    #[error("feature weight or bias {found} is outside ±{limit}")]
    Feature {
        /// Weight or bias.
        found: i16,
        /// Limit of either sign.
        limit: i16,
    },
    /// An output weight is beyond [`MAX_OUTPUT_WEIGHT`].
    #[error("output weight {0} is outside ±{MAX_OUTPUT_WEIGHT}")]
    OutputWeight(i16),
}

impl Parameters {
    /// Creates a network of a valid shape with all weights zero.
    pub fn zeroed(shape: Shape) -> Result<Self, FormatError> {
        if !shape.is_valid() {
            return Err(FormatError::Shape(shape));
        }
        Ok(Self {
            shape,
            feature_weights: vec![0; FEATURES * shape.hidden],
            feature_biases: vec![0; shape.hidden],
            output_weights: vec![0; shape.buckets * 2 * shape.hidden],
            output_biases: vec![0; shape.buckets],
        })
    }

    /// Reads a file of either version. Never panics. The input's length bounds the memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let Header { features, shape, hash } = read_header(bytes)?;
        let (expected, found) = (HEADER + shape.payload(features), bytes.len());
        if found != expected {
            return Err(FormatError::Length { expected, found });
        }
        let payload = &bytes[HEADER..];
        if Sha256::digest(payload)[..] != *hash {
            return Err(FormatError::Hash);
        }
        let (words, biases) = payload.split_at(payload.len() - 4 * shape.buckets);
        let mut words = words.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut take = |count| words.by_ref().take(count).collect::<Vec<_>>();
        let feature_weights = take(features * shape.hidden);
        let parameters = Self {
            shape,
            feature_weights: if features == FEATURES {
                feature_weights
            } else {
                with_attacks(&feature_weights, shape.hidden)
            },
            feature_biases: take(shape.hidden),
            output_weights: take(shape.buckets * 2 * shape.hidden),
            output_biases: biases
                .chunks_exact(4)
                .map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect(),
        };
        parameters.check_weights(MAX_FEATURE_BIAS)?;
        Ok(parameters)
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = self.payload();
        let numbers = [
            VERSION,
            self.shape.hidden as u16,
            self.shape.buckets as u16,
            QA as u16,
            QB as u16,
            SCALE as u16,
        ];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(Sha256::digest(&payload));
        bytes.extend(payload);
        bytes
    }

    /// Returns the SHA-256 of [`Self::to_bytes`]. Recipes and self-play data name a network by the
    /// SHA-256 of its file, which differs for files of version 1.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.to_bytes()).into()
    }

    fn payload(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.shape.payload(FEATURES));
        for word in [&self.feature_weights, &self.feature_biases, &self.output_weights]
            .into_iter()
            .flatten()
        {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        for bias in &self.output_biases {
            bytes.extend_from_slice(&bias.to_le_bytes());
        }
        bytes
    }

    /// Checks that no feature weight is beyond a limit of either sign, and that no sum or product
    /// can overflow. The limit is at most [`MAX_FEATURE_BIAS`].
    pub fn check_weights(&self, max_feature_weight: i16) -> Result<(), FormatError> {
        let beyond = |weights: &[i16], limit: i16| {
            weights.iter().copied().find(|weight| weight.unsigned_abs() > limit.unsigned_abs())
        };
        for (numbers, limit) in
            [(&self.feature_weights, max_feature_weight), (&self.feature_biases, MAX_FEATURE_BIAS)]
        {
            if let Some(found) = beyond(numbers, limit) {
                return Err(FormatError::Feature { found, limit });
            }
        }
        match beyond(&self.output_weights, MAX_OUTPUT_WEIGHT) {
            Some(weight) => Err(FormatError::OutputWeight(weight)),
            None => Ok(()),
        }
    }
}

struct Header<'a> {
    features: usize,
    shape: Shape,
    hash: &'a [u8],
}

fn read_header(bytes: &[u8]) -> Result<Header<'_>, FormatError> {
    let Some(header) = bytes.get(..HEADER).filter(|header| header.starts_with(MAGIC)) else {
        return Err(FormatError::Magic);
    };
    let (numbers, hash) = header[MAGIC.len()..].split_at(6 * 2);
    let number = |index: usize| u16::from_le_bytes([numbers[2 * index], numbers[2 * index + 1]]);
    let features = match number(0) {
        WITHOUT_ATTACKS => PIECE_SQUARES,
        VERSION => FEATURES,
        version => return Err(FormatError::Version(version)),
    };
    let shape = Shape { hidden: number(1).into(), buckets: number(2).into() };
    if !shape.is_valid() {
        return Err(FormatError::Shape(shape));
    }
    let units = [number(3), number(4), number(5)];
    if units.map(i32::from) != [QA, QB, SCALE] {
        return Err(FormatError::Units(units));
    }
    Ok(Header { features, shape, hash })
}

/// Converts feature weights of the first version: each row stands for a piece on a square whether
/// it is attacked and defended or not.
fn with_attacks(weights: &[i16], hidden: usize) -> Vec<i16> {
    let rows = |feature: usize| &weights[feature * hidden..][..64 * hidden];
    let kinds = (0..6).flat_map(|kind| [rows(kind * 64), rows((6 + kind) * 64)]);
    let once: Vec<i16> = kinds.flatten().copied().collect();
    once.repeat(FEATURES / PIECE_SQUARES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Parameters {
        let shape = Shape { hidden: 64, buckets: 3 };
        let mut network = Parameters::zeroed(shape).expect("a possible shape");
        network.feature_weights[64 * 5 + 1] = -MAX_FEATURE_BIAS;
        network.feature_biases[63] = 17;
        network.output_weights[2 * 128 + 127] = MAX_OUTPUT_WEIGHT;
        network.output_biases[2] = i32::MIN;
        network
    }

    fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Result<Parameters, FormatError> {
        let mut bytes = network().to_bytes();
        change(&mut bytes);
        Parameters::from_bytes(&bytes)
    }

    #[test]
    fn files_round_trip() {
        let network = network();
        let bytes = network.to_bytes();
        assert_eq!(bytes.len(), 52 + 2 * 3073 * 64 + 3 * (4 * 64 + 4));
        assert_eq!(bytes[8..20], [2, 0, 64, 0, 3, 0, 255, 0, 64, 0, 160, 0]);
        assert_eq!(bytes[20..52], Sha256::digest(&bytes[52..])[..]);
        assert_eq!(network.hash(), Sha256::digest(&bytes)[..]);
        assert_eq!(Parameters::from_bytes(&bytes), Ok(network));
    }

    #[test]
    fn invalid_files_are_rejected_with_the_reason() {
        use FormatError as E;
        assert_eq!(Parameters::from_bytes(&[]), Err(E::Magic));
        assert_eq!(changed(|bytes| bytes[0] = b'X'), Err(E::Magic));
        assert_eq!(changed(|bytes| bytes.truncate(51)), Err(E::Magic));
        assert_eq!(changed(|bytes| bytes[8] = 3), Err(E::Version(3)));
        assert_eq!(
            changed(|bytes| bytes[10] = 96),
            Err(E::Shape(Shape { hidden: 96, buckets: 3 }))
        );
        assert_eq!(changed(|bytes| bytes[12] = 0), Err(E::Shape(Shape { hidden: 64, buckets: 0 })));
        assert_eq!(changed(|bytes| bytes[14] = 254), Err(E::Units([254, 64, 160])));
        let expected = network().to_bytes().len();
        assert_eq!(
            changed(|bytes| bytes.push(0)),
            Err(E::Length { expected, found: expected + 1 })
        );
        assert_eq!(changed(|bytes| bytes.truncate(52)), Err(E::Length { expected, found: 52 }));
        assert_eq!(changed(|bytes| bytes[20] ^= 1), Err(E::Hash));
        assert_eq!(changed(|bytes| bytes[expected - 1] ^= 1), Err(E::Hash));
    }

    #[test]
    fn attacks_do_not_matter_to_networks_of_the_first_version() {
        let mut bytes = network().to_bytes();
        // A file of the first version has only the first quarter of the rows.
        bytes[8] = 1;
        bytes.drain(HEADER + 2 * 768 * 64..HEADER + 2 * 3072 * 64);
        // Their bishop on c2, then its weight for the fourth neuron.
        let at = HEADER + 2 * (((6 + 2) * 64 + 10) * 64 + 3);
        bytes[at..at + 2].copy_from_slice(&77_i16.to_le_bytes());
        let hash = Sha256::digest(&bytes[HEADER..]);
        bytes[20..52].copy_from_slice(&hash);
        let mut expected = network();
        for form in 0..4 {
            expected.feature_weights[(form * 768 + 5) * 64 + 1] = -MAX_FEATURE_BIAS;
            expected.feature_weights[(form * 768 + (2 * 2 + 1) * 64 + 10) * 64 + 3] = 77;
        }
        assert_eq!(Parameters::from_bytes(&bytes), Ok(expected));
    }

    #[test]
    fn weights_that_could_overflow_are_rejected() {
        let reread = |change: fn(&mut Parameters)| {
            let mut network = network();
            change(&mut network);
            Parameters::from_bytes(&network.to_bytes()).map(drop)
        };
        assert_eq!(
            reread(|network| network.feature_weights[7] = 993),
            Err(FormatError::Feature { found: 993, limit: 992 })
        );
        assert_eq!(
            reread(|network| network.feature_biases[7] = i16::MIN),
            Err(FormatError::Feature { found: i16::MIN, limit: 992 })
        );
        assert_eq!(
            reread(|network| network.output_weights[7] = -129),
            Err(FormatError::OutputWeight(-129))
        );
        assert_eq!(reread(|network| network.output_weights[7] = -128), Ok(()));
    }
}
