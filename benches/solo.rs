//! Times short searches on the calling thread, as data generation runs them. The fixed cost of a
//! search dominates the shortest ones.
//!
//! `cargo bench --bench solo [-- RUNS]`

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

use std::hint::black_box;
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabia::board::Board;
use tabia::search::{Limits, SoloSearch};

const DEFAULT_RUNS: usize = 5;
const HASH_MIB: usize = 2;
const GAMES: u64 = 16;
const RANDOM_PLIES: usize = 8;
const PLIES: usize = 100;
const SOFT_NODES: [u64; 4] = [1, 40, 100, 500];

fn limits(soft_nodes: u64) -> Limits {
    Limits { soft_nodes: Some(soft_nodes), nodes: Some(8 * soft_nodes), ..Limits::default() }
}

/// Returns the positions of a game after its random opening.
fn play(seed: u64, solo: &mut SoloSearch) -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::startpos();
    let mut positions = Vec::new();
    solo.clear();
    for ply in 0..PLIES {
        let legal = board.legal_moves();
        let mv = if ply < RANDOM_PLIES {
            legal.get(rng.next_u32() as usize % legal.len().max(1)).copied()
        } else if board.is_draw(0) {
            None
        } else {
            positions.push(board.clone());
            solo.search(&board, limits(100)).best
        };
        let Some(mv) = mv else { break };
        board.make_move(mv);
    }
    positions
}

/// Returns the microseconds and nodes of an average search.
fn run(games: &[Vec<Board>], soft_nodes: u64, solo: &mut SoloSearch) -> [f64; 2] {
    let (mut seconds, mut nodes, mut searches) = (0.0, 0, 0);
    for game in games {
        solo.clear();
        let start = Instant::now();
        for board in game {
            nodes += solo.search(black_box(board), limits(soft_nodes)).nodes;
            searches += 1;
        }
        seconds += start.elapsed().as_secs_f64();
    }
    [seconds * 1e6, nodes as f64].map(|sum| sum / f64::from(searches))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // Cargo passes arguments of its own.
    let runs = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(DEFAULT_RUNS).max(1);
    let mut solo = SoloSearch::for_labels(HASH_MIB).expect("a small table fits");
    let games: Vec<_> = (0..GAMES).map(|seed| play(seed, &mut solo)).collect();
    let positions: usize = games.iter().map(Vec::len).sum();
    println!("{positions} positions, medians of {runs} runs\n");
    println!("{:>10} {:>8} {:>9} {:>8}", "soft nodes", "nodes", "µs/search", "ns/node");
    for soft_nodes in SOFT_NODES {
        let found = (0..runs).map(|_| run(&games, soft_nodes, &mut solo));
        let (times, nodes): (Vec<_>, Vec<_>) = found.map(|[time, nodes]| (time, nodes)).unzip();
        let (time, nodes) = (median(times), median(nodes));
        println!("{soft_nodes:>10} {nodes:>8.1} {time:>9.2} {:>8.1}", time * 1e3 / nodes);
    }
}
