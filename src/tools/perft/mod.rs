//! Perft: leaf counts of the move tree, the standard test of a move generator.
//! Source: <https://www.chessprogramming.org/Perft>

mod count;
mod hash_table;
mod suite;

pub use count::{PerftCount, PerftOptions, divide};
pub use suite::{SuiteError, check_suite, run_suite};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::Board;
use crate::platform::Instant;
use crate::search::TtError;

/// Result of perft with its time.
#[derive(Clone, Debug)]
pub struct PerftReport {
    /// Leaf nodes, in total and by root move.
    pub count: PerftCount,
    /// Time, with the allocation of the table.
    pub time: Duration,
    /// Threads and table used.
    pub options: PerftOptions,
}

/// Runs [`divide`] and measures its time.
///
/// # Errors
/// If the table cannot be allocated.
pub fn report(
    board: &Board,
    depth: u32,
    options: PerftOptions,
    stop: &AtomicBool,
) -> Result<Option<PerftReport>, TtError> {
    let start = Instant::now();
    let Some(count) = divide(board, depth, options, stop)? else { return Ok(None) };
    Ok(Some(PerftReport { count, time: start.elapsed(), options }))
}
