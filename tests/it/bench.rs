//! The benchmark is the checksum of the search: the same nodes in every run.

use std::sync::atomic::AtomicBool;

use tabia::eval::Network;
use tabia::tools::bench::Bench;

fn run(stop: &AtomicBool) -> (u64, Vec<String>) {
    let mut lines = Vec::new();
    let bench = Bench { depth: 7, hash: 1, ..Bench::default() };
    let nodes = bench.run(&Network::embedded(), stop, &mut |line| lines.push(line.to_owned()));
    (nodes.expect("a megabyte can be had"), lines)
}

#[test]
fn one_thread_is_deterministic() {
    let stop = AtomicBool::new(false);
    let (nodes, lines) = run(&stop);
    assert!(nodes > 0);
    assert_eq!(run(&stop).0, nodes);
    let last: Vec<&str> = lines.last().expect("a last line").split(' ').collect();
    assert!(
        matches!(last[..], [count, "nodes", _, "nps"] if count == nodes.to_string()),
        "{last:?}"
    );
    assert!(lines.len() >= 40);
}

#[test]
fn a_stopped_bench_has_no_sum() {
    let (_, lines) = run(&AtomicBool::new(true));
    assert_eq!(lines, ["stopped"]);
}
