//! The program with too little address space (`ulimit -v`), memory (control group) or file size
//! (`ulimit -f`). Not run under sanitizers, which reserve too much address space.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use crate::session::{
    Run, any_contains, count_best_moves, path_of_program, scratch, with_environment,
};
use crate::support::{report_skip, zstandard};

/// Memory of a control group.
const GROUP_BYTES: u64 = 200_000_000;

/// Runs the program on these lines with a limit on its address space.
///
/// Each thread without a stack size of its own reserves 1 GiB of it, so this limits the threads,
/// too. A session has three of them: one notices a closed output, one runs the engine, one writes.
/// With everything else it needs a little more than 3 GiB.
fn run_with_limit(gib: f64, lines: &str) -> Run {
    let kib = (gib * f64::from(1 << 20)) as u64;
    run_after(&format!("export RUST_MIN_STACK={} && ulimit -v {kib}", 1 << 30), &[], lines)
}

/// Runs the program with these arguments on these lines, once a command of the shell has succeeded.
fn run_after(command: &str, arguments: &[&str], lines: &str) -> Run {
    let mut child = with_environment(Command::new("sh"))
        .args(["-c", &format!("{command} && exec \"$0\" \"$@\"")])
        .arg(path_of_program())
        .args(arguments)
        // If memory runs out while a backtrace is printed, the standard library deadlocks.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    // The program may end before it reads.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    child.wait_with_output().expect("the output is read").into()
}

/// Returns the lines that set these options.
fn set_options(options: &[(&str, &str)]) -> String {
    options.iter().map(|(name, value)| format!("setoption name {name} value {value}\n")).collect()
}

/// Returns the first line; an empty one without any.
fn first(lines: &[String]) -> &str {
    lines.first().map_or("", String::as_str)
}

