//! The benchmark is the checksum of the search: the same nodes in every run.

use std::sync::atomic::AtomicBool;

use tabia::tools::bench;

fn run(depth: i32, stop: &AtomicBool) -> (u64, Vec<String>) {
    let mut lines = Vec::new();
    let nodes = bench::run(depth, 1, 1, &mut |line| lines.push(line.to_owned()), stop);
    (nodes.expect("a megabyte can be had"), lines)
}

#[test]
fn one_thread_is_deterministic() {
    let stop = AtomicBool::new(false);
    let (nodes, lines) = run(7, &stop);
    assert!(nodes > 0);
    assert_eq!(run(7, &stop).0, nodes);
    let last: Vec<&str> = lines.last().expect("a last line").split(' ').collect();
    assert!(
        matches!(last[..], [count, "nodes", _, "nps"] if count == nodes.to_string()),
        "{last:?}"
    );
    assert!(lines.len() >= 40);
}

#[test]
fn a_stopped_bench_still_sums_up() {
    let (nodes, lines) = run(7, &AtomicBool::new(true));
    assert_eq!((nodes, lines), (0, vec!["0 nodes 0 nps".to_owned()]));
}
