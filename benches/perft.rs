//! Compares perft with cozy-chess, and two threads with one.
//!
//! Runs of the two sides are interleaved, so that load on the machine affects both.
//! `cargo bench --bench perft [-- RUNS]`

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use tabia::board::Board;
use tabia::board::perft::perft;
use tabia::tools::perft::{PerftOptions, divide};

const DEFAULT_RUNS: usize = 11;

#[derive(Copy, Clone)]
struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    leaves: u64,
}

const fn startpos(depth: u32, leaves: u64) -> Case {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Case { name: "startpos", fen, depth, leaves }
}

const fn kiwipete(depth: u32, leaves: u64) -> Case {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    Case { name: "kiwipete", fen, depth, leaves }
}

type Count = fn(&Case) -> u64;

/// Counts the moves of the last ply without making them (bulk counting).
fn tabia_bulk(case: &Case) -> u64 {
    let mut board = Board::from_fen(case.fen).expect("a valid FEN");
    perft(&mut board, case.depth, &AtomicBool::new(false)).expect("not stopped")
}

fn cozy_bulk(case: &Case) -> u64 {
    fn walk(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    leaves += walk(&child, depth - 1);
                }
            }
            false
        });
        leaves
    }
    walk(&cozy_chess::Board::from_fen(case.fen, false).expect("a valid FEN"), case.depth)
}

/// Counts a leaf. `black_box` makes the compiler compute its position.
fn leaf<B>(board: &B) -> u64 {
    black_box(board);
    1
}

/// Makes every move, those of the last ply included.
fn tabia_plain(case: &Case) -> u64 {
    fn walk(board: &mut Board, depth: u32) -> u64 {
        let mut leaves = 0;
        for &mv in &board.legal_moves() {
            board.make_move(mv);
            leaves += if depth == 1 { leaf(board) } else { walk(board, depth - 1) };
            board.unmake_move();
        }
        leaves
    }
    walk(&mut Board::from_fen(case.fen).expect("a valid FEN"), case.depth)
}

fn cozy_plain(case: &Case) -> u64 {
    fn walk(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += if depth == 1 { leaf(&child) } else { walk(&child, depth - 1) };
            }
            false
        });
        leaves
    }
    walk(&cozy_chess::Board::from_fen(case.fen, false).expect("a valid FEN"), case.depth)
}

fn two_threads(case: &Case) -> u64 {
    let board = Board::from_fen(case.fen).expect("a valid FEN");
    let options = PerftOptions { threads: 2, hash: None };
    let count = divide(&board, case.depth, options, &AtomicBool::new(false));
    count.expect("no table to allocate").expect("not stopped").total
}

/// Runs two counts at once: the upper limit for two threads.
fn two_at_once(case: &Case) -> u64 {
    thread::scope(|scope| {
        let other = scope.spawn(|| tabia_bulk(case));
        assert_eq!(tabia_bulk(case), other.join().expect("the count does not panic"));
    });
    case.leaves
}

fn seconds(case: &Case, count: Count) -> f64 {
    let start = Instant::now();
    assert_eq!(count(black_box(case)), case.leaves, "{} at depth {}", case.name, case.depth);
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints the speeds of two ways of counting and their ratio.
///
/// The ratio is the median over the runs, less sensitive to load than the ratio of the medians.
/// `work` is how often the second way counts all leaves.
fn compare(what: &str, case: Case, runs: usize, sides: [Count; 2], work: f64) {
    let (mut first, mut second, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..runs {
        let times = sides.map(|count| seconds(&case, count));
        first.push(times[0]);
        second.push(times[1]);
        ratios.push(times[1] / work / times[0]);
    }
    let speed = |times, work| case.leaves as f64 * work / median(times) / 1e6;
    println!(
        "{what:<34} {:<9} {:>5} {:>8.1} {:>8.1} {:>6.2}",
        case.name,
        case.depth,
        speed(first, 1.0),
        speed(second, work),
        median(ratios)
    );
}

fn main() {
    // Cargo passes arguments of its own, so take the first number.
    let runs = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(DEFAULT_RUNS).max(1);
    println!("Millions of leaves per second, medians of {runs} interleaved runs.\n");
    println!(
        "{:<34} {:<9} {:>5} {:>8} {:>8} {:>6}",
        "", "position", "depth", "first", "second", "ratio"
    );
    let bulk: [Count; 2] = [tabia_bulk, cozy_bulk];
    compare("Tabia, cozy-chess", startpos(7, 3_195_901_860), runs, bulk, 1.0);
    compare("Tabia, cozy-chess", kiwipete(5, 193_690_690), runs, bulk, 1.0);
    let plain: [Count; 2] = [tabia_plain, cozy_plain];
    compare("the same, every move made", startpos(6, 119_060_324), runs, plain, 1.0);
    compare("the same, every move made", kiwipete(5, 193_690_690), runs, plain, 1.0);
    let scaling: [Count; 2] = [two_threads, tabia_bulk];
    compare("2 threads, 1 thread", startpos(7, 3_195_901_860), runs, scaling, 1.0);
    let limit: [Count; 2] = [two_threads, two_at_once];
    compare("2 threads, 2 counts at once", startpos(7, 3_195_901_860), runs, limit, 2.0);
}
