//! The number of move sequences from known positions; `perft/README.md` says where the counts come from.

use std::sync::atomic::AtomicBool;

use tabia::board::Board;
use tabia::board::perft::perft;

use crate::support::suite;

/// Checks every count of a suite that is at most `limit`.
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
#[ignore = "23 thousand million leaves"]
fn standard_positions_in_full() {
    check("standard", u64::MAX);
}

#[test]
#[ignore = "150 million leaves"]
fn tricky_positions_in_full() {
    check("tricky", u64::MAX);
}

#[test]
#[ignore = "5 thousand million leaves"]
fn chess960_start_positions_in_full() {
    check("chess960", u64::MAX);
}

#[test]
fn a_stopped_perft_has_no_count() {
    let stop = AtomicBool::new(true);
    assert_eq!(perft(&mut Board::startpos(), 6, &stop), None);
}
