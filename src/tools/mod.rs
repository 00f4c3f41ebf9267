//! Tools of the engine: benchmark, perft suites, Zobrist key statistics and self-test.
//!
//! They pass each line of output to a sink and print nothing. A stop flag ends them early.

pub mod bench;
pub mod keys;
pub mod perft;
pub mod selftest;

use std::time::Duration;

/// Returns the rate per second; times below one millisecond count as one millisecond.
fn per_second(count: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1_000);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
