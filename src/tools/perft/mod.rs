//! Perft: counting the lines of legal moves, the standard check of a move generator.
//! Source: <https://www.chessprogramming.org/Perft>

mod count;
mod suite;
mod table;

pub use count::{PerftOptions, divide};
pub use suite::{SuiteError, check_suite, run_suite};
pub use table::TableError;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::board::Board;

use super::per_second;

/// Counts the lines of `depth` plies from a position, move by move.
///
/// The lines of text are `e2e4: 20` for each move, sorted, then an empty one, `nodes N`, `time N ms` and `nps N`, and
/// what helped, if anything did. Castling is written as the king taking his own rook if `chess960`. A set `stop` ends
/// the count early; then there is no total.
///
/// # Errors
/// If there is no memory for the table asked for.
pub fn divide_report(
    board: &Board,
    depth: u32,
    chess960: bool,
    options: PerftOptions,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), TableError> {
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
        sink(&format!("hash {mib} MiB, {} counts taken from it", count.table_hits));
    }
    Ok(())
}
