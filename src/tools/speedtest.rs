//! Speed of this machine: nodes per second of a long search with many threads.

use std::time::{Duration, Instant};

use crate::search::{Limits, PoolError};

use super::analyser::{Analyser, SearchSetup};
use super::{bench, per_second};

/// Middlegames of the benchmark.
const POSITIONS: std::ops::Range<usize> = 8..18;

/// Searches middlegames for `time` altogether and writes the nodes per second.
///
/// # Errors
/// If the threads or the TT cannot be had.
pub fn speedtest(
    threads: usize,
    time: Duration,
    sink: &mut dyn FnMut(&str),
) -> Result<(), PoolError> {
    let boards: Vec<_> = bench::positions().collect();
    let boards = &boards[POSITIONS];
    let move_time = Some(time / boards.len() as u32);
    let hash = (16 * threads).clamp(64, 4096);
    let limits = Limits { move_time, ..Limits::default() };
    let mut analyser = Analyser::new(&SearchSetup { limits, threads, hash })?;
    sink(&format!("threads {threads}, hash {hash} MiB, {:.0} s", time.as_secs_f64()));
    let (mut nodes, start) = (0, Instant::now());
    for (index, board) in boards.iter().enumerate() {
        let found = analyser.search(board);
        nodes += found.outcome.nodes;
        let (depth, count) = (found.depth(), found.outcome.nodes);
        sink(&format!("{:>2}/{} depth {depth:>2}, nodes {count:>11}", index + 1, boards.len()));
    }
    let elapsed = start.elapsed();
    let speed = per_second(nodes, elapsed);
    sink(&format!("{speed} nodes per second, {} per thread", speed / threads as u64));
    Ok(())
}
