//! Networks: edits of small ones of all versions and of ones with the program's shape, with the
//! right hash or without. An accepted network of versions 2 and 3 is written as it was read; all
//! evaluate like the reference.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sha2::{Digest as _, Sha256};
use tabia::board::Board;
use tabia::eval::Network;
use tabia::eval::network::{FEATURES, Parameters, SHAPE, Shape};
use tabia_trainer::formats;

/// Place of the version.
const VERSION: usize = 8;
/// Length of the header, without and with its hash.
const NUMBERS: usize = 20;
const HEADER: usize = 52;

const SMALL_SHAPE: Shape = Shape { hidden: 64, buckets: 2 };

static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| bytes(SMALL_SHAPE));
static FIRST_VERSION: LazyLock<Vec<u8>> = LazyLock::new(|| older_bytes(1, 768));
static SECOND_VERSION: LazyLock<Vec<u8>> = LazyLock::new(|| older_bytes(2, FEATURES));
static USUAL: LazyLock<Vec<u8>> = LazyLock::new(|| bytes(SHAPE));

fn bytes(shape: Shape) -> Vec<u8> {
    let network = Parameters::zeroed(shape).expect("a valid shape");
    network.to_bytes().expect("small weights")
}

/// Returns a file of a version with feature weights of 16 bits.
fn older_bytes(version: u16, inputs: usize) -> Vec<u8> {
    let network = Parameters::zeroed(SMALL_SHAPE).expect("a valid shape");
    network.file(version, &vec![0; 2 * inputs * SMALL_SHAPE.hidden])
}

fuzz_target!(|data: &[u8]| {
    let [kind, edits @ ..] = data else { return };
    let mut bytes = match kind & 7 {
        0 => FIRST_VERSION.clone(),
        1 => SECOND_VERSION.clone(),
        // The usual shape takes longer.
        7 => USUAL.clone(),
        _ => SMALL.clone(),
    };
    for edit in edits.chunks_exact(4) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) * 7 % bytes.len();
        let place = if edit[2] & 1 == 0 { place } else { place % NUMBERS };
        bytes[place] = edit[3];
    }
    if kind & 8 != 0 {
        bytes.truncate(bytes.len() - usize::from(kind >> 4));
    }
    if kind & 16 != 0 && bytes.len() > HEADER {
        let hash = Sha256::digest(&bytes[HEADER..]);
        bytes[NUMBERS..HEADER].copy_from_slice(&hash);
    }
    let Ok(parameters) = formats::read(&bytes) else { return };
    let version = bytes[VERSION];
    match version {
        3 => assert_eq!(parameters.to_bytes(), Ok(bytes)),
        2 => assert_eq!(formats::with_16_bits(&parameters), Ok(bytes)),
        _ => {}
    }
    let board = Board::startpos();
    let reference = parameters.evaluate(&board);
    if let Ok(network) = Network::new(&parameters) {
        assert_eq!(network.evaluate(&board), reference);
    }
});
