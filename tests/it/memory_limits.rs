//! Program under a limit of its address space, which sanitizers cannot work under.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::session::{Run, best_moves, mention, path_of_program};

/// Runs the program on these lines with a limit on its address space. Each thread without a stack
/// size of its own takes a GiB of it, so the limit is one on threads, too.
fn run_with_limit(gib: f64, lines: &str) -> Run {
    let kib = (gib * f64::from(1 << 20)) as u64;
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib}; exec \"$0\"")])
        .arg(path_of_program())
        .env("RUST_MIN_STACK", (1 << 30).to_string())
        // Out of memory in a backtrace, the standard library waits for itself.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    // The program may end before it reads.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("the output is read");
    let lines =
        |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
    Run { code: output.status.code(), stdout: lines(output.stdout), stderr: lines(output.stderr) }
}

#[test]
fn a_tool_without_a_thread_is_an_error() {
    let tools = ["perft", "bench", "genfens"];
    let errors = tools.map(|tool| format!("info string error: {tool}: cannot start a thread: "));
    // Searches for a limit that has room for all threads but a tool's, whose stack is 16 MiB. What
    // the allocator takes differs from run to run, so a larger limit may have no room for the rest.
    for step in 0..256 {
        let script = "perft 3\nbench 2\ngenfens 3 seed 1\ngo depth 3\n";
        let run = run_with_limit(3.0 + f64::from(step) / 256.0, script);
        let Run { code, stdout, stderr } = &run;
        if *code == Some(0) && errors.iter().all(|error| mention(stdout, error)) {
            assert_eq!((stderr.len(), best_moves(stdout)), (0, 1), "{run:?}");
            return;
        }
    }
    panic!("no such limit");
}

#[test]
fn a_session_without_its_threads_ends_with_an_error() {
    for (gib, thread) in [(1.5, "engine"), (2.5, "writer")] {
        let Run { code, stdout, stderr } = run_with_limit(gib, "isready\n");
        assert_eq!((code, stdout.len(), stderr.len()), (Some(1), 0, 1), "{stderr:?}");
        let expected = format!("error: cannot start the thread '{thread}': ");
        assert!(stderr[0].starts_with(&expected), "{stderr:?}");
    }
}

#[test]
fn a_smaller_hash_needs_no_room_for_both() {
    let sizes = [600, 500, 5000].map(|mib| format!("setoption name Hash value {mib}\n"));
    let Run { code, stdout, stderr } = run_with_limit(4.6, &(sizes.concat() + "go depth 3\n"));
    assert_eq!((code, stderr.len()), (Some(0), 0), "{stdout:?} {stderr:?}");
    assert!(stdout[0].starts_with("info string error: Hash: "), "{stdout:?}");
    assert!(stdout[0].ends_with("; using 500 MiB"), "{stdout:?}");
    assert!(best_moves(&stdout) == 1 && !mention(&stdout[1..], "error"), "{stdout:?}");
}

#[test]
fn at_the_memory_limit_there_are_fewer_threads() {
    for gib in [4.0, 4.13, 4.3, 4.61] {
        let lines = "setoption name Threads value 1000\ngo depth 8\nsetoption name UCI_LimitStrength \
                     value true\ngo depth 3\nucinewgame\ngo depth 5\n";
        let Run { code, stdout, stderr } = run_with_limit(gib, lines);
        assert_eq!((code, stderr.len()), (Some(0), 0), "{gib}: {stdout:?} {stderr:?}");
        let start = "info string error: Threads: cannot start 1000: ";
        assert!(stdout[0].starts_with(start), "{gib}: {stdout:?}");
        assert_eq!(best_moves(&stdout), 3, "{gib}: {stdout:?}");
    }
}

#[test]
fn any_limit_of_memory_ends_in_an_error_or_a_move() {
    for step in 0..12 {
        let gib = 3.0 + f64::from(step) * 0.02;
        let Run { code, stdout, stderr } = run_with_limit(gib, "go depth 5\n");
        let expected = if code == Some(0) { best_moves(&stdout) } else { stderr.len() };
        assert_eq!(expected, 1, "{gib}: {code:?} {stdout:?} {stderr:?}");
    }
}
