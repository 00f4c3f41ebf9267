//! Bad and unusual input: none of it ends the program, and the state before it is kept.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::session::{Session, scratch};

/// Sends a line and returns its only complaint.
fn complaint(session: &mut Session, line: &str) -> String {
    session.send(line);
    let lines = session.until_ready();
    assert_eq!(lines.len(), 1, "{line:.100}: {lines:?}");
    assert!(lines[0].starts_with("info string error: "), "{line:.100}: {lines:?}");
    lines.into_iter().next().unwrap_or_default()
}

/// Sends a line that starts a tool and returns its complaint.
fn tool_complaint(session: &mut Session, line: &str) -> String {
    session.send(line);
    let error = session.expect("info string error: ").pop().unwrap_or_default();
    // The engine is free again when it answers this.
    session.send("version");
    session.expect("info string Tabia ");
    error
}

#[test]
fn illegal_positions_are_refused_with_field_and_column() {
    let mut session = Session::start_uci();
    for (fen, column) in [
        ("", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("rnbqkbnr/pppppppp/8/9/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8p/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", false),
        ("rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", false),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", false),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", false),
        ("4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 b - - 0 1", false),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", true),
    ] {
        let error = complaint(&mut session, &format!("position fen {fen}"));
        assert!(!column || error.contains("column"), "{fen}: {error}");
        session.send("go depth 3");
        let lines = session.expect("bestmove");
        assert!(lines[0].contains("no position to search"), "{fen}: {lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"), "{fen}");
    }
    session.assert_alive();
    session.quit();
}

#[test]
fn what_can_be_put_right_in_a_position_is() {
    let mut session = Session::start_uci();
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -5 99999999999",
        "4k3/8/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K3 w - -",
    ] {
        session.send(&format!("position fen {fen}\ngo depth 1"));
        let lines = session.expect("bestmove e1");
        assert!(lines.iter().all(|line| !line.contains("error")), "{fen}: {lines:?}");
    }
    session.quit();
}

