//! Invalid and unusual input: it never ends the program, and the old state is kept.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::session::{Run, Session, run, scratch};
use crate::support::folder_beside;

/// Sends a line and returns its error, which is the only line of output.
fn error_of(session: &mut Session, line: &str) -> String {
    session.send(line);
    let lines = session.until_ready();
    assert_eq!(lines.len(), 1, "{line:.100}: {lines:?}");
    assert!(lines[0].starts_with("info string error: "), "{line:.100}: {lines:?}");
    lines.into_iter().next().unwrap_or_default()
}

#[test]
fn illegal_positions_are_rejected_with_field_and_column() {
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
        let error = error_of(&mut session, &format!("position fen {fen}"));
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
fn incomplete_fens_are_corrected() {
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
fn an_illegal_move_is_named_and_the_old_position_not_searched() {
    let mut session = Session::start_uci();
    session.send("position startpos moves e2e4");
    let error = error_of(&mut session, "position startpos moves e2e4 e7e5 e4e5 d7d5");
    assert!(error.contains("'e4e5'") && error.contains("ply 3"), "{error}");
    session.send("go infinite\nstop");
    assert_eq!(session.best_move(), "(none)");
    for line in ["position", "position joho", "position startpos e2e4", "position moves e2e4"] {
        error_of(&mut session, line);
        session.send("go depth 3");
        assert_eq!(session.best_move(), "(none)");
        session.send("go perft 1");
        session.expect("info string error: perft: no position to count: ");
    }
    // Nothing is shown of another position either.
    for line in ["d", "fen", "moves", "eval", "eval --json"] {
        let error = error_of(&mut session, line);
        assert!(error.starts_with("info string error: no position to show: expected"), "{error}");
    }
    session.send("eval 4k3/8/8/8/8/8/8/4K2R w - - 0 1 --json");
    session.expect("{\"v\":1,\"type\":\"eval\",\"fen\":\"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"");
    assert!(error_of(&mut session, "eval hello").ends_with("1 rank instead of 8, column 1"));
    // A board alone is a position.
    session.send("position fen 4k3/8/8/8/8/8/8/4K2R\nfen");
    session.expect("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    session.assert_alive();
    session.quit();
}

#[test]
fn a_search_of_no_nodes_plays_the_best_move_at_hand() {
    let mut session = Session::start_uci();
    let mut moves = ["go depth 0", "go nodes 0"].map(|line| {
        session.send("ucinewgame\nposition startpos moves e2e4 e7e5");
        session.send(line);
        session.best_move()
    });
    moves.sort();
    assert_eq!(moves[0], moves[1]);
    session.quit();
}

#[test]
fn a_missing_book_is_named_once() {
    let mut session = Session::start_uci();
    session.send("setoption name OwnBook value true\ngo depth 1\nwait\ngo depth 1\nwait");
    let lines = session.until_ready();
    let note = "info string OwnBook: there is no book, set Book File first";
    assert_eq!(lines.iter().filter(|line| *line == note).count(), 1, "{lines:?}");
    session.quit();
}

#[test]
fn a_game_may_be_extended_or_replaced() {
    let mut session = Session::start_uci();
    for (moves, board) in [
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
        ("e2e4 e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"),
        ("e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w"),
        ("d2d4", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b"),
    ] {
        session.send(&format!("position startpos moves {moves}\nfen"));
        session.expect(board);
    }
    session.send("flip\nfen");
    session.expect("rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w");
    session.send("position startpos moves d2d4 d7d5\nfen");
    session.expect("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w");
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
fn invalid_utf8_and_all_line_breaks_are_accepted() {
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
fn a_line_that_is_too_long_is_one_error() {
    let mut session = Session::start_uci();
    let error = error_of(&mut session, &"position startpos moves ".repeat(300_000));
    assert!(error.contains("1048576 bytes"), "{error}");
    // It may have been a position: the old one must not be searched instead.
    session.send("go depth 3");
    let lines = session.expect("bestmove");
    assert!(lines.iter().any(|line| line == "bestmove (none)"), "{lines:?}");
    let error = error_of(&mut session, &"x".repeat(1 << 20));
    assert!(error.len() < 200, "{error}");
    session.assert_alive();
    // Another line says nothing about the position.
    for line in ["x".repeat(1 << 21), "setoption name Hash ".repeat(100_000)] {
        let error = error_of(&mut session, &line);
        assert!(error.contains("1048576 bytes"), "{error}");
        session.send("go depth 3");
        let lines = session.expect("bestmove");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    }
    error_of(&mut session, &"joho position startpos moves ".repeat(100_000));
    session.send("go depth 3");
    assert_eq!(session.best_move(), "(none)");
    session.quit();
}

#[test]
fn unknown_words_and_commands_are_named() {
    let mut session = Session::start_uci();
    session.send("go joho depth 2");
    let lines = session.expect("bestmove");
    assert!(lines[0].contains("unknown word 'joho'"), "{lines:?}");
    session.send("go depth 2 joho nodes many");
    session.best_move();
    for line in ["go perft", "perft", "perft a.epd", "bench x", "keys 9", "joho"] {
        error_of(&mut session, line);
    }
    session.assert_alive();
    session.quit();
}

#[test]
fn bad_options_are_rejected_and_numbers_clamped() {
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
        error_of(&mut session, line);
    }
    for (option, sent, used) in [
        ("Threads", "0", "1"),
        ("Hash", "0", "1 MiB"),
        ("Hash", "-99999999999999999999", "1 MiB"),
        ("MultiPV", "300", "256"),
        ("Move Overhead", "99999999999999999999", "5000 ms"),
        ("MoveOverhead", "-1", "0 ms"),
    ] {
        session.send(&format!("setoption name {option} value {sent}"));
        let lines = session.until_ready();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].ends_with(&format!("imum of {used}, which is used")), "{lines:?}");
    }
    // A read-only option is ignored without an error.
    session.send("setoption name uci_engineabout value joho");
    assert!(session.until_ready().is_empty());
    session.assert_alive();
    session.quit();
}

#[test]
fn a_hash_larger_than_memory_is_rejected() {
    let mut session = Session::start_uci();
    session.send("setoption name Hash value 8\nsetoption name Hash value 33554432");
    let lines = session.until_ready();
    let [error] = &lines[..] else { panic!("{lines:?}") };
    if cfg!(target_os = "linux") {
        let start = "info string error: Hash: 33554432 MiB is more than the ";
        assert!(error.starts_with(start), "{error}");
    }
    assert!(error.ends_with("; using 8 MiB"), "{error}");
    session.assert_alive();
    session.quit();
}

#[test]
fn the_search_after_a_large_hash_keeps_its_time() {
    let mut session = Session::start_uci();
    session.send("setoption name Hash value 2048");
    let errors = session.until_ready();
    // Such a machine has less memory, which is another test's subject.
    assert!(errors.iter().all(|error| error.contains("MiB is more than the ")), "{errors:?}");
    if !errors.is_empty() {
        return;
    }
    // The pages are touched when the table is set, not by the search.
    assert!(session.resident_mib().is_none_or(|mib| mib >= 2048), "{:?}", session.resident_mib());
    let start = Instant::now();
    session.send("go movetime 50");
    session.best_move();
    // Generous, for busy machines.
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    session.quit();
}

#[test]
fn bad_perft_suites_are_rejected() {
    let empty = scratch("empty.epd");
    fs::write(&empty, "").expect("a file");
    let random = scratch("random.epd");
    let bytes: Vec<u8> =
        (0..10_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(&random, bytes).expect("a file");
    let truncated = scratch("truncated.epd");
    fs::write(&truncated, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1")
        .expect("a file");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for path in [folder, &empty, &random, &truncated, Path::new("/dev/zero")] {
        let path = path.display().to_string();
        let Run { code, stdout, stderr } = run(&["perft", &path]);
        let expected = if Path::new(&path).exists() { 1 } else { 2 };
        assert_eq!((code, stdout.len(), stderr.len()), (Some(expected), 0, 1), "{stderr:?}");
        assert!(stderr[0].starts_with("error: perft") && stderr[0].contains(&path), "{stderr:?}");
    }
    for path in [empty, random, truncated] {
        fs::remove_file(path).expect("the file exists");
    }
}

#[test]
fn a_folder_or_device_is_no_network_and_the_old_one_is_kept() {
    let mut session = Session::start_uci();
    for path in [env!("CARGO_TARGET_TMPDIR"), "/dev/zero"] {
        if !Path::new(path).exists() {
            continue;
        }
        let error = error_of(&mut session, &format!("setoption name EvalFile value {path}"));
        assert!(error.contains("EvalFile") && error.contains(path), "{error}");
    }
    session.send("go depth 3");
    assert_ne!(session.best_move(), "(none)");
    session.quit();
}

#[cfg(unix)]
#[test]
fn a_fifo_is_rejected_instead_of_blocking() {
    use std::io;
    use std::process::{Command, Stdio};

    use crate::session::{program, wait_for};

    let fifo = scratch("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts").success());
    let path = fifo.to_str().expect("a UTF-8 path");
    let mut session = Session::start_uci();
    for option in ["EvalFile", "Book File", "Debug Log File"] {
        let error = error_of(&mut session, &format!("setoption name {option} value {path}"));
        assert!(error.contains(option) && error.contains("not a regular file"), "{error}");
    }
    session.quit();
    for arguments in [&["perft", path][..], &["genfens", "1", "seed", "1", "book", path]] {
        let child = program().args(arguments).stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        assert_eq!(wait_for(&mut child).code(), Some(1), "{arguments:?}");
        let error = io::read_to_string(child.stderr.take().expect("a pipe")).expect("UTF-8");
        assert!(error.contains("not a regular file"), "{error}");
    }
    fs::remove_file(fifo).expect("the FIFO exists");
}

#[test]
fn a_bad_log_file_is_rejected_and_the_old_one_kept() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let log = scratch("kept.log");
    let mut session = Session::start_uci();
    session.send(&format!("setoption name Debug Log File value {}", log.display()));
    for path in [folder, "/no/such/folder/log", "/dev/zero"] {
        if path == "/dev/zero" && !Path::new(path).exists() {
            continue;
        }
        let line = format!("setoption name Debug Log File value {path}");
        let error = error_of(&mut session, &line);
        assert!(error.contains("Debug Log File"), "{error}");
    }
    session.assert_alive();
    session.quit();
    let text = fs::read_to_string(&log).expect("the log exists");
    assert!(text.contains(">> go depth 3\n") && text.contains("<< bestmove "), "{text}");
    fs::remove_file(log).expect("the log exists");
}

#[test]
fn the_debug_log_receives_input_and_output_until_it_is_closed() {
    let log = scratch("a log with blanks.txt");
    fs::write(&log, "earlier content\n").expect("a file");
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
    assert!(text.starts_with("earlier content\n"), "{text}");
    assert!(text.contains(">> joho\n") && text.contains("<< info string error: unknown"), "{text}");
    assert!(!text.contains("bestmove"), "{text}");
    fs::remove_file(log).expect("the log exists");
}

#[test]
fn paths_may_have_blanks_and_umlauts() {
    let folder = scratch("Bücher für Ömer");
    fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    let (network, log, book) = (path("größtes Netz.net"), path("später.log"), path("leer ß.bin"));
    let (games, judged) = (path("Grünfeld – Réti.pgn"), path("gewählt.pgn"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(source.join("nets/9.net"), &network).expect("the network");
    fs::write(&book, [0; 15]).expect("a file");
    fs::write(&games, "1. e4 e5 2. Nf3 *\n").expect("a file");

    let mut session = Session::start_uci();
    session.send(&format!("setoption name Debug Log File value {log}"));
    // The log records lines that are read after it was opened.
    let mut lines = session.until_ready();
    session.send(&format!("setoption name EvalFile value {network}"));
    lines.extend(session.until_ready());
    assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
    // A missing file has another error than one that was found.
    let missing = error_of(&mut session, &format!("setoption name EvalFile value {network}.gz"));
    let damaged = error_of(&mut session, &format!("setoption name Book File value {book}"));
    assert!(missing.contains("os error 2") && !damaged.contains("os error"), "{missing} {damaged}");
    if let Some(tables) = folder_beside("TABIA_SYZYGY", "syzygy") {
        for name in ["KQvK.rtbw", "KQvK.rtbz"] {
            fs::copy(tables.join(name), folder.join(name)).expect("a table");
        }
        session.send(&format!("setoption name SyzygyPath value {}", folder.display()));
        let found = ["info string SyzygyPath: 1 WDL and 1 DTZ tables, up to 3 pieces"];
        assert_eq!(session.until_ready(), found);
    }
    session.assert_alive();
    session.quit();
    assert!(fs::read_to_string(&log).expect("a log").contains("größtes Netz.net\n"));

    let Run { code, stderr, .. } = run(&["analyse", &games, "--nodes", "500", "--out", &judged]);
    assert_eq!(code, Some(0), "{stderr:?}");
    assert!(fs::read_to_string(&judged).expect("the games").contains("[%eval "));
    fs::remove_dir_all(folder).expect("the folder exists");
}

#[test]
fn commands_in_any_order_are_accepted() {
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
