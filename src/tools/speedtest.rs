//! Speed of this machine: nodes per second of searches of ten middlegames.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::search::{Limits, PoolError};
use crate::types::Depth;

use super::analyser::{Analyser, SearchSetup};
use super::json;
use super::{bench, per_second};

/// Middlegames of the benchmark.
const POSITIONS: std::ops::Range<usize> = 8..18;

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
    let boards: Vec<_> = bench::positions().collect();
    let boards = &boards[POSITIONS];
    let move_time = Some(time / boards.len() as u32);
    let hash = (16 * threads).clamp(64, 4096);
    let limits = Limits { move_time, ..Limits::default() };
    let mut analyser = Analyser::new(&SearchSetup { limits, threads, hash })?;
    if !json {
        sink(&format!("threads {threads}, hash {hash} MiB, {:.0} s", time.as_secs_f64()));
    }
    let (mut nodes, mut depths, start) = (0, Vec::new(), Instant::now());
    for (index, board) in boards.iter().enumerate() {
        let found = analyser.search(board);
        nodes += found.outcome.nodes;
        let (depth, count) = (found.depth(), found.outcome.nodes);
        depths.push(depth);
        if !json {
            sink(&format!("{:>2}/{} depth {depth:>2}, nodes {count:>11}", index + 1, boards.len()));
        }
    }
    let elapsed = start.elapsed();
    let nps = per_second(nodes, elapsed);
    let nps_per_thread = nps / analyser.searching() as u64;
    sink(&if json {
        let time_ms = json::hundredths(elapsed.as_secs_f64() * 1e3);
        let record = SpeedRecord { threads, hash, time_ms, nodes, nps, nps_per_thread, depths };
        json::line("speedtest", &record)
    } else {
        format!("{nps} nodes per second, {nps_per_thread} per thread")
    });
    Ok(())
}
