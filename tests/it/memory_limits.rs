//! Program under limits of its address space, which sanitizers cannot work under, of the memory of
//! a control group, and of the size of files.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use crate::session::{Run, best_moves, mention, path_of_program, scratch};
use crate::support::zstandard;

/// Runs the program on these lines with a limit on its address space. Each thread without a stack
/// size of its own takes a GiB of it, so the limit is one on threads, too.
fn run_with_limit(gib: f64, lines: &str) -> Run {
    let kib = (gib * f64::from(1 << 20)) as u64;
    run_after(&format!("export RUST_MIN_STACK={}; ulimit -v {kib}", 1 << 30), &[], lines)
}

/// Runs the program with these arguments on these lines, after a command of the shell.
fn run_after(command: &str, arguments: &[&str], lines: &str) -> Run {
    let mut child = Command::new("sh")
        .args(["-c", &format!("{command}; exec \"$0\" \"$@\"")])
        .arg(path_of_program())
        .args(arguments)
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

/// Control group with a limit on its memory, removed on drop.
struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// Creates a group of either version; `None` where the system has none or forbids it.
    fn new(name: &str, bytes: u64) -> Option<Self> {
        let mounts =
            [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];
        mounts.into_iter().find_map(|(mount, limit)| {
            let folder = Path::new(mount).join(format!("tabia-{name}-{}", process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Self(folder);
            fs::write(group.0.join(limit), bytes.to_string()).ok()?;
            // Where the system swaps, too much memory makes the program slow and does not kill it.
            let _ = fs::write(group.0.join("memory.swap.max"), "0");
            Some(group)
        })
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
fn no_allocation_is_killed_in_a_control_group() {
    let Some(group) = MemoryGroup::new("all", 200_000_000) else { return };
    let options = |options: &[(&str, &str)]| {
        let line = |&(name, value): &(_, _)| format!("setoption name {name} value {value}\n");
        options.iter().map(line).collect::<String>()
    };
    for (hash, threads) in [("150", "8"), ("160", "8"), ("170", "4"), ("150", "32"), ("16", "64")] {
        let lines = options(&[("Hash", hash), ("Threads", threads), ("UCI_LimitStrength", "true")])
            + "go nodes 20000\nwait\nsetoption name UCI_LimitStrength value false\nsetoption name \
               MultiPV value 5\ngo nodes 20000\nwait\nsetoption name Skill Level value 5\n\
               go nodes 20000\nwait\n";
        let Run { code, stdout, stderr } = group.run(&[], &lines);
        assert_eq!(
            (code, best_moves(&stdout)),
            (Some(0), 3),
            "{hash} {threads}: {stdout:?} {stderr:?}"
        );
    }
    let full = options(&[("Hash", "160"), ("Threads", "4")]);
    for tool in ["bench 2 8 4", "perft 4 hash 16", "perft 4 threads 4 hash 64", "genfens 2 seed 1"]
    {
        let Run { code, stdout, stderr } =
            group.run(&[], &format!("{full}{tool}\ngo depth 4\nwait\n"));
        assert_eq!((code, best_moves(&stdout)), (Some(0), 1), "{tool}: {stdout:?} {stderr:?}");
    }
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(40_000);
    let lines = options(&[("Hash", "100"), ("Threads", "4")])
        + &format!("position startpos moves {moves}\ngo depth 3\nposition startpos\ngo depth 3\n");
    let Run { code, stdout, stderr } = group.run(&[], &lines);
    assert_eq!((code, best_moves(&stdout)), (Some(0), 2), "{stdout:?} {stderr:?}");
    assert!(mention(&stdout, "position: 160000 moves: out of memory"), "{stdout:?}");
    // The text and the positions of a suite.
    let suite = scratch("large.epd");
    let name = suite.display().to_string();
    for text in [&b"\0"[..], b"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;\n"] {
        fs::write(&suite, text.repeat((60 << 20) / text.len())).unwrap();
        let refused = group.run(&["epd", &name], "");
        assert_eq!(refused.code, Some(1), "{:?}", refused.stderr.last());
        assert!(refused.stderr[0].ends_with("out of memory"), "{:?}", refused.stderr.last());
    }
    let position = b"8/8/8/4k3/8/8/4P3/4K3 w - -\n";
    fs::write(&suite, position.repeat((15 << 20) / position.len())).unwrap();
    let lines = options(&[("Hash", "100")]) + &format!("perft {name}\ngo depth 3\n");
    let Run { code, stdout, stderr } = group.run(&[], &lines);
    assert_eq!((code, best_moves(&stdout)), (Some(0), 1), "{stdout:?} {stderr:?}");
    fs::remove_file(suite).unwrap();
    let book = scratch("large.bin");
    fs::File::create(&book).unwrap().set_len(300 << 20).unwrap();
    let name = book.display().to_string();
    let refused = group.run(&["book", &name], "");
    assert!(refused.code == Some(1) && refused.stderr[0].contains("out of memory"), "{refused:?}");
    let lines = options(&[("Book File", &name)]) + "go depth 3\n";
    assert_eq!(best_moves(&group.run(&[], &lines).stdout), 1);
    fs::remove_file(book).unwrap();
}

#[test]
fn a_window_that_does_not_fit_is_refused_in_a_control_group() {
    let Some(group) = MemoryGroup::new("window", 200_000_000) else { return };
    let path = scratch("window.pgn.zst");
    // A game, and line breaks that fill a window of 64 MiB.
    let game = &b"1. e4 e5 *\n"[..];
    let line_breaks = std::iter::repeat_n((128 << 10, &b"\n"[..]), 600);
    fs::write(&path, zstandard(0x80, [(game.len(), game)].into_iter().chain(line_breaks))).unwrap();
    let name = path.display().to_string();
    for (hash, fits) in [("16", true), ("120", false), ("150", false)] {
        let run = group.run(&["analyse", &name, "--nodes", "1", "--hash", hash, "--json"], "");
        assert_eq!(run.code, Some(i32::from(!fits)), "{hash}: {:?}", run.stderr);
        assert_eq!(mention(&run.stdout, r#""type":"game""#), fits, "{hash}: {:?}", run.stdout);
        let refusal = "window of 64 MiB: out of memory";
        assert_eq!(mention(&run.stderr, refusal), !fits, "{hash}: {:?}", run.stderr);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_large_file_is_refused_before_it_is_read() {
    let book = scratch("huge.bin");
    fs::File::create(&book).unwrap().set_len(20 << 30).unwrap();
    let name = book.display().to_string();
    // There is no room for the maximum.
    let little = "ulimit -v 1000000";
    let reason = "larger than the maximum of 1024 MiB";
    let refused = run_after(little, &["book", &name], "");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr[0].ends_with(reason), "{refused:?}");
    let lines = format!("setoption name Book File value {name}\ngo depth 3\n");
    let session = run_after(little, &[], &lines);
    assert!(mention(&session.stdout, reason), "{session:?}");
    assert_eq!(best_moves(&session.stdout), 1, "{session:?}");
    fs::remove_file(book).unwrap();
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let log = scratch("limited.log");
    let lines = format!(
        "setoption name Debug Log File value {}\ngo depth 8\nwait\nisready\n",
        log.display()
    );
    let Run { code, stdout, stderr } = run_after("ulimit -f 1", &[], &lines);
    assert_eq!((code, best_moves(&stdout), stderr.len()), (Some(0), 1, 0), "{stdout:?} {stderr:?}");
    let closed = "info string error: Debug Log File: it cannot be written and is closed: ";
    assert_eq!(stdout.iter().filter(|line| line.starts_with(closed)).count(), 1, "{stdout:?}");
    assert!(mention(&stdout, "readyok"), "{stdout:?}");
    fs::remove_file(log).unwrap();
    let folder = scratch("limited-games");
    let name = folder.display().to_string();
    let games = ["datagen", "--games", "200", "--nodes", "20", "--out", &name, "--threads", "1"];
    let Run { code, stderr, .. } = run_after("ulimit -f 2", &games, "");
    assert_eq!((code, stderr.len()), (Some(1), 1), "{stderr:?}");
    assert!(stderr[0].starts_with("error: datagen: "), "{stderr:?}");
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
        let lines = "setoption name Threads value 1000\ngo depth 8\n\
                     setoption name UCI_LimitStrength value true\ngo depth 3\n\
                     ucinewgame\ngo depth 5\n";
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
