//! Speed of this machine: nodes per second of searches of ten middlegames.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::search::{Limits, PoolError};
use crate::types::Depth;

use super::analyser::{Analyser, SearchSetup};
use super::json;
use super::{bench, per_second};

/// Middlegames among the positions of the benchmark.
const FIRST_POSITION: usize = 8;
const POSITIONS: usize = 10;

/// Record documented in docs/json.md.
#[derive(Serialize)]
struct SpeedRecord {
    threads: usize,
    hash: usize,
    time_ms: f64,
    nodes: u64,
    nps: u64,
    nps_per_thread: u64,
    depths: Vec<Depth>,
}

/// Searches middlegames for `time` altogether and writes the nodes per second.
///
/// # Errors
/// If the threads or the TT cannot be created.
pub fn speedtest(
    threads: usize,
    time: Duration,
    json: bool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), PoolError> {
    let boards: Vec<_> = bench::positions().skip(FIRST_POSITION).take(POSITIONS).collect();
    let move_time = Some(time / POSITIONS as u32);
    let hash = (16 * threads).clamp(64, 4096);
    let limits = Limits { move_time, ..Limits::default() };
    let mut analyser = Analyser::new(&SearchSetup::new(limits, threads, hash))?;
    if !json {
        sink(&format!("threads {threads}, hash {hash} MiB, {:.0} s", time.as_secs_f64()));
    }
    let start = Instant::now();
    let mut nodes = 0;
    let mut depths = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let found = analyser.search(board);
        nodes += found.outcome.nodes;
        depths.push(found.depth());
        if !json {
            let line = format!("depth {:>2}, nodes {:>11}", found.depth(), found.outcome.nodes);
            sink(&format!("{:>2}/{POSITIONS} {line}", index + 1));
        }
    }
    let elapsed = start.elapsed();
    let nps = per_second(nodes, elapsed);
    let nps_per_thread = nps / analyser.search_threads() as u64;
    sink(&if json {
        let time_ms = json::hundredths(elapsed.as_secs_f64() * 1e3);
        let record = SpeedRecord { threads, hash, time_ms, nodes, nps, nps_per_thread, depths };
        json::line("speedtest", &record)
    } else {
        format!("{nps} nodes per second, {nps_per_thread} per thread")
    });
    Ok(())
}
