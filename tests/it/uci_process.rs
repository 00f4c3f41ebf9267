//! How the program begins and ends: arguments, pipes, the end of the input, exit codes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::session::{Session, pipe_through, program, run_with, scratch, wait_for};

const PERFT_3: &str = "8902";

fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

fn mention(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}

#[test]
fn quit_during_a_search_still_brings_the_best_move() {
    for wait in [0, 1, 1, 1, 5, 30] {
        let mut session = Session::start_uci();
        session.send("go infinite");
        thread::sleep(Duration::from_millis(wait));
        assert_eq!(best_moves(&session.quit()), 1);
    }
    for go in ["go depth 100", "go ponder wtime 1000 btime 1000", "go wtime 600000 btime 600000"] {
        let mut session = Session::start_uci();
        session.send(go);
        assert_eq!(best_moves(&session.quit()), 1);
    }
}

#[test]
fn the_end_of_the_input_is_quit() {
    assert!(pipe_through("").is_empty());
    assert!(mention(&pipe_through("uci\n"), "uciok"));
    assert!(mention(&pipe_through("isready"), "readyok"));
    assert_eq!(best_moves(&pipe_through("go infinite")), 1);
    assert_eq!(best_moves(&pipe_through("go infinite\ngo infinite\ngo depth 60\n")), 3);
}

#[test]
fn tools_finish_before_the_end() {
    assert!(mention(&pipe_through("go perft 3"), PERFT_3));
    assert!(mention(&pipe_through("perft 3\nquit\n"), PERFT_3));
    let lines = pipe_through("go infinite\nperft 3\nd\nquit\n");
    assert!(best_moves(&lines) == 1 && mention(&lines, PERFT_3) && mention(&lines, "FEN: "));
}

#[test]
fn stop_ends_a_tool_without_a_best_move() {
    let mut session = Session::start();
    session.send("go perft 12");
    session.until_ready();
    session.send("stop");
    let lines = session.quit();
    assert_eq!(best_moves(&lines), 0, "{lines:?}");
}

#[test]
fn wait_holds_the_rest_back_until_the_search_is_over() {
    let start = Instant::now();
    let lines = pipe_through("go movetime 300\nwait\nfen\nquit\n");
    assert_eq!(
        lines.len(),
        lines.iter().position(|line| line.starts_with("bestmove")).map_or(0, |n| n + 2)
    );
    assert!(start.elapsed() > Duration::from_millis(200), "{lines:?}");
    // Once the awaited move is played, pondering is a search like any other.
    let lines = pipe_through("go ponder depth 9\nponderhit\nwait\nquit\n");
    assert!(best_moves(&lines) == 1 && mention(&lines, "info depth 9 "), "{lines:?}");
    // What only a stop could end does not wait for ever.
    assert_eq!(best_moves(&pipe_through("go infinite\nwait\nd\ngo infinite\nwait\nquit\n")), 2);
}

#[test]
fn a_closed_output_ends_the_process_quietly() {
    let mut child = program()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"uci\ngo infinite\n").expect("the program reads");
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    stdout.read_line(&mut first).expect("a line");
    drop(stdout);
    // The input stays open: the next line that cannot be written is the end. Writing fails once it has come.
    let _ended = stdin.write_all(b"isready\n");
    let status = wait_for(&mut child);
    assert!(status.success(), "{status}");
    let mut stderr = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut stderr).expect("text");
    assert_eq!(stderr, "");
}

#[test]
fn arguments_are_one_command_or_several_lines() {
    let (fine, lines) = run_with(&["go", "perft", "3"]);
    assert!(fine && mention(&lines, PERFT_3), "{lines:?}");
    let (fine, lines) = run_with(&["go", "depth", "3"]);
    assert!(fine && best_moves(&lines) == 1 && mention(&lines, "info depth 3 "), "{lines:?}");
    let (fine, lines) =
        run_with(&["position startpos moves e2e4", "go depth 2", "wait", "d", "quit"]);
    assert!(fine && best_moves(&lines) == 1 && mention(&lines, "FEN: rnbqkbnr/pppppppp/8/8/4P3"));
    let (fine, lines) = run_with(&["--version"]);
    assert!(fine && lines.len() == 1 && lines[0].starts_with("Tabia "), "{lines:?}");
    for help in ["--help", "help"] {
        let (fine, lines) = run_with(&[help]);
        assert!(fine && mention(&lines, "ucinewgame"), "{lines:?}");
    }
    let (fine, lines) = run_with(&["compiler"]);
    assert!(fine && mention(&lines, "rustc"), "{lines:?}");
}

#[test]
fn a_failed_command_of_the_arguments_is_told_by_the_exit_code() {
    for arguments in [
        &["joho"][..],
        &["go", "depth", "1", "joho"],
        &["perft", "/no/such/file.epd"],
        &["position fen 8/8", "go depth 1"],
        &["setoption name Hash value abc", "quit"],
    ] {
        let (fine, lines) = run_with(arguments);
        assert!(!fine && mention(&lines, "error: "), "{arguments:?}: {lines:?}");
    }
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (name, count, right) in [("right suite.epd", 400, true), ("wrong suite.epd", 401, false)] {
        let path = scratch(name);
        fs::write(&path, format!("{start} ;D1 20 ;D2 {count}\n")).expect("a file");
        let suite = path.display().to_string();
        let (fine, lines) = run_with(&["perft", &suite]);
        assert_eq!(fine, right, "{lines:?}");
        assert_eq!(mention(&lines, "401"), !right, "{lines:?}");
        let (fine, _) = run_with(&["perft", &suite, "1"]);
        assert!(fine);
        fs::remove_file(path).expect("the file is ours");
    }
}

#[test]
fn what_waits_in_the_queue_loses_no_time() {
    let start = Instant::now();
    let lines = pipe_through("go movetime 300\nwait\ngo movetime 300\nwait\n");
    assert!(start.elapsed() > Duration::from_millis(500), "{lines:?}");
}

#[test]
fn the_shape_of_the_tools_output() {
    let lines = pipe_through("go perft 1\nmoves\nfen\neval\nd\n");
    assert!(mention(&lines, "e2e4: 1"), "{lines:?}");
    assert!(mention(&lines, "20 moves: "), "{lines:?}");
    assert!(
        lines.iter().any(
            |line| line.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        )
    );
    assert!(
        mention(&lines, "Bucket: ") && mention(&lines, "Key: ") && mention(&lines, "Checkers:")
    );
}
