//! File format of networks, as docs/network.md describes it.
//!
//! Uses nothing else of the crate, because the build script includes this file.

#![forbid(unsafe_code)]

use std::fmt;

use sha2::{Digest, Sha256};
use thiserror::Error;

/// Number of inputs of each perspective: `[defended][attacked][piece type][own, their][square]`.
pub const FEATURES: usize = 2 * 2 * 12 * 64;
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
/// Largest feature weight of either sign: eight bits hold it.
pub const MAX_FEATURE_WEIGHT: i16 = i8::MAX as i16;
/// Largest feature bias of either sign, and largest feature weight in older versions of the format:
/// a bias plus 32 weights fits an `i16`.
pub const MAX_FEATURE_BIAS: i16 = i16::MAX / 33;
/// Largest output weight of either sign: its product with an activation fits an `i16`.
pub const MAX_OUTPUT_WEIGHT: i16 = (i16::MAX as i32 / QA) as i16;

const MAGIC: &[u8; 8] = b"TABIANET";
const VERSION: u16 = 3;
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

    /// Returns the length in bytes of biases and output weights.
    fn others(self) -> usize {
        2 * self.hidden + self.buckets * (2 * 2 * self.hidden + 4)
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
    /// `[feature][hidden]` in units of 1/[`QA`], within ±[`MAX_FEATURE_WEIGHT`]; those of older
    /// files, which only the trainer reads, within ±[`MAX_FEATURE_BIAS`].
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
    #[error("format version {0}; this program reads {VERSION}: use `tabia-trainer convert`")]
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

    /// Reads a file. Never panics. The input's length bounds the memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let sections = Sections::split(bytes, VERSION, FEATURES)?;
        let weights = sections.feature_weights.iter().map(|&byte| i16::from(byte as i8));
        let parameters = sections.parameters(weights.collect());
        parameters.check_weights(MAX_FEATURE_WEIGHT)?;
        Ok(parameters)
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// If a weight or a bias is outside its limits.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        self.check_weights(MAX_FEATURE_WEIGHT)?;
        let weights: Vec<u8> = self.feature_weights.iter().map(|&weight| weight as u8).collect();
        Ok(self.file(VERSION, &weights))
    }

    /// Returns the bytes of a file of a version in which these are the feature weights.
    pub fn file(&self, version: u16, feature_weights: &[u8]) -> Vec<u8> {
        let mut payload = feature_weights.to_vec();
        let words = self.feature_biases.iter().chain(&self.output_weights);
        payload.extend(words.flat_map(|word| word.to_le_bytes()));
        payload.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let numbers = [
            version,
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

/// Parts of a file. Versions of the format differ in the feature weights alone.
#[derive(Copy, Clone, Debug)]
pub struct Sections<'a> {
    /// Layer sizes, which determine the lengths of the sections.
    pub shape: Shape,
    /// Feature weights as the version has them.
    pub feature_weights: &'a [u8],
    /// Feature biases, output weights and output biases.
    others: &'a [u8],
}

impl<'a> Sections<'a> {
    /// Splits a file of a version whose feature weights take this number of bytes for each neuron.
    ///
    /// # Errors
    /// If the bytes are not a whole file of this version.
    pub fn split(
        bytes: &'a [u8],
        version: u16,
        bytes_per_neuron: usize,
    ) -> Result<Self, FormatError> {
        let Some(header) = bytes.get(..HEADER).filter(|header| header.starts_with(MAGIC)) else {
            return Err(FormatError::Magic);
        };
        let (numbers, hash) = header[MAGIC.len()..].split_at(6 * 2);
        let number =
            |index: usize| u16::from_le_bytes([numbers[2 * index], numbers[2 * index + 1]]);
        if number(0) != version {
            return Err(FormatError::Version(number(0)));
        }
        let shape = Shape { hidden: number(1).into(), buckets: number(2).into() };
        if !shape.is_valid() {
            return Err(FormatError::Shape(shape));
        }
        let units = [number(3), number(4), number(5)];
        if units.map(i32::from) != [QA, QB, SCALE] {
            return Err(FormatError::Units(units));
        }
        let weights = bytes_per_neuron * shape.hidden;
        let (expected, found) = (HEADER + weights + shape.others(), bytes.len());
        if found != expected {
            return Err(FormatError::Length { expected, found });
        }
        let payload = &bytes[HEADER..];
        if Sha256::digest(payload)[..] != *hash {
            return Err(FormatError::Hash);
        }
        let (feature_weights, others) = payload.split_at(weights);
        Ok(Self { shape, feature_weights, others })
    }

    /// Returns the network with these feature weights, `[feature][hidden]`.
    pub fn parameters(self, feature_weights: Vec<i16>) -> Parameters {
        let Shape { hidden, buckets } = self.shape;
        let (numbers, biases) = self.others.split_at(self.others.len() - 4 * buckets);
        let mut numbers = words(numbers);
        Parameters {
            shape: self.shape,
            feature_weights,
            feature_biases: numbers.by_ref().take(hidden).collect(),
            output_weights: numbers.collect(),
            output_biases: biases
                .chunks_exact(4)
                .map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect(),
        }
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Parameters {
        let shape = Shape { hidden: 64, buckets: 3 };
        let mut network = Parameters::zeroed(shape).expect("a possible shape");
        network.feature_weights[64 * 5 + 1] = -MAX_FEATURE_WEIGHT;
        network.feature_biases[63] = 17;
        network.output_weights[2 * 128 + 127] = MAX_OUTPUT_WEIGHT;
        network.output_biases[2] = i32::MIN;
        network
    }

    fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Result<Parameters, FormatError> {
        let mut bytes = network().to_bytes().expect("small weights");
        change(&mut bytes);
        Parameters::from_bytes(&bytes)
    }

    #[test]
    fn files_round_trip() {
        let network = network();
        let bytes = network.to_bytes().expect("small weights");
        assert_eq!(bytes.len(), 52 + 3072 * 64 + 2 * 64 + 3 * (4 * 64 + 4));
        assert_eq!(i32::from(bytes[52 + 64 * 5 + 1]), 256 - 127);
        assert_eq!(bytes[8..20], [3, 0, 64, 0, 3, 0, 255, 0, 64, 0, 160, 0]);
        assert_eq!(bytes[20..52], Sha256::digest(&bytes[52..])[..]);
        assert_eq!(Parameters::from_bytes(&bytes), Ok(network));
    }

    #[test]
    fn invalid_files_are_rejected_with_the_reason() {
        use FormatError as E;
        assert_eq!(Parameters::from_bytes(&[]), Err(E::Magic));
        assert_eq!(changed(|bytes| bytes[0] = b'X'), Err(E::Magic));
        assert_eq!(changed(|bytes| bytes.truncate(51)), Err(E::Magic));
        assert_eq!(changed(|bytes| bytes[8] = 2), Err(E::Version(2)));
        assert_eq!(
            changed(|bytes| bytes[10] = 96),
            Err(E::Shape(Shape { hidden: 96, buckets: 3 }))
        );
        assert_eq!(changed(|bytes| bytes[12] = 0), Err(E::Shape(Shape { hidden: 64, buckets: 0 })));
        assert_eq!(changed(|bytes| bytes[14] = 254), Err(E::Units([254, 64, 160])));
        let expected = network().to_bytes().expect("small weights").len();
        assert_eq!(
            changed(|bytes| bytes.push(0)),
            Err(E::Length { expected, found: expected + 1 })
        );
        assert_eq!(changed(|bytes| bytes.truncate(52)), Err(E::Length { expected, found: 52 }));
        assert_eq!(changed(|bytes| bytes[20] ^= 1), Err(E::Hash));
        assert_eq!(changed(|bytes| bytes[expected - 1] ^= 1), Err(E::Hash));
    }

    #[test]
    fn weights_outside_their_limits_are_neither_written_nor_read() {
        let result = |change: fn(&mut Parameters)| {
            let mut network = network();
            change(&mut network);
            let weights: Vec<u8> =
                network.feature_weights.iter().map(|&weight| weight as u8).collect();
            let read = Parameters::from_bytes(&network.file(VERSION, &weights)).map(drop);
            assert_eq!(network.to_bytes().map(drop), read);
            read
        };
        assert_eq!(
            result(|network| network.feature_weights[7] = -128),
            Err(FormatError::Feature { found: -128, limit: 127 })
        );
        assert_eq!(
            result(|network| network.feature_biases[7] = i16::MIN),
            Err(FormatError::Feature { found: i16::MIN, limit: 992 })
        );
        assert_eq!(
            result(|network| network.output_weights[7] = -129),
            Err(FormatError::OutputWeight(-129))
        );
        assert_eq!(result(|network| network.output_weights[7] = -128), Ok(()));
    }
}
