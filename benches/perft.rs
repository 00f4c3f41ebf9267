//! Perft of Tabia beside perft of cozy-chess, in one run on one thread: both walk the tree in the same way and count
//! the moves of the last ply without making them. The two take turns, so that a busy machine hurts both alike.
//!
//! `cargo bench --bench perft`

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tabia::board::Board;
use tabia::board::perft::perft;

/// Runs of each side; the median of them is reported.
const RUNS: usize = 5;

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    leaves: u64,
}

const CASES: [Case; 2] = [
    Case {
        name: "startpos",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        leaves: 119_060_324,
    },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        leaves: 193_690_690,
    },
];

fn tabia_perft(case: &Case) -> u64 {
    let mut board = Board::from_fen(case.fen).expect("the FEN is right");
    perft(&mut board, case.depth, &AtomicBool::new(false)).expect("nobody stops it")
}

fn cozy_perft(case: &Case) -> u64 {
    let board = cozy_chess::Board::from_fen(case.fen, false).expect("the FEN is right");
    cozy_walk(&board, case.depth)
}

fn cozy_walk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += cozy_walk(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

/// Millions of leaves per second.
fn speed(case: &Case, count: fn(&Case) -> u64) -> f64 {
    let start = Instant::now();
    assert_eq!(count(black_box(case)), case.leaves, "{} at depth {}", case.name, case.depth);
    case.leaves as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn median(mut values: [f64; RUNS]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[RUNS / 2]
}

fn main() {
    println!(
        "{:<10} {:>5} {:>12} {:>12} {:>7}",
        "position", "depth", "tabia", "cozy-chess", "ratio"
    );
    for case in &CASES {
        let (mut ours, mut theirs) = ([0.0; RUNS], [0.0; RUNS]);
        for run in 0..RUNS {
            ours[run] = speed(case, tabia_perft);
            theirs[run] = speed(case, cozy_perft);
        }
        let (ours, theirs) = (median(ours), median(theirs));
        println!(
            "{:<10} {:>5} {ours:>7.1} Mn/s {theirs:>7.1} Mn/s {:>7.2}",
            case.name,
            case.depth,
            ours / theirs
        );
    }
}
