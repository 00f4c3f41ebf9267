//! Panics of search threads and of the engine, injected with the feature `inject-panic`: each `go`
//! gets a legal move, and the program plays on.

use std::fs::{self, File};

use tabia::board::Board;

use crate::session::{Session, check_search, program, scratch, without_times};

/// Starts the program with a list of panics. Its standard error goes to a file.
fn start(panics: &str) -> (Session, std::path::PathBuf) {
    let path = scratch(&format!("panics {}", panics.replace([':', ','], "-")));
    let mut command = program();
    command.env("INJECT_PANIC", panics).stderr(File::create(&path).expect("a file"));
    (Session::start_from(command), path)
}

const SEARCHES: [&str; 5] = [
    "go depth 9",
    "go movetime 300",
    "go infinite\nstop",
    "go ponder wtime 9000\nponderhit",
    "go nodes 60000",
];

#[test]
fn each_search_has_a_move_whatever_panics() {
    // The main thread, a helper, both; at the first node and at later ones; without helpers too.
    for (threads, panics) in [
        (1, "0:1"),
        (1, "0:150"),
        (1, "0:9000"),
        (2, "0:1"),
        (2, "0:20000"),
        (2, "1:1"),
        (2, "1:7000"),
        (3, "0:1,1:1,2:1"),
        (3, "0:3000,1:3000,2:300"),
    ] {
        let (mut session, stderr) = start(panics);
        session.send(&format!("setoption name Threads value {threads}"));
        let mut board = Board::startpos();
        let mut moves = String::from("position startpos moves");
        let mut errors = 0;
        for search in SEARCHES {
            session.send(&moves);
            session.send(search);
            let lines = session.expect("bestmove");
            let is_error = |line: &&String| line.contains(" has panicked, playing on: injected");
            errors += lines.iter().filter(is_error).count();
            check_search(&board, &lines);
            let mv = lines[lines.len() - 1].split(' ').nth(1).expect("a move").to_owned();
            board.make_move(board.parse_move(&mv).expect("a legal move"));
            moves.push(' ');
            moves.push_str(&mv);
        }
        session.until_ready();
        session.quit();
        assert!(errors > 0, "{panics}");
        let report = fs::read_to_string(&stderr).expect("a file");
        assert!(report.contains("'search-") && report.contains("injected"), "{report}");
        fs::remove_file(stderr).expect("the file exists");
    }
}

#[test]
fn the_move_is_that_of_the_last_completed_depth() {
    let (mut session, stderr) = start("0:60000");
    session.send("go depth 40");
    let lines = session.expect("bestmove");
    check_search(&Board::startpos(), &lines);
    assert!(lines.iter().any(|line| line.starts_with("info depth 8 ")), "{lines:?}");
    session.quit();
    fs::remove_file(stderr).expect("the file exists");
}

#[test]
fn a_panic_leaves_nothing_in_the_histories() {
    let (mut session, stderr) = start("0:30000");
    // The histories are kept from search to search, and by `Clear Hash`.
    let search = |session: &mut Session| {
        session.send("setoption name Clear Hash\ngo depth 7");
        session.expect("bestmove").iter().map(|line| without_times(line)).collect::<Vec<_>>()
    };
    let first = search(&mut session);
    assert_ne!(search(&mut session), first);
    session.send("go depth 40");
    session.expect("bestmove");
    assert_eq!(search(&mut session), first);
    session.quit();
    fs::remove_file(stderr).expect("the file exists");
}

#[test]
fn the_engine_answers_and_goes_on_after_its_own_panic() {
    for panics in ["go:2", "end:2"] {
        let log = scratch(&format!("panics log {}", panics.replace(':', "-")));
        let (mut session, stderr) = start(panics);
        session.send(&format!("setoption name Debug Log File value {}", log.display()));
        for number in 1..=3 {
            session.send("position startpos\ngo depth 5");
            let lines = session.expect("bestmove");
            let mv = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
            assert!(Board::startpos().parse_move(mv).is_some(), "{lines:?}");
            let has_error = lines
                .iter()
                .any(|line| line == "info string error: a command has panicked and is left out");
            assert_eq!(has_error, number == 2, "{lines:?}");
        }
        session.assert_alive();
        session.quit();
        let text = fs::read_to_string(&log).expect("the log");
        assert!(text.contains("!! ") && text.contains("injected"), "{text}");
        for path in [log, stderr] {
            fs::remove_file(path).expect("the file exists");
        }
    }
}