/// Control group with a limit of [`GROUP_BYTES`] on its memory, removed on drop.
struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// Creates a group of either version; `None` where the system has none or forbids it. Then the
    /// test is skipped.
    fn new(name: &str) -> Option<Self> {
        let mounts =
            [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];
        let group = mounts.into_iter().find_map(|(mount, limit)| {
            let folder = Path::new(mount).join(format!("tabia-{name}-{}", process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Self(folder);
            fs::write(group.0.join(limit), GROUP_BYTES.to_string()).ok()?;
            // Where the system swaps, too much memory makes the program slow and does not kill it.
            // Only version 2 has this file.
            let _ = fs::write(group.0.join("memory.swap.max"), "0");
            Some(group)
        });
        if group.is_none() {
            report_skip("no control group with a limit on memory can be created");
        }
        group
    }

    fn run(&self, arguments: &[&str], lines: &str) -> Run {
        let join = format!("echo $$ > {}", self.0.join("cgroup.procs").display());
        run_after(&join, arguments, lines)
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn no_search_is_killed_in_a_control_group() {
    let Some(group) = MemoryGroup::new("search") else { return };
    let searches = "go nodes 20000\nwait\nsetoption name UCI_LimitStrength value false\n\
                    setoption name MultiPV value 5\ngo nodes 20000\nwait\n\
                    setoption name Skill Level value 5\ngo nodes 20000\nwait\n";
    for (hash, threads) in [("150", "8"), ("160", "8"), ("170", "4"), ("150", "32"), ("16", "64")] {
        let options = [("Hash", hash), ("Threads", threads), ("UCI_LimitStrength", "true")];
        let Run { code, stdout, stderr } = group.run(&[], &(set_options(&options) + searches));
        let found = (code, count_best_moves(&stdout));
        assert_eq!(found, (Some(0), 3), "{hash} {threads}: {stdout:?} {stderr:?}");
    }
}

#[test]
fn no_tool_is_killed_in_a_control_group() {
    let Some(group) = MemoryGroup::new("tool") else { return };
    let full = set_options(&[("Hash", "160"), ("Threads", "4")]);
    for tool in ["bench 2 8 4", "perft 4 hash 16", "perft 4 threads 4 hash 64", "genfens 2 seed 1"]
    {
        let lines = format!("{full}{tool}\ngo depth 4\nwait\n");
        let Run { code, stdout, stderr } = group.run(&[], &lines);
        let found = (code, count_best_moves(&stdout));
        assert_eq!(found, (Some(0), 1), "{tool}: {stdout:?} {stderr:?}");
    }
}

#[test]
fn a_long_game_that_does_not_fit_is_refused_in_a_control_group() {
    let Some(group) = MemoryGroup::new("game") else { return };
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(40_000);
    let lines = set_options(&[("Hash", "100"), ("Threads", "4")])
        + &format!("position startpos moves {moves}\ngo depth 3\nposition startpos\ngo depth 3\n");
    let Run { code, stdout, stderr } = group.run(&[], &lines);
    assert_eq!((code, count_best_moves(&stdout)), (Some(0), 2), "{stdout:?} {stderr:?}");
    let refusal = "position: 160000 moves: out of memory";
    assert!(any_contains(&stdout, refusal), "{stdout:?}");
}

#[test]
fn a_suite_that_does_not_fit_is_refused_in_a_control_group() {
    let Some(group) = MemoryGroup::new("suite") else { return };
    let suite = scratch("large.epd");
    let name = suite.display().to_string();
    // Too much text, and too many positions.
    for text in [&b"\0"[..], b"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;\n"] {
        fs::write(&suite, text.repeat((60 << 20) / text.len())).unwrap();
        let Run { code, stderr, .. } = group.run(&["epd", &name], "");
        assert_eq!(code, Some(1), "{:?}", stderr.last());
        assert!(first(&stderr).ends_with("out of memory"), "{:?}", stderr.last());
    }
    let position = b"8/8/8/4k3/8/8/4P3/4K3 w - -\n";
    fs::write(&suite, position.repeat((15 << 20) / position.len())).unwrap();
    let lines = set_options(&[("Hash", "100")]) + &format!("perft {name}\ngo depth 3\n");
    let Run { code, stdout, stderr } = group.run(&[], &lines);
    assert_eq!((code, count_best_moves(&stdout)), (Some(0), 1), "{stdout:?} {stderr:?}");
    fs::remove_file(suite).unwrap();
}

#[test]
fn a_book_that_does_not_fit_is_refused_in_a_control_group() {
    let Some(group) = MemoryGroup::new("book") else { return };
    let book = scratch("large.bin");
    fs::File::create(&book).unwrap().set_len(300 << 20).unwrap();
    let name = book.display().to_string();
    let refused = group.run(&["book", &name], "");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(first(&refused.stderr).contains("out of memory"), "{refused:?}");
    let session = group.run(&[], &(set_options(&[("Book File", &name)]) + "go depth 3\n"));
    assert_eq!(count_best_moves(&session.stdout), 1, "{session:?}");
    fs::remove_file(book).unwrap();
}

#[test]
fn a_window_that_does_not_fit_is_refused_in_a_control_group() {
    let Some(group) = MemoryGroup::new("window") else { return };
    let path = scratch("window.pgn.zst");
    // A game, and line breaks that fill a window of 64 MiB.
    let game = &b"1. e4 e5 *\n"[..];
    let line_breaks = std::iter::repeat_n((128 << 10, &b"\n"[..]), 600);
    fs::write(&path, zstandard(0x80, [(game.len(), game)].into_iter().chain(line_breaks))).unwrap();
    let name = path.display().to_string();
    for (hash, fits) in [("16", true), ("120", false), ("150", false)] {
        let run = group.run(&["analyse", &name, "--nodes", "1", "--hash", hash, "--json"], "");
        assert_eq!(run.code, Some(i32::from(!fits)), "{hash}: {:?}", run.stderr);
        assert_eq!(any_contains(&run.stdout, r#""type":"game""#), fits, "{hash}: {:?}", run.stdout);
        let refusal = "window of 64 MiB: out of memory";
        assert_eq!(any_contains(&run.stderr, refusal), !fits, "{hash}: {:?}", run.stderr);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_large_file_is_refused_before_it_is_read() {
    let book = scratch("huge.bin");
    fs::File::create(&book).unwrap().set_len(20 << 30).unwrap();
    let name = book.display().to_string();
    // KiB: less than the 1024 MiB that a book may have.
    let little = "ulimit -v 1000000";
    let reason = "larger than the maximum of 1024 MiB";
    let refused = run_after(little, &["book", &name], "");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(first(&refused.stderr).ends_with(reason), "{refused:?}");
    let lines = format!("setoption name Book File value {name}\ngo depth 3\n");
    let session = run_after(little, &[], &lines);
    assert!(any_contains(&session.stdout, reason), "{session:?}");
    assert_eq!(count_best_moves(&session.stdout), 1, "{session:?}");
    fs::remove_file(book).unwrap();
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let log = scratch("limited.log");
    let lines = format!(
        "setoption name Debug Log File value {}\ngo depth 8\nwait\nisready\n",
        log.display()
    );
    // The limits are in units of 512 bytes.
    let Run { code, stdout, stderr } = run_after("ulimit -f 1", &[], &lines);
    let found = (code, count_best_moves(&stdout), stderr.len());
    assert_eq!(found, (Some(0), 1, 0), "{stdout:?} {stderr:?}");
    let closed = "info string error: Debug Log File: it cannot be written and is closed: ";
    assert_eq!(stdout.iter().filter(|line| line.starts_with(closed)).count(), 1, "{stdout:?}");
    assert!(any_contains(&stdout, "readyok"), "{stdout:?}");
    fs::remove_file(log).unwrap();
    let folder = scratch("limited-games");
    let name = folder.display().to_string();
    let games = ["datagen", "--games", "200", "--nodes", "20", "--out", &name, "--threads", "1"];
    let Run { code, stderr, .. } = run_after("ulimit -f 2", &games, "");
    assert_eq!((code, stderr.len()), (Some(1), 1), "{stderr:?}");
    assert!(first(&stderr).starts_with("error: datagen: "), "{stderr:?}");
    fs::remove_dir_all(folder).unwrap();
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
        if *code == Some(0) && errors.iter().all(|error| any_contains(stdout, error)) {
            assert_eq!((stderr.len(), count_best_moves(stdout)), (0, 1), "{run:?}");
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
        assert!(first(&stderr).starts_with(&expected), "{stderr:?}");
    }
}

#[test]
fn a_smaller_hash_needs_no_room_for_both() {
    // Of 4.2 GiB the threads reserve 3, so less than 1229 MiB are left: enough for each table, too
    // little for both, which are 1250 MiB.
    let sizes = [("Hash", "650"), ("Hash", "600"), ("Hash", "5000")];
    let Run { code, stdout, stderr } = run_with_limit(4.2, &(set_options(&sizes) + "go depth 3\n"));
    assert_eq!((code, stderr.len()), (Some(0), 0), "{stdout:?} {stderr:?}");
    assert!(first(&stdout).starts_with("info string error: Hash: "), "{stdout:?}");
    assert!(first(&stdout).ends_with("; using 600 MiB"), "{stdout:?}");
    assert_eq!(count_best_moves(&stdout), 1, "{stdout:?}");
    assert!(!any_contains(&stdout[1..], "error"), "{stdout:?}");
}

#[test]
fn at_the_memory_limit_there_are_fewer_threads() {
    for gib in [4.0, 4.13, 4.3, 4.61] {
        let lines = "setoption name Threads value 1000\ngo depth 8\n\
                     setoption name UCI_LimitStrength value true\ngo depth 3\n\
                     ucinewgame\ngo depth 5\n";
        let Run { code, stdout, stderr } = run_with_limit(gib, lines);
        assert_eq!((code, stderr.len()), (Some(0), 0), "{gib}: {stdout:?} {stderr:?}");
        let start = "info string error: Threads: cannot start 1000: ";
        assert!(first(&stdout).starts_with(start), "{gib}: {stdout:?}");
        assert_eq!(count_best_moves(&stdout), 3, "{gib}: {stdout:?}");
    }
}

#[test]
fn any_limit_of_memory_ends_in_an_error_or_a_move() {
    for step in 0..12 {
        let gib = 3.0 + f64::from(step) * 0.02;
        let run = run_with_limit(gib, "go depth 5\n");
        match run.code {
            Some(0) => assert_eq!(count_best_moves(&run.stdout), 1, "{gib}: {run:?}"),
            Some(1) => {
                let is_error = run.stderr.len() == 1 && first(&run.stderr).starts_with("error: ");
                assert!(is_error, "{gib}: {run:?}");
            }
            _ => panic!("{gib}: {run:?}"),
        }
    }
}
