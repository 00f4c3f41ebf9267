//! Perft commands: counts of move sequences by first move, and suites with expected counts.
//! Source: <https://www.chessprogramming.org/Perft>

mod count;
mod suite;
mod table;

pub use count::{PerftOptions, divide};
pub use suite::{SuiteError, check_suite, run_suite};
pub use table::PerftTableError;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::board::Board;

use super::per_second;

/// Counts the move sequences of `depth` plies from a position, split by the first move.
///
/// Writes a line such as `e2e4: 20` per move, sorted, then an empty line, `nodes N`, `time N ms`,
/// `nps N`, and lines for threads and hash if used. `chess960` selects the notation of castling
/// as king takes rook. Setting `stop` ends the count without a total.
///
/// # Errors
/// If the table cannot be allocated.
pub fn divide_report(
    board: &Board,
    depth: u32,
    chess960: bool,
    options: PerftOptions,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), PerftTableError> {
    let start = Instant::now();
    let Some(count) = divide(board, depth, options, stop)? else {
        sink("stopped");
        return Ok(());
    };
    let elapsed = start.elapsed();
    let mut lines: Vec<String> = count
        .by_move
        .iter()
        .map(|(mv, nodes)| format!("{}: {nodes}", mv.display(chess960)))
        .collect();
    lines.sort_unstable();
    for line in &lines {
        sink(line);
    }
    sink("");
    sink(&format!("nodes {}", count.total));
    sink(&format!("time {} ms", elapsed.as_millis()));
    sink(&format!("nps {}", per_second(count.total, elapsed)));
    if options.threads > 1 {
        sink(&format!("threads {}", options.threads));
    }
    if let Some(mib) = options.hash {
        sink(&format!("hash {mib} MiB, {} hits", count.table_hits));
    }
    Ok(())
}
