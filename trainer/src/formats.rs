//! Files of networks in all versions of the format (docs/network.md). Recipes start from networks
//! in versions that the program no longer reads.

use tabia::eval::network::{FEATURES, FormatError, MAX_FEATURE_BIAS, Parameters, Sections};

/// Version without attacks, that of networks 0 to 4. Its inputs are
/// `[own, their][piece type][square]`.
const WITHOUT_ATTACKS: u16 = 1;
/// Version with feature weights of 16 bits, that of networks 5 to 7.
const WITH_16_BITS: u16 = 2;
/// Number of inputs without attacks.
const PIECE_SQUARES: usize = 12 * 64;

/// Reads a network of any version.
pub fn read(bytes: &[u8]) -> Result<Parameters, FormatError> {
    let (version, inputs) = match Parameters::from_bytes(bytes) {
        Err(FormatError::Version(WITHOUT_ATTACKS)) => (WITHOUT_ATTACKS, PIECE_SQUARES),
        Err(FormatError::Version(WITH_16_BITS)) => (WITH_16_BITS, FEATURES),
        result => return result,
    };
    let sections = Sections::split(bytes, version, 2 * inputs)?;
    let weights = words(sections.feature_weights);
    let network = sections.parameters(match version {
        WITHOUT_ATTACKS => with_attacks(&weights, sections.shape.hidden),
        _ => weights,
    });
    network.check_weights(MAX_FEATURE_BIAS)?;
    Ok(network)
}

/// Returns the bytes of a file in version 2, for older programs and larger weights.
///
/// # Errors
/// If a weight or a bias is outside the limits of that version.
pub fn with_16_bits(network: &Parameters) -> Result<Vec<u8>, FormatError> {
    network.check_weights(MAX_FEATURE_BIAS)?;
    let weights: Vec<u8> =
        network.feature_weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    Ok(network.file(WITH_16_BITS, &weights))
}

/// Converts the feature weights of a network without attacks: each row stands for a piece on a
/// square whether it is attacked and defended or not.
fn with_attacks(weights: &[i16], hidden: usize) -> Vec<i16> {
    let rows = |feature: usize| &weights[feature * hidden..][..64 * hidden];
    let kinds = (0..6).flat_map(|kind| [rows(kind * 64), rows((6 + kind) * 64)]);
    let once: Vec<i16> = kinds.flatten().copied().collect();
    once.repeat(FEATURES / PIECE_SQUARES)
}

/// Returns numbers of 16 bits.
fn words(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use tabia::board::Board;
    use tabia::eval::network::Shape;
    use tabia::types::{Color, File, Score, Square};

    use super::*;

    const HIDDEN: usize = 64;

    /// Returns a network of one bucket without weights.
    fn network() -> Parameters {
        Parameters::zeroed(Shape { hidden: HIDDEN, buckets: 1 }).expect("a possible shape")
    }

    /// Returns a file of version 1 with one neuron in use, whose weight for input *i* is
    /// `weights[i]`. The score is its activation for the side to move.
    fn first_version(weights: &[i16; PIECE_SQUARES]) -> Vec<u8> {
        let mut rows = vec![0; 2 * PIECE_SQUARES * HIDDEN];
        for (input, weight) in weights.iter().enumerate() {
            rows[2 * input * HIDDEN..][..2].copy_from_slice(&weight.to_le_bytes());
        }
        let mut network = network();
        network.output_weights[0] = 64;
        network.file(WITHOUT_ATTACKS, &rows)
    }

    #[test]
    fn networks_without_attacks_keep_their_scores() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let weights = std::array::from_fn(|_| (rng.next_u32() % 61) as i16 - 20);
        let network = read(&first_version(&weights)).expect("a network");
        let mut board = Board::startpos();
        for _ in 0..500 {
            let us = board.side_to_move();
            let flip = if us == Color::Black { 56 } else { 0 };
            let mirror = if board.king_square(us).file() >= File::E { 7 } else { 0 };
            let weight = |square: Square| {
                let piece = board.piece_on(square).expect("an occupied square");
                let side = usize::from(piece.color() != us);
                let kind = piece.piece_type() as usize;
                weights[side * 384 + kind * 64 + (square as usize ^ flip ^ mirror)]
            };
            let sum: i16 = board.occupied().into_iter().map(weight).sum();
            let square = i32::from(sum.clamp(0, 255)).pow(2);
            let expected = Score(square * 64 / 255 * 160 / (255 * 64));
            assert_eq!(network.evaluate(&board), expected, "{}", board.pretty());
            let moves = board.legal_moves();
            match moves.get(rng.next_u32() as usize % moves.len().max(1)) {
                Some(&mv) if board.fullmove_number() < 100 => board.make_move(mv),
                _ => board = Board::startpos(),
            }
        }
    }

    #[test]
    fn networks_of_16_bits_are_read_as_they_are_written() {
        let mut network = network();
        network.feature_weights[FEATURES * HIDDEN - 1] = -992;
        network.feature_biases[3] = 992;
        network.output_weights[5] = 128;
        network.output_biases[0] = -7;
        let bytes = with_16_bits(&network).expect("weights within the limits");
        assert_eq!(bytes.len(), 52 + 2 * 3073 * HIDDEN + 4 * HIDDEN + 4);
        assert_eq!(bytes[8], 2);
        assert_eq!(Parameters::from_bytes(&bytes), Err(FormatError::Version(2)));
        assert!(read(&bytes) == Ok(network.clone()));
        let too_large = FormatError::Feature { found: -992, limit: 127 };
        assert_eq!(network.to_bytes(), Err(too_large));
        network.feature_weights[7] = 993;
        let too_large = FormatError::Feature { found: 993, limit: 992 };
        assert_eq!(with_16_bits(&network), Err(too_large));
    }

    #[test]
    fn invalid_files_are_rejected_with_the_reason() {
        use FormatError as E;
        let file = |weight: i16| {
            let mut weights = [0; PIECE_SQUARES];
            weights[700] = weight;
            first_version(&weights)
        };
        assert!(read(&file(-992)).is_ok());
        assert_eq!(read(&file(993)), Err(E::Feature { found: 993, limit: 992 }));
        let changed = |at: usize| {
            let mut bytes = file(1);
            bytes[at] ^= 128;
            read(&bytes)
        };
        assert_eq!(changed(0), Err(E::Magic));
        assert_eq!(changed(8), Err(E::Version(129)));
        assert_eq!(changed(20), Err(E::Hash));
        let bytes = file(1);
        let expected = bytes.len();
        assert_eq!(read(&bytes[..expected - 1]), Err(E::Length { expected, found: expected - 1 }));
    }
}
