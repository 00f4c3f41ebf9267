//! Contract of the command line and of pipes: arguments, exit codes, `quit`, the end of the input.

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::session::{
    Run, Session, any_contains, count_best_moves, number_after, pipe_through, program,
    resident_mib, run, run_with, scratch, wait_for, without_times,
};

const PERFT_3: &str = "Nodes searched: 8902";

/// Returns the last depth of each search.
fn depths(lines: &[String]) -> Vec<i64> {
    let searches = lines.split_inclusive(|line| line.starts_with("bestmove"));
    searches
        .filter_map(|lines| lines.iter().rev().find_map(|line| number_after(line, "depth")))
        .collect()
}

#[test]
fn quit_ends_the_running_search_with_its_best_move() {
    for wait in [0, 1, 1, 1, 5, 30] {
        let mut session = Session::start_uci();
        session.send("go infinite");
        thread::sleep(Duration::from_millis(wait));
        assert_eq!(count_best_moves(&session.quit()), 1);
    }
    for go in ["go depth 100", "go ponder wtime 1000 btime 1000", "go wtime 600000 btime 600000"] {
        let mut session = Session::start_uci();
        session.send(go);
        assert_eq!(count_best_moves(&session.quit()), 1);
    }
}

#[test]
fn quit_ends_only_the_last_of_the_bounded_searches() {
    let start = Instant::now();
    let lines = pipe_through("go depth 7\ngo infinite\ngo depth 8\ngo depth 120\nd\nquit\n");
    let depths = depths(&lines);
    assert_eq!((depths.len(), depths[0], depths[2]), (4, 7, 8), "{lines:?}");
    assert!(depths[3] < 120 && any_contains(&lines, "Fen: "), "{lines:?}");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn bounded_searches_finish_at_the_end_of_the_input() {
    let searches = ["go depth 7", "position startpos moves e2e4\ngo nodes 30000", "go depth 8"];
    let lines = pipe_through(&searches.join("\n"));
    assert_eq!(count_best_moves(&lines), 3);
    let mut session = Session::start();
    let awaited = searches.into_iter().flat_map(|search| {
        session.send(search);
        session.expect("bestmove")
    });
    let awaited: Vec<_> = awaited.map(|line| without_times(&line)).collect();
    let piped: Vec<_> = lines.iter().map(|line| without_times(line)).collect();
    assert_eq!(piped, awaited);
    let nodes = lines.iter().filter_map(|line| number_after(line, "nodes")).max();
    assert!(nodes >= Some(20_000), "{lines:?}");
    let depths = depths(&lines);
    assert_eq!((depths[0], depths[2]), (7, 8), "{lines:?}");
    let start = Instant::now();
    pipe_through("go movetime 300");
    assert!(start.elapsed() > Duration::from_millis(200));
    assert_eq!(
        count_best_moves(&pipe_through("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - -\ngo mate 1")),
        1
    );
}

#[test]
fn endless_searches_end_at_the_end_of_the_input() {
    assert!(pipe_through("").is_empty());
    assert!(any_contains(&pipe_through("uci\n"), "uciok"));
    assert!(any_contains(&pipe_through("isready"), "readyok"));
    assert_eq!(count_best_moves(&pipe_through("go infinite")), 1);
    assert_eq!(count_best_moves(&pipe_through("go ponder wtime 1000 btime 1000")), 1);
    let lines = pipe_through("go infinite\ngo ponder depth 9\ngo depth 6\n");
    assert_eq!((count_best_moves(&lines), depths(&lines)[2]), (3, 6), "{lines:?}");
}

#[test]
fn tools_finish_before_the_end() {
    assert!(any_contains(&pipe_through("go perft 3"), PERFT_3));
    assert!(any_contains(&pipe_through("perft 3\nquit\n"), PERFT_3));
    let lines = pipe_through("bench 2\nquit\n");
    assert!(lines.last().is_some_and(|line| line.ends_with(" nps")), "{lines:?}");
    let lines = pipe_through("go infinite\nperft 3\nd\nquit\n");
    assert!(
        count_best_moves(&lines) == 1
            && any_contains(&lines, PERFT_3)
            && any_contains(&lines, "Fen: ")
    );
}

#[test]
fn stop_ends_a_tool_without_a_best_move() {
    for tool in ["go perft 12", "bench 30", "genfens 1000000 seed 1"] {
        let mut session = Session::start();
        session.send(tool);
        session.until_ready();
        thread::sleep(Duration::from_millis(50));
        let start = Instant::now();
        session.send("stop");
        let lines = session.quit();
        assert_eq!(count_best_moves(&lines), 0, "{lines:?}");
        assert!(start.elapsed() < Duration::from_secs(1), "{tool}: {:?}", start.elapsed());
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_program() {
    for signal in ["-INT", "-TERM"] {
        let tools =
            [&["go", "perft", "12"][..], &["bench", "30"], &["perft", "perft/standard.epd"]];
        for arguments in tools.into_iter().chain([&[][..]]) {
            let mut child = start(arguments);
            thread::sleep(Duration::from_millis(50));
            let start = Instant::now();
            let id = child.id().to_string();
            let status = std::process::Command::new("kill").args([signal, &id]).status();
            assert!(status.is_ok_and(|status| status.success()));
            wait_for(&mut child);
            assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        }
    }
}

fn start(arguments: &[&str]) -> Child {
    program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[test]
fn wait_lets_the_search_finish_before_quit() {
    let lines = pipe_through("go depth 8\nwait\nfen\nquit\n");
    assert_eq!(depths(&lines)[0], 8, "{lines:?}");
    let last = lines.iter().position(|line| line.starts_with("bestmove"));
    assert_eq!(Some(lines.len()), last.map(|index| index + 2), "{lines:?}");
    // After ponderhit, the search is bounded.
    let lines = pipe_through("go ponder depth 9\nponderhit\nwait\nquit\n");
    assert!(count_best_moves(&lines) == 1 && any_contains(&lines, "info depth 9 "), "{lines:?}");
    // Only stop could end an infinite search.
    assert_eq!(
        count_best_moves(&pipe_through("go infinite\nwait\nd\ngo infinite\nwait\nquit\n")),
        2
    );
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    // On Unix also while nothing is written; elsewhere when the next line is.
    let nothing_written = if cfg!(unix) { &["go infinite\n", "go perft 12\n"][..] } else { &[] };
    for commands in [&["uci\ngo infinite\nisready\n"][..], nothing_written].concat() {
        let mut child = start(&[]);
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"isready\n").expect("the program reads");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut String::new()).expect("a line");
        stdin.write_all(commands.as_bytes()).expect("the program reads");
        thread::sleep(Duration::from_millis(50));
        let start = Instant::now();
        drop(stdout);
        // The input stays open. Writing to it fails if the program has ended already.
        let _ = stdin.write_all(b"isready\n");
        let status = wait_for(&mut child);
        assert!(status.success(), "{status}");
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        let mut stderr = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("text");
        assert_eq!(stderr, "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    for arguments in [&["bench", "1"][..], &["eval", "startpos"], &["--version"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let output = program().args(arguments).stdout(full).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[test]
fn arguments_are_one_command_or_several_lines() {
    let (is_success, lines) = run_with(&["go", "perft", "3"]);
    assert!(is_success && any_contains(&lines, PERFT_3), "{lines:?}");
    let (is_success, lines) = run_with(&["go", "depth", "3"]);
    assert!(
        is_success && count_best_moves(&lines) == 1 && any_contains(&lines, "info depth 3 "),
        "{lines:?}"
    );
    let (is_success, lines) =
        run_with(&["position startpos moves e2e4", "go depth 2", "wait", "d", "quit"]);
    assert!(is_success && count_best_moves(&lines) == 1, "{lines:?}");
    assert!(any_contains(&lines, "Fen: rnbqkbnr/pppppppp/8/8/4P3"), "{lines:?}");
    let (is_success, lines) = run_with(&["bench", "2"]);
    let last: Vec<&str> = lines.last().map(|line| line.split(' ').collect()).unwrap_or_default();
    assert!(is_success && matches!(last[..], [_, "nodes", _, "nps"]), "{lines:?}");
    let (is_success, lines) = run_with(&["compiler"]);
    assert!(is_success && any_contains(&lines, "rustc"), "{lines:?}");
}

#[test]
fn help_and_version_are_printed() {
    for help in ["--help", "-h", "help"] {
        let Run { code, stdout, stderr } = run(&[help]);
        assert_eq!((code, stderr.len()), (Some(0), 0), "{stderr:?}");
        assert!(stdout[0].starts_with("Usage: tabia"), "{stdout:?}");
        assert!(
            any_contains(&stdout, "ucinewgame") && any_contains(&stdout, "datagen"),
            "{stdout:?}"
        );
    }
    for version in ["--version", "-V", "version"] {
        let Run { code, stdout, stderr } = run(&[version]);
        assert_eq!((code, stdout.len(), stderr.len()), (Some(0), 1, 0));
        let expected = format!("tabia {}", env!("CARGO_PKG_VERSION"));
        assert!(stdout[0].starts_with(&expected), "{stdout:?}");
    }
}

#[test]
fn arguments_that_are_not_understood_are_named_with_exit_code_2() {
    for (arguments, message) in [
        (&["joho"][..], "error: unknown command 'joho', 'help' lists the commands"),
        (&["bnech"], "error: unknown command 'bnech', did you mean 'bench'?"),
        (&["--hlep"], "error: unknown command '--hlep', did you mean 'help'?"),
        (&["--help", "me"], "error: unknown command '--help', did you mean 'help'?"),
        (&["help", "analyze"], "error: unknown command 'analyze', did you mean 'analyse'?"),
        (&["go", "depth", "1", "joho"], "error: go: unknown word 'joho'"),
        (&["go", "perft", "many"], "error: go perft: expected a number, found 'many'"),
        (
            &["perft", "no-such.epd"],
            "error: perft: expected a depth or an existing file, found 'no-such.epd'",
        ),
        (&["bench", "3", "2", "16", "extra"], "error: bench: unknown word 'extra'"),
        (&["d", "go depth 3"], "error: d: unknown word 'go depth 3'"),
        (&["joho isready", "quit"], "error: unknown command 'joho', 'help' lists the commands"),
        (
            &["setoption name Hash value abc", "quit"],
            "error: Hash: expected an integer, found 'abc'",
        ),
        (
            &["setoption", "name", "Hahs", "value", "1"],
            "error: setoption: unknown option 'Hahs', did you mean 'Hash'?",
        ),
        (&["mate", "8/8"], "error: mate: bad FEN: "),
    ] {
        let Run { code, stdout, stderr } = run(arguments);
        assert_eq!((code, stdout, stderr.len()), (Some(2), Vec::new(), 1), "{arguments:?}");
        assert!(stderr[0].starts_with(message), "{arguments:?}: {stderr:?}");
    }
    let Run { code, stdout, stderr } = run(&["datagen", "--gmaes", "3"]);
    assert_eq!((code, stdout), (Some(2), Vec::new()));
    assert_eq!(stderr[0], "error: unexpected argument '--gmaes' found");
    assert!(any_contains(&stderr, "a similar argument exists: '--games'"), "{stderr:?}");
    assert!(any_contains(&stderr, "Usage: tabia datagen "), "{stderr:?}");
}

#[test]
fn words_that_are_tools_and_commands_are_told_apart_by_their_arguments() {
    let output = |arguments: &[&str], is_success| {
        let (found, lines) = run_with(arguments);
        assert_eq!(found, is_success, "{arguments:?}: {lines:?}");
        lines
    };
    let fen = "4k3/8/8/3q4/8/4N3/8/4K3 w - -";
    assert!(any_contains(&output(&["perft", "3"], true), PERFT_3));
    assert!(any_contains(&output(&["perft", "3", "threads", "2"], true), PERFT_3));
    let lines = output(&["perft", "no such suite.epd"], false);
    let refusal = "error: perft: expected a depth or an existing file, found 'no such";
    assert!(any_contains(&lines, refusal));
    assert!(any_contains(&output(&["tb"], false), "error: tb: "));
    assert!(any_contains(&output(&["tb", "8/8", "--syzygy", "."], false), "error: tb: bad FEN: "));
    assert_eq!(output(&["position startpos", "eval"], true), output(&["eval"], true));
    assert_eq!(
        output(&[&format!("position fen {fen}"), "eval"], true),
        output(&["eval", fen], true)
    );
    assert!(any_contains(&output(&["eval", fen, "--json"], true), "\"type\":\"eval\""));
    assert!(any_contains(&output(&["bench", "1"], true), " nps"));
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf_8() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt as _;

    let mut suite = scratch("suite ").into_os_string();
    suite.push(OsStr::from_bytes(b"\xff.epd"));
    fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n")
        .expect("a file");
    let result = run(&[OsString::from("perft"), suite.clone()]);
    assert_eq!(result.code, Some(0), "{result:?}");
    fs::remove_file(suite).expect("the file exists");
}

#[test]
fn a_failed_command_has_exit_code_1() {
    for arguments in [
        &["position fen 8/8", "go depth 1"][..],
        &["setoption name EvalFile value /no/such.net", "quit"],
        &["tb"],
        &["book", "/no/such/book.bin"],
    ] {
        let Run { code, stderr, .. } = run(arguments);
        assert_eq!(code, Some(1), "{arguments:?}");
        assert!(stderr[0].starts_with("error: "), "{arguments:?}: {stderr:?}");
    }
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (name, count, code) in [("right suite.epd", 400, 0), ("wrong suite.epd", 401, 1)] {
        let path = scratch(name);
        fs::write(&path, format!("{start} ;D1 20 ;D2 {count}\n")).expect("a file");
        let suite = path.display().to_string();
        let result = run(&["perft", &suite]);
        assert_eq!(result.code, Some(code), "{:?}", result.stdout);
        assert_eq!(any_contains(&result.stdout, "expected 401"), code == 1, "{:?}", result.stdout);
        assert_eq!(run(&["perft", &suite, "1"]).code, Some(0));
        fs::remove_file(path).expect("the file exists");
    }
}

#[test]
fn queued_searches_lose_no_time() {
    let start = Instant::now();
    let lines = pipe_through("go movetime 300\ngo movetime 300\n");
    assert!(start.elapsed() > Duration::from_millis(500), "{lines:?}");
}

#[test]
fn a_full_queue_loses_no_command_and_ends_an_endless_search() {
    const FENS: usize = 50_000;
    let fens = "fen\n".repeat(FENS);
    for (go, is_stopped) in [("go infinite", true), ("go ponder", true), ("perft 5", false)] {
        let lines = pipe_through(&format!("{go}\n{fens}go depth 4\nfen\n"));
        let is_error = |line: &&String| line.contains("error: 4096 commands wait: stopping");
        assert_eq!(lines.iter().filter(is_error).count(), usize::from(is_stopped), "{go}");
        assert_eq!(lines.iter().filter(|line| line.contains("/pppppppp/")).count(), FENS + 1);
        assert_eq!(count_best_moves(&lines), 1 + usize::from(is_stopped), "{go}");
        assert!(
            any_contains(&lines, "info depth 4 ") && lines[lines.len() - 1].contains("RNBQKBNR w")
        );
    }
}

#[test]
fn output_that_is_read_late_is_complete() {
    const COMMANDS: usize = 100_000;
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || stdin.write_all("fen\n".repeat(COMMANDS).as_bytes()));
    // More than the queues and the pipes hold.
    thread::sleep(Duration::from_millis(200));
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    assert_eq!(stdout.lines().count(), COMMANDS);
    writer.join().expect("no panic").expect("the program reads");
    assert!(wait_for(&mut child).success());
}

#[test]
fn memory_does_not_grow_with_what_is_not_read() {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || stdin.write_all("d\n".repeat(2_000_000).as_bytes()));
    thread::sleep(Duration::from_secs(1));
    let resident = resident_mib(&child);
    assert!(resident.is_none_or(|mib| mib < 64), "{resident:?} MiB");
    child.kill().expect("the program runs");
    child.wait().expect("the program has ended");
    assert!(writer.join().expect("no panic").is_err(), "the program waits for its reader");
}

#[test]
fn the_output_of_commands_has_its_fields() {
    let lines = pipe_through("go perft 1\nmoves\nfen\neval\nd\n");
    assert!(any_contains(&lines, "e2e4: 1"), "{lines:?}");
    assert!(any_contains(&lines, "20 moves: "), "{lines:?}");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(lines.iter().any(|line| line == fen), "{lines:?}");
    for field in ["White wins ", "Total: ", "Fen: ", "Key: ", "Checkers:"] {
        assert!(any_contains(&lines, field), "{field}: {lines:?}");
    }
}

#[test]
fn a_thousand_threads_answer_in_time() {
    let mut session = Session::start();
    session.send("setoption name Threads value 1024");
    session.until_ready();
    // Generous, for busy machines: with all of them searching on two processors, each took seconds.
    let limit = Duration::from_secs(3);
    for search in ["go movetime 100", "go infinite\nstop", "go nodes 5000"] {
        let start = Instant::now();
        session.send(search);
        session.best_move();
        assert!(start.elapsed() < limit, "{search}: {:?}", start.elapsed());
    }
    session.send("go infinite");
    let start = Instant::now();
    session.quit();
    assert!(start.elapsed() < limit, "{:?}", start.elapsed());
}
