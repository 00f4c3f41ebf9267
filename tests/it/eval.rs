//! The evaluation: all paths agree, both colours and mirror images are treated alike, and
//! incremental updates equal a computation from scratch.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabia::board::Board;
use tabia::eval::chances::{normalised, pawns};
use tabia::eval::network::{
    FormatError, MAX_FEATURE_BIAS, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT, Network, NetworkError,
    Parameters, SHAPE, Shape,
};
use tabia::eval::{EvalTrace, Evaluator, endings};
use tabia::types::{Color, PieceType, Score, Square};

use crate::support::TestRng;

/// Returns random numbers between `-limit` and `limit`.
fn numbers(rng: &mut ChaCha8Rng, count: usize, limit: i16) -> Vec<i16> {
    let width = u32::from(limit.unsigned_abs()) * 2 + 1;
    (0..count).map(|_| (rng.next_u32() % width) as i16 - limit).collect()
}

/// Returns a random network with weights up to these limits.
fn random_parameters(seed: u64, shape: Shape, feature: i16, output: i16) -> Parameters {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut parameters = Parameters::zeroed(shape).unwrap();
    let Parameters { feature_weights, feature_biases, output_weights, output_biases, .. } =
        &mut parameters;
    for weights in [feature_weights, feature_biases] {
        *weights = numbers(&mut rng, weights.len(), feature);
    }
    *output_weights = numbers(&mut rng, output_weights.len(), output);
    output_biases.fill_with(|| rng.next_u32() as i32 >> 18);
    parameters
}

fn random_network(seed: u64) -> (Parameters, Arc<Network>) {
    let parameters = random_parameters(seed, SHAPE, 40, 40);
    let network = Network::new(&parameters).unwrap();
    (parameters, Arc::new(network))
}

/// Plays random games of both variants, null moves included. Calls `visit` with each position and
/// the evaluator that has followed it.
fn walk(network: &Arc<Network>, games: u16, mut visit: impl FnMut(&Board, &mut Evaluator)) {
    for game in 0..games {
        let mut rng = TestRng::new(u64::from(game));
        let number = game * 37 % 960;
        let mut board = Board::chess960_startpos(number, if game % 2 == 0 { number } else { game });
        let mut evaluator = Evaluator::new(network.clone());
        let mut line = Vec::new();
        while let Some(mv) = rng.choose(&board.legal_moves()).filter(|_| line.len() < 150) {
            let mv = Some(mv).filter(|_| board.in_check() || rng.below(8) != 0);
            match mv {
                Some(mv) => {
                    evaluator.push();
                    board.make_move(mv);
                }
                None => board.make_null_move(),
            }
            line.push(mv);
            visit(&board, &mut evaluator);
        }
        for mv in line.into_iter().rev() {
            board.unmake_move();
            if mv.is_some() {
                evaluator.pop();
            }
            visit(&board, &mut evaluator);
        }
    }
}

#[test]
fn incremental_updates_equal_the_reference() {
    for seed in 0..3 {
        let (parameters, network) = random_network(seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        walk(&network, 20, |board, evaluator| {
            let expected = parameters.evaluate(board);
            assert_eq!(network.evaluate(board), expected, "{}", board.pretty());
            // Skipped at random, so that some updates cover several moves, forwards and backwards.
            if rng.next_u32() % 4 == 0 {
                assert_eq!(evaluator.evaluate(board), expected, "{}", board.pretty());
            }
        });
    }
}

#[test]
fn siblings_share_the_sums_of_their_ancestors() {
    let (parameters, network) = random_network(7);
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let mut board = Board::from_fen(fen).unwrap();
        let mut evaluator = Evaluator::new(network.clone());
        check_tree(&parameters, &mut board, &mut evaluator, 3);
    }
}

/// Evaluates all nodes of a tree but those two plies above its leaves.
fn check_tree(parameters: &Parameters, board: &mut Board, evaluator: &mut Evaluator, depth: u32) {
    if depth != 2 {
        assert_eq!(evaluator.evaluate(board), parameters.evaluate(board), "{}", board.pretty());
    }
    if depth == 0 {
        return;
    }
    for &mv in board.legal_moves().iter().step_by(3) {
        evaluator.push();
        board.make_move(mv);
        check_tree(parameters, board, evaluator, depth - 1);
        board.unmake_move();
        evaluator.pop();
    }
}

#[test]
fn both_colours_get_the_same_scores() {
    let (_, network) = random_network(1);
    walk(&network, 20, |board, evaluator| {
        assert_eq!(evaluator.evaluate(board), network.evaluate(&board.flipped()));
    });
}

#[test]
fn mirror_images_get_the_same_scores() {
    let (_, network) = random_network(2);
    for (one, other) in [
        ("4k3/8/2n5/8/5P2/8/6Q1/3K4 w - - 0 1", "3k4/8/5n2/8/2P5/8/1Q6/4K3 w - - 0 1"),
        ("7k/p7/8/8/8/B7/7P/K7 b - - 0 1", "k7/7p/8/8/8/7B/P7/7K b - - 0 1"),
    ] {
        let evaluate = |fen| network.evaluate(&Board::from_fen(fen).unwrap());
        assert_eq!(evaluate(one), evaluate(other), "{one}");
    }
}

