//! Perft counts of known positions; `perft/README.md` gives their sources.

use std::sync::atomic::AtomicBool;

use tabia::board::Board;
use tabia::board::perft::perft;
use tabia::tools::perft::{PerftOptions, divide};

use crate::support::suite;

fn check(name: &str, limit: u64) {
    let never = AtomicBool::new(false);
    for case in suite(name) {
        let mut board = Board::from_fen(&case.fen).unwrap();
        for (depth, leaves) in case.counts.into_iter().filter(|&(_, leaves)| leaves <= limit) {
            let found = perft(&mut board, depth, &never);
            assert_eq!(found, Some(leaves), "perft {depth} of {}", case.fen);
        }
    }
}

#[test]
fn standard_positions() {
    check("standard", 6_000_000);
}

#[test]
fn tricky_positions() {
    check("tricky", 4_000_000);
}

#[test]
fn chess960_start_positions() {
    check("chess960", 250_000);
}

#[test]
#[ignore = "23 billion leaves"]
fn standard_positions_in_full() {
    check("standard", u64::MAX);
}

#[test]
#[ignore = "150 million leaves"]
fn tricky_positions_in_full() {
    check("tricky", u64::MAX);
}

#[test]
#[ignore = "5 billion leaves"]
fn chess960_start_positions_in_full() {
    check("chess960", u64::MAX);
}

/// Would fail if the table confused positions or depths, or if threads lost moves. The table is
/// small, so that entries are replaced.
#[test]
fn threads_and_hash_do_not_change_counts() {
    let never = AtomicBool::new(false);
    for (threads, hash) in [(2, None), (1, Some(1)), (3, Some(1))] {
        for case in suite("standard").into_iter().chain(suite("tricky")) {
            let board = Board::from_fen(&case.fen).unwrap();
            for (depth, leaves) in case.counts.into_iter().filter(|&(_, leaves)| leaves <= 700_000)
            {
                let options = PerftOptions { threads, hash };
                let count = divide(&board, depth, options, &never).unwrap().unwrap();
                assert_eq!(count.total, leaves, "{options:?}, perft {depth} of {}", case.fen);
                assert_eq!(count.by_move.len(), board.count_legal_moves());
            }
        }
    }
}

#[test]
fn a_stopped_perft_has_no_count() {
    let stop = AtomicBool::new(true);
    assert_eq!(perft(&mut Board::startpos(), 6, &stop), None);
    let options = PerftOptions { threads: 2, hash: Some(1) };
    assert_eq!(divide(&Board::startpos(), 6, options, &stop), Ok(None));
}
