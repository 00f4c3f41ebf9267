//! The engine's own instruments: the benchmark, move-counting suites, the evidence for the position keys and the
//! self-test.
//!
//! They hand every line of text to a sink and print nothing; a flag that is set from elsewhere stops them early.

pub mod bench;
pub mod keys;
pub mod perft;
pub mod selftest;

use std::time::Duration;

/// Units of work per second, with a clock that has moved at least a millisecond.
fn per_second(count: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1_000);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
