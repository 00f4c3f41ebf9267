//! Self-test of this build on this CPU: finds faults of compilers, CPUs and memory.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::Network;

use super::bench::{self, Bench};
use super::perft;

struct Check {
    name: &'static str,
    /// Returns a summary or the failure.
    run: fn(&AtomicBool) -> Result<String, String>,
}

const CHECKS: &[Check] = &[
    Check {
        name: "perft, standard positions",
        run: |stop| count_leaves(include_str!("../../perft/standard.epd"), stop),
    },
    Check {
        name: "perft, special cases and Chess960",
        run: |stop| count_leaves(include_str!("../../perft/tricky.epd"), stop),
    },
    Check { name: "network, each kernel against the reference", run: compare_kernels },
    Check { name: "bench signature", run: search_signature },
];

/// Depth limit in plies: half a second per suite.
const PERFT_DEPTH: u32 = 5;

/// Runs all checks and writes a line for each (`ok` or `FAILED`). Returns whether all passed; those
/// that `stop` ends fail.
pub fn run(stop: &AtomicBool, sink: &mut dyn FnMut(&str)) -> bool {
    run_checks(CHECKS, stop, sink)
}

fn run_checks(checks: &[Check], stop: &AtomicBool, sink: &mut dyn FnMut(&str)) -> bool {
    let mut failures = 0;
    for Check { name, run } in checks {
        match run(stop) {
            Ok(found) => sink(&format!("ok      {name}: {found}")),
            Err(problem) => {
                failures += 1;
                sink(&format!("FAILED  {name}: {problem}"));
            }
        }
    }
    let all = checks.len();
    match failures {
        0 => sink(&format!("all {all} checks passed")),
        _ => sink(&format!(
            "{failures} of {all} checks failed: do not use this build on this machine"
        )),
    }
    failures == 0
}

fn count_leaves(suite: &str, stop: &AtomicBool) -> Result<String, String> {
    let mut last_line = String::new();
    let mut sink = |line: &str| line.clone_into(&mut last_line);
    match perft::check_suite(suite, Some(PERFT_DEPTH), stop, &mut sink) {
        Ok(true) => Ok(last_line),
        Ok(false) => Err(last_line),
        Err(error) => Err(error.to_string()),
    }
}

fn compare_kernels(stop: &AtomicBool) -> Result<String, String> {
    if stop.load(Ordering::Relaxed) {
        return Err("stopped".to_owned());
    }
    let boards: Vec<_> = bench::positions().collect();
    let kernels = Network::check_kernels(&boards)?;
    let hash = Network::embedded_hash().map(|byte| format!("{byte:02x}")).concat();
    Ok(format!("{kernels}; the network is {hash}"))
}

/// Compares [`bench::SIGNATURE`], if the embedded network is the default one.
fn search_signature(stop: &AtomicBool) -> Result<String, String> {
    let mut last_line = String::new();
    let mut sink = |line: &str| line.clone_into(&mut last_line);
    let nodes = Bench::default()
        .run(&Network::embedded(), stop, &mut sink)
        .map_err(|error| error.to_string())?;
    if nodes == bench::SIGNATURE || !Network::EMBEDDED_IS_DEFAULT {
        Ok(last_line)
    } else {
        Err(format!("expected {} nodes, found {nodes}", bench::SIGNATURE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRONG_COUNT: &str = "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2 ;D2 6";

    fn lines_of(checks: &[Check], stop: bool) -> (bool, Vec<String>) {
        let mut lines = Vec::new();
        let mut sink = |line: &str| lines.push(line.to_owned());
        let is_success = run_checks(checks, &AtomicBool::new(stop), &mut sink);
        (is_success, lines)
    }

    #[test]
    fn one_failed_check_fails_the_run() {
        let good = Check { name: "good", run: |_| Ok("12".to_owned()) };
        let (is_success, lines) = lines_of(std::slice::from_ref(&good), false);
        assert!(is_success);
        assert_eq!(lines, ["ok      good: 12", "all 1 checks passed"]);

        let bad = Check { name: "bad", run: |stop| count_leaves(WRONG_COUNT, stop) };
        let (is_success, lines) = lines_of(&[bad, good], false);
        assert!(!is_success);
        assert!(
            lines[0].starts_with("FAILED  bad: 1/1: wrong at depth 1: expected 2"),
            "{lines:?}"
        );
        assert!(lines[1].starts_with("ok ") && lines[2].starts_with("1 of 2 "), "{lines:?}");
    }

    #[test]
    fn stopped_checks_fail() {
        let (is_success, lines) = lines_of(CHECKS, true);
        assert!(!is_success);
        assert_eq!(lines.iter().filter(|line| line.starts_with("FAILED")).count(), CHECKS.len());
    }
}
