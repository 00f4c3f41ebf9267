//! Tools: benchmark, perft, Zobrist key statistics, self-test.
//!
//! A tool writes its lines to a sink and never prints. Setting its stop flag ends it early.

pub mod bench;
pub mod keys;
pub mod perft;
pub mod selftest;

use std::time::Duration;

/// Returns a rate per second, with a duration of at least 1 ms.
fn per_second(count: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1_000);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