#[test]
fn an_illegal_move_is_named_and_nothing_old_is_searched() {
    let mut session = Session::start_uci();
    session.send("position startpos moves e2e4");
    let error = complaint(&mut session, "position startpos moves e2e4 e7e5 e4e5 d7d5");
    assert!(error.contains("'e4e5'") && error.contains("ply 3"), "{error}");
    session.send("go infinite\nstop");
    assert_eq!(session.best_move(), "(none)");
    for line in ["position", "position joho", "position startpos e2e4", "position moves e2e4"] {
        complaint(&mut session, line);
        session.send("go depth 3");
        assert_eq!(session.best_move(), "(none)");
    }
    // The board is the old one all the same.
    session.send("fen");
    session.expect("info string rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
    session.assert_alive();
    session.quit();
}

#[test]
fn a_game_may_go_on_or_begin_anew() {
    let mut session = Session::start_uci();
    for (moves, board) in [
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
        ("e2e4 e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"),
        ("e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w"),
        ("d2d4", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b"),
    ] {
        session.send(&format!("position startpos moves {moves}\nfen"));
        session.expect(&format!("info string {board}"));
    }
    session.send("flip\nfen");
    session.expect("info string rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w");
    session.send("position startpos moves d2d4 d7d5\nfen");
    session.expect("info string rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w");
    session.quit();
}

#[test]
fn long_games_are_replayed() {
    let mut session = Session::start_uci();
    for plies in [1_200, 6_000, 10_004] {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(plies / 4);
        session.send(&format!("position startpos moves {moves}\ngo depth 4"));
        assert_ne!(session.best_move(), "(none)");
    }
    session.assert_alive();
    session.quit();
}

#[test]
fn bytes_that_are_no_text_and_odd_line_ends_do_no_harm() {
    let mut session = Session::start();
    session.send_bytes(b"\xef\xbb\xbfuci\r\n");
    session.expect("uciok");
    session.send_bytes(b"\xff\xfe\x00\xc9 joho\r\nisready\r\n");
    let lines = session.expect("readyok");
    assert!(lines[0].starts_with("info string error: unknown command"), "{lines:?}");
    session.send_bytes(b"setoption name Debug Log File value C:\\\xc9checs\\no\\such\\\xe9/file\n");
    session.send_bytes(b"\t go\t depth \t 2 \r\n");
    session.expect("bestmove");
    session.send("joho debug on\njoho isready");
    session.expect("readyok");
    session.assert_alive();
    session.send_bytes(b"go depth 2\nquit");
    session.close_input();
    let lines = session.finish();
    assert!(lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
}

#[test]
fn a_line_without_end_costs_one_error() {
    let mut session = Session::start_uci();
    let error = complaint(&mut session, &"position startpos moves ".repeat(300_000));
    assert!(error.contains("1048576 bytes"), "{error}");
    // It may have been a position: the old one must not be searched in its place.
    session.send("go depth 3");
    let lines = session.expect("bestmove");
    assert!(lines.iter().any(|line| line == "bestmove (none)"), "{lines:?}");
    let error = complaint(&mut session, &"x".repeat(1 << 20));
    assert!(error.len() < 200, "{error}");
    session.assert_alive();
    session.quit();
}

#[test]
fn unknown_words_of_go_are_named_and_skipped() {
    let mut session = Session::start_uci();
    session.send("go joho depth 2");
    let lines = session.expect("bestmove");
    assert!(lines[0].contains("unknown word 'joho'"), "{lines:?}");
    session.send("go depth 2 joho nodes many");
    session.best_move();
    for line in ["go perft", "perft", "bench x", "keys x", "joho"] {
        complaint(&mut session, line);
    }
    let error = tool_complaint(&mut session, "perft /no/such/file.epd");
    assert!(error.contains("/no/such/file.epd"), "{error}");
    session.assert_alive();
    session.quit();
}

#[test]
fn bad_options_are_refused_and_numbers_out_of_range_clamped() {
    let mut session = Session::start_uci();
    for line in [
        "setoption",
        "setoption name",
        "setoption name value 3",
        "setoption Hash value 3",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value abc",
        "setoption name Hash value 1.5",
        "setoption name Hash value name value",
        "setoption name Ponder value 3",
        "setoption name No Such Option value 3",
    ] {
        complaint(&mut session, line);
    }
    for (option, sent, used) in [
        ("Threads", "0", "1"),
        ("Hash", "0", "1"),
        ("Hash", "-99999999999999999999", "1"),
        ("MultiPV", "300", "256"),
        ("Move Overhead", "99999999999999999999", "5000"),
        ("MoveOverhead", "-1", "0"),
    ] {
        session.send(&format!("setoption name {option} value {sent}"));
        let lines = session.until_ready();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].ends_with(&format!("{used} is used")), "{lines:?}");
    }
    // Read-only, in any case and without a complaint.
    session.send("setoption name uci_engineabout value joho");
    assert!(session.until_ready().is_empty());
    session.assert_alive();
    session.quit();
}

#[test]
fn a_hash_larger_than_memory_keeps_the_old_one() {
    let mut session = Session::start_uci();
    session.send("setoption name Hash value 33554432");
    // Systems that promise memory they do not have grant even this; it is not touched before it is used.
    let lines = session.until_ready();
    assert!(lines.iter().all(|line| line.contains("33554432")), "{lines:?}");
    session.assert_alive();
    session.quit();
}

#[test]
fn bad_files_are_refused_for_every_option_and_command_with_a_path() {
    let empty = scratch("empty.epd");
    fs::write(&empty, "").expect("a file");
    let random = scratch("random.epd");
    let bytes: Vec<u8> =
        (0..10_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(&random, bytes).expect("a file");
    let truncated = scratch("truncated.epd");
    fs::write(&truncated, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1")
        .expect("a file");
    let folder = env!("CARGO_TARGET_TMPDIR");

    let mut session = Session::start_uci();
    let suites = [empty.as_path(), &random, &truncated, Path::new(folder), Path::new("/dev/zero")];
    for path in suites.into_iter().filter(|path| path.exists()) {
        tool_complaint(&mut session, &format!("perft {}", path.display()));
    }
    let logs = [Path::new(folder), Path::new("/no/such/folder/log"), Path::new("/dev/zero")];
    let log = scratch("kept.log");
    session.send(&format!("setoption name Debug Log File value {}", log.display()));
    for path in logs.into_iter().filter(|path| path.exists() || path.is_absolute()) {
        let error = complaint(
            &mut session,
            &format!("setoption name Debug Log File value {}", path.display()),
        );
        assert!(error.contains("Debug Log File"), "{error}");
    }
    session.assert_alive();
    session.quit();
    let text = fs::read_to_string(&log).expect("the log was kept");
    assert!(text.contains(">> go depth 3\n") && text.contains("<< bestmove "), "{text}");
    for path in [log, empty, random, truncated] {
        fs::remove_file(path).expect("the file is ours");
    }
}

#[test]
fn the_debug_log_has_input_and_output_until_it_is_closed() {
    let log = scratch("a log with blanks.txt");
    fs::write(&log, "what was there before\n").expect("a file");
    let mut session = Session::start_uci();
    session.send(&format!("setoption name debug log file value {}", log.display()));
    session.until_ready();
    session.send("joho");
    session.until_ready();
    session.send("setoption name Debug Log File value <empty>");
    session.until_ready();
    session.send("go depth 1");
    session.best_move();
    session.quit();
    let text = fs::read_to_string(&log).expect("a log");
    assert!(text.starts_with("what was there before\n"), "{text}");
    assert!(text.contains(">> joho\n") && text.contains("<< info string error: unknown"), "{text}");
    assert!(!text.contains("bestmove"), "{text}");
    fs::remove_file(log).expect("the log is ours");
}

#[test]
fn commands_in_any_order_do_no_harm() {
    let mut session = Session::start_uci();
    let mut script = String::new();
    for round in 0..40 {
        let command =
            ["stop", "ponderhit", "ucinewgame", "setoption name Threads value 1"][round % 4];
        let go = ["go infinite", "go depth 3", "go ponder wtime 50 btime 50", "go movetime 1"]
            [round % 4];
        let _ = writeln!(
            script,
            "{command}\n{go}\nposition startpos moves e2e4\nsetoption name Hash value 2"
        );
        let _ = writeln!(script, "ucinewgame\n{go}\nisready\nstop");
    }
    session.send(&script);
    for _ in 0..80 {
        session.best_move();
    }
    session.send("debug on\nsetoption name Hash value 8\ndebug off");
    assert!(session.until_ready().iter().all(|line| line.starts_with("info string ")));
    session.assert_alive();
    session.quit();
}