#[test]
fn the_largest_weights_do_not_overflow() {
    for seed in 0..4 {
        let parameters = random_parameters(seed, SHAPE, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT);
        let network = Arc::new(Network::new(&parameters).unwrap());
        walk(&network, 3, |board, evaluator| {
            assert_eq!(evaluator.evaluate(board), parameters.evaluate(board));
        });
    }
    // All weights at their limits, with one sign.
    let mut parameters = Parameters::zeroed(SHAPE).unwrap();
    parameters.feature_weights.fill(MAX_FEATURE_WEIGHT);
    parameters.feature_biases.fill(MAX_FEATURE_BIAS);
    parameters.output_weights.fill(-MAX_OUTPUT_WEIGHT);
    let network = Arc::new(Network::new(&parameters).unwrap());
    walk(&network, 1, |board, evaluator| {
        assert_eq!(evaluator.evaluate(board), parameters.evaluate(board));
    });
}

#[test]
fn the_trace_shows_the_contribution_of_each_piece() {
    let (parameters, network) = random_network(3);
    let board = Board::from_fen("4k3/p7/8/8/8/8/P7/4K2R b K - 0 1").unwrap();
    let trace = EvalTrace::new(&network, &board);
    assert_eq!(trace.total(), -parameters.evaluate(&board));
    assert_eq!((trace.contribution(Square::E1), trace.contribution(Square::D4)), (None, None));
    if SHAPE.buckets == 1 {
        let without = Board::from_fen("4k3/p7/8/8/8/8/8/4K2R b K - 0 1").unwrap();
        let expected = trace.total() - -parameters.evaluate(&without);
        assert_eq!(trace.contribution(Square::A2), Some(expected));
    }
    let table = trace.to_string();
    assert!(table.contains("|   P   |"), "{table}");
    let total = format!("\nTotal: {} for White, ", pawns(normalised(trace.total())));
    assert!(table.contains(&total), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn the_trace_of_a_won_ending_has_its_score() {
    let (_, network) = random_network(3);
    let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 1").unwrap();
    let trace = EvalTrace::new(&network, &board);
    assert_eq!(Some(-trace.total()), endings::evaluate(&board));
    let table = trace.to_string();
    assert!(table.contains("Won ending"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn the_trace_of_a_stalemate_of_a_bare_king_is_a_draw() {
    let (_, network) = random_network(3);
    let board = Board::from_fen("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1").unwrap();
    let trace = EvalTrace::new(&network, &board);
    assert_eq!((trace.total(), trace.is_ending()), (Score::DRAW, false));
    assert!(trace.to_string().contains("Stalemate of the bare king"), "{trace}");
}

fn write_file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tabia-{}-{name}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn weights_of_more_than_eight_bits_are_rejected() {
    for weight in [128, -128] {
        let mut parameters = Parameters::zeroed(SHAPE).unwrap();
        *parameters.feature_weights.last_mut().unwrap() = weight;
        let expected = FormatError::Feature { found: weight, limit: 127 };
        let error = Network::new(&parameters).unwrap_err();
        assert!(matches!(error, NetworkError::Format(found) if found == expected), "{error}");
    }
}

#[test]
fn files_are_read_or_rejected_with_the_reason() {
    let (parameters, network) = random_network(4);
    let path = write_file("good.net", &parameters.to_bytes().unwrap());
    assert!(Network::read(&path).unwrap() == *network);
    fs::remove_file(&path).unwrap();
    assert!(matches!(Network::read(&path), Err(NetworkError::Io(_))));

    let other = Shape { hidden: SHAPE.hidden + 64, ..SHAPE };
    let path = write_file("shape.net", &random_parameters(5, other, 1, 1).to_bytes().unwrap());
    let error = Network::read(&path).unwrap_err().to_string();
    assert!(error.contains(&other.to_string()) && error.contains(&SHAPE.to_string()), "{error}");
    fs::write(&path, b"TABIANET").unwrap();
    assert!(matches!(Network::read(&path), Err(NetworkError::Format(_))));
    fs::remove_file(&path).unwrap();
}

#[test]
fn damaged_files_are_rejected_without_a_panic() {
    let shape = Shape { hidden: 64, buckets: 1 };
    let good = random_parameters(6, shape, 9, 9).to_bytes().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        // Changes the header, where every byte has a meaning.
        for _ in 0..1 + rng.next_u32() % 3 {
            bytes[rng.next_u32() as usize % 60] = rng.next_u32() as u8;
        }
        if rng.next_u32() % 4 == 0 {
            bytes.truncate(rng.next_u32() as usize % bytes.len());
        }
        assert!(bytes == good || Parameters::from_bytes(&bytes).is_err());
    }
}

/// Returns the score in hundredths of a pawn, for the side to move.
fn score(fen: &str) -> i32 {
    let Score(score) = Network::embedded().evaluate(&Board::from_fen(fen).unwrap());
    score
}

#[test]
fn plain_positions_get_plausible_scores() {
    let start = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((-20..100).contains(&start), "the right to move is a small advantage: {start}");
    let queen_up = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(queen_up > 400, "{queen_up}");
    let rook_up = score("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
    assert!(rook_up > 200, "{rook_up}");
    let trace = EvalTrace::new(&Network::embedded(), &Board::startpos());
    for square in Board::startpos().occupied() {
        let piece = Board::startpos().piece_on(square).unwrap();
        let sign = if piece.color() == Color::White { 1 } else { -1 };
        let is_king = piece.piece_type() == PieceType::King;
        assert!(trace.contribution(square).map_or(is_king, |score| sign * score.0 > 0), "{square}");
    }
}
