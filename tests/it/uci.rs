//! Rules of the UCI protocol, tested on the program.

use std::fs;
use std::time::{Duration, Instant};

use tabia::board::Board;
use tabia::eval::network::{Parameters, SHAPE, Shape};

use crate::session::{Session, best_move_of, check_search, number_after};

const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const CASTLING: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";

/// Positions that are difficult to report: forced moves, mates, near draws, castling, promotions.
const SEARCHED: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    CASTLING,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // One legal move.
    "8/8/8/8/8/1r6/8/K1k5 w - - 0 1",
    // Mate in one and in two.
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    // Mate in one at 99 half-moves.
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80",
    // A draw at the next quiet move.
    "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80",
    "8/P7/8/8/8/8/k6p/7K w - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    // Insufficient material.
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
];

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a legal position")
}

#[test]
fn uci_names_the_engine_and_its_options() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.expect("uciok");
    assert!(lines[0].starts_with("id name Tabia "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for option in [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 3000 min 500 max 3000",
        "option name Level Seed type spin default 0 min 0 max 2147483647",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name Syzygy50MoveRule type check default true",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name OwnBook type check default false",
        "option name Book File type string default <empty>",
        "option name Best Book Move type check default false",
        "option name EvalFile type string default <empty>",
        "option name Debug Log File type string default <empty>",
        "option name nodestime type spin default 0 min 0 max 10000",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}: {lines:?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("option name UCI_EngineAbout type string")));
    session.quit();
}

#[test]
fn text_requested_by_name_is_plain_after_uci() {
    let mut session = Session::start_uci();
    for (command, line) in [
        ("d", "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("eval", "Total: "),
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("moves", "20 moves: "),
        ("help", "Commands of UCI:"),
        ("help options", "Usage: setoption"),
        ("compiler", "Compiler "),
        ("version", "tabia "),
        ("go perft 2", "Nodes searched: 400"),
        ("perft 2", "e2e4: 20"),
        ("bench 1", "48/48 "),
    ] {
        session.send(command);
        session.expect(line);
    }
    session.quit();
}

#[test]
fn go_mate_0_gives_a_legal_move() {
    let mut session = Session::start_uci();
    session.send("go mate 0");
    check_search(&Board::startpos(), &session.expect("bestmove"));
    session.quit();
}

fn node_limits() -> impl Iterator<Item = (&'static str, i64)> {
    // No nodes at all are a search of one ply: tests/it/uci_input.rs.
    let limits = [1, 2, 3, 10, 30, 100, 1000, 5000];
    SEARCHED.iter().flat_map(move |&fen| limits.map(|nodes| (fen, nodes)))
}

#[test]
fn go_nodes_is_an_upper_bound() {
    let mut session = Session::start_uci();
    for threads in [1, 4] {
        session.send(&format!("setoption name Threads value {threads}"));
        for (fen, nodes) in node_limits() {
            session.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"));
            let lines = session.expect("bestmove");
            check_search(&board(fen), &lines);
            for line in lines.iter().filter(|line| line.contains(" score ")) {
                assert!(number_after(line, "nodes") <= Some(nodes), "{nodes}: {line}");
                assert!(!line.contains("bound "), "{line}");
            }
        }
    }
    session.quit();
}

#[test]
fn tb_without_tablebases_names_the_option() {
    let mut session = Session::start_uci();
    session.send("tb");
    session.expect("info string error: tb: no tablebases are loaded, set SyzygyPath first");
    session.quit();
}

#[test]
fn isready_is_answered_in_the_middle_of_a_search_and_of_a_tool() {
    let mut session = Session::start_uci();
    session.send("go infinite");
    for _ in 0..20 {
        assert!(!session.until_ready().iter().any(|line| line.starts_with("bestmove")));
    }
    session.send("stop");
    session.best_move();
    session.send("go perft 9");
    session.until_ready();
    session.send("stop");
    session.assert_alive();
    session.quit();
}

#[test]
fn each_of_a_thousand_stops_ends_one_search() {
    let mut session = Session::start_uci();
    for _ in 0..1000 {
        session.send("go infinite\nstop");
        session.best_move();
    }
    assert!(!session.until_ready().iter().any(|line| line.starts_with("bestmove")));
    session.quit();
}

#[test]
fn stop_acts_within_50_ms() {
    let mut session = Session::start_uci();
    // The minimum of several: other processes may delay some of them.
    let delay = (0..10)
        .map(|_| {
            session.send("go infinite");
            session.listen(Duration::from_millis(20));
            let start = Instant::now();
            session.send("stop");
            session.best_move();
            start.elapsed()
        })
        .min();
    assert!(delay < Some(Duration::from_millis(50)), "{delay:?}");
    session.quit();
}

#[test]
fn commands_during_a_search_are_queued() {
    let mut session = Session::start_uci();
    session.send("position startpos\ngo infinite");
    session
        .send("position fen 8/8/8/8/8/1r6/8/K1k5 w - - 0 1\nsetoption name MultiPV value 0\nfen");
    assert!(session.until_ready().iter().all(|line| !line.contains("string")));
    session.send("stop");
    let mv = session.best_move();
    assert!(Board::startpos().parse_move(&mv).is_some(), "{mv}");
    let lines = session.expect("8/8/8/8/8/1r6/8/K1k5 w");
    assert!(lines[0].contains("MultiPV"), "{lines:?}");
    session.quit();
}

#[test]
fn stop_ends_the_running_and_the_queued_search() {
    let mut session = Session::start_uci();
    session.send("go infinite\ngo infinite\nstop");
    session.best_move();
    session.best_move();
    session.send("stop\nponderhit\nstop");
    assert!(session.until_ready().is_empty());
    session.quit();
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let mut session = Session::start_uci();
    for (fen, limits) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "infinite depth 1"),
        ("8/8/8/8/8/1r6/8/K1k5 w - - 0 1", "infinite nodes 10"),
        (MATED, "infinite"),
        (STALEMATE, "infinite"),
        ("bad", "infinite"),
        (CASTLING, "infinite searchmoves 0000"),
        (CASTLING, "infinite movetime 1"),
        (MATED, "ponder wtime 100 btime 100"),
        (CASTLING, "ponder wtime 1 btime 1"),
        ("bad", "ponder wtime 1 btime 1"),
    ] {
        session.send(&format!("position fen {fen}\ngo {limits}"));
        let early = session.listen(Duration::from_millis(100));
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{fen}: {early:?}");
        session.send(if limits.starts_with("ponder") { "ponderhit" } else { "stop" });
        session.best_move();
    }
    session.quit();
}

#[test]
fn ponderhit_starts_the_clock_and_stop_ends_pondering() {
    let mut session = Session::start_uci();
    session.send("setoption name Ponder value true\nposition startpos moves e2e4 e7e5");
    for (limits, command) in [
        ("wtime 300 btime 300", "ponderhit"),
        ("movetime 50", "ponderhit"),
        ("wtime 600000 btime 600000", "stop"),
        ("", "ponderhit"),
    ] {
        session.send(&format!("go ponder {limits}"));
        session.until_ready();
        session.send(command);
        session.best_move();
    }
    session.quit();
}

#[test]
fn a_root_without_moves_has_a_score_and_no_best_move() {
    let mut session = Session::start_uci();
    for (fen, score) in [(MATED, "mate 0"), (STALEMATE, "cp 0")] {
        session.send(&format!("position fen {fen}\ngo depth 5"));
        let lines = session.expect("bestmove");
        assert!(lines.contains(&format!("info depth 0 score {score}")), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
    }
    session.quit();
}

#[test]
fn pvs_and_scores_are_correct() {
    let mut session = Session::start_uci();
    session.send("setoption name UCI_Chess960 value true");
    for fen in SEARCHED {
        for limits in ["depth 1", "depth 6", "nodes 1", "movetime 20", "wtime 1 btime 1"] {
            session.send(&format!("position fen {fen}\ngo {limits}"));
            check_search(&board(fen), &session.expect("bestmove"));
        }
    }
    session.send("setoption name MultiPV value 4");
    for fen in SEARCHED {
        session.send(&format!("position fen {fen}\ngo depth 4"));
        let lines = session.expect("bestmove");
        check_search(&board(fen), &lines);
        let shown = lines.iter().filter_map(|line| number_after(line, "multipv")).max();
        assert_eq!(shown, Some(board(fen).count_legal_moves().min(4) as i64), "{fen}");
    }
    session.quit();
}

#[test]
fn castling_follows_uci_chess960_and_both_notations_are_accepted() {
    let mut session = Session::start_uci();
    for (chess960, written) in [("false", "e1g1"), ("true", "e1h1")] {
        session.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        for text in ["e1g1", "e1h1"] {
            session.send(&format!("position fen {CASTLING}\ngo depth 1 searchmoves {text}"));
            assert_eq!(session.best_move(), written);
            session.send(&format!("position fen {CASTLING} moves {text}\nfen"));
            session.expect("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b");
        }
    }
    // A Chess960 FEN is accepted whatever the option is.
    session.send("setoption name UCI_Chess960 value false");
    for rights in ["GBgb", "KQkq"] {
        session.send(&format!("position fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w {rights} - 0 1"));
        session.send("go depth 1 searchmoves e1g1 e1b1");
        let mv = session.best_move();
        assert!(mv == "e1g1" || mv == "e1b1", "{mv}");
    }
    session.quit();
}

#[test]
fn zero_and_negative_limits_give_a_legal_move_at_once() {
    let mut session = Session::start_uci();
    for limits in [
        "movetime 0",
        "movetime -10",
        "depth 0",
        "nodes 0",
        "wtime 0 btime 0",
        "wtime -1000 btime -1000",
        "wtime 1 btime 1 movestogo 1",
        "winc 100 binc 100",
        "wtime 100 btime 100 winc 100000 binc 100000",
        "wtime 10 btime 10 movestogo 0",
        "wtime abc",
        "depth",
        "mate 0",
    ] {
        session.send(&format!("position startpos\ngo {limits}"));
        let lines = session.expect("bestmove");
        check_search(&Board::startpos(), &lines);
    }
    // The overhead is subtracted from the move time: half a second is left.
    session.send("setoption name Move Overhead value 5000");
    let start = Instant::now();
    session.send("go movetime 5500");
    session.best_move();
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    session.quit();
}

#[test]
fn searchmoves_restricts_the_root() {
    let mut session = Session::start_uci();
    session.send("go depth 2 searchmoves a2a3 a2a3");
    assert_eq!(session.best_move(), "a2a3");
    session.send("go searchmoves h2h4 depth 2");
    assert_eq!(session.best_move(), "h2h4");
    session.send("go depth 2 searchmoves e2e5 h2h3 joho");
    let lines = session.expect("bestmove");
    assert_eq!(best_move_of(&lines), "h2h3");
    assert!(lines[0].contains("e2e5 joho"), "{lines:?}");
    session.send("go depth 2 searchmoves e2e5");
    let lines = session.expect("bestmove");
    assert!(lines[0].contains("searching all moves"), "{lines:?}");
    check_search(&Board::startpos(), &lines);
    session.send("go depth 2 searchmoves 0000");
    assert_eq!(session.best_move(), "(none)");
    session.quit();
}

#[test]
fn a_new_game_makes_the_search_reproducible() {
    let mut session = Session::start_uci();
    let mut search = || {
        session.send("ucinewgame\nposition startpos moves d2d4\ngo nodes 20000");
        let lines = session.expect("bestmove");
        let info = lines.iter().rfind(|line| line.contains(" score ")).expect("a score");
        (number_after(info, "nodes"), best_move_of(&lines).to_owned())
    };
    let first = search();
    assert_eq!(search(), first);
    assert_eq!(search(), first);
    session.quit();
}

#[test]
fn the_hash_can_be_set_and_cleared() {
    let mut session = Session::start_uci();
    session.send("setoption name Hash value 1\nsetoption name hash VALUE 2");
    session.send("setoption name Hash value 4\ngo depth 5");
    session.best_move();
    session.send("setoption name Clear Hash\nsetoption name clear hash value\nucinewgame");
    let errors = session.until_ready();
    assert!(errors.iter().all(|line| !line.contains("Clear Hash")), "{errors:?}");
    session.assert_alive();
    session.quit();
}

/// Returns the file of a network without weights.
fn zeroed_network(shape: Shape) -> Vec<u8> {
    let network = Parameters::zeroed(shape).expect("a valid shape");
    network.to_bytes().expect("small weights")
}

#[test]
fn a_bad_network_is_rejected_and_the_old_one_kept() {
    let mut session = Session::start_uci();
    let mut search = |option: &str| {
        session.send(&format!("setoption name EvalFile {option}"));
        let errors = session.until_ready();
        session.send("ucinewgame\ngo nodes 3000");
        let lines = session.expect("bestmove");
        let info = lines.iter().rfind(|line| line.contains(" score ")).expect("a score");
        (errors, number_after(info, "cp"))
    };
    let (errors, score) = search("value <empty>");
    assert!(errors.iter().all(|line| !line.contains("EvalFile")), "{errors:?}");
    let good = zeroed_network(SHAPE);
    let path = std::env::temp_dir().join(format!("tabia-{}-refused.net", std::process::id()));
    let mut refuse = |bytes: &[u8], reason: &str| {
        fs::write(&path, bytes).expect("a file");
        let (errors, after) = search(&format!("value {}", path.display()));
        let error = errors.iter().find(|line| line.contains("EvalFile")).expect("a reason");
        assert!(error.starts_with("info string error"), "{error}");
        assert!(error.contains(reason), "{error}");
        assert!(error.ends_with("keeping the old network"), "{error}");
        assert_eq!(after, score);
    };
    let changed = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    refuse(b"[package]", "not a Tabia network");
    refuse(&changed(8), "version");
    refuse(&changed(60), "hash");
    refuse(&good[..good.len() - 1], "bytes");
    let other = Shape { hidden: SHAPE.hidden + 64, ..SHAPE };
    refuse(&zeroed_network(other), &other.to_string());
    // A valid network is loaded.
    fs::write(&path, &good).expect("a file");
    let (errors, after) = search(&format!("value {}", path.display()));
    assert!(errors.iter().all(|line| !line.contains("EvalFile")), "{errors:?}");
    assert_ne!(after, score);
    fs::remove_file(&path).expect("the file is there");
    let (errors, after) = search(&format!("value {}", path.display()));
    assert!(errors.iter().any(|line| line.contains("keeping the old network")));
    assert_eq!(after, Some(0));
    assert_eq!(search("value <empty>").1, score);
    session.quit();
}

#[test]
fn bench_uses_the_loaded_network() {
    let path = std::env::temp_dir().join(format!("tabia-{}-bench.net", std::process::id()));
    fs::write(&path, zeroed_network(SHAPE)).expect("a file");
    let mut session = Session::start_uci();
    let mut counts = |network: &str| {
        session.send(&format!("setoption name EvalFile value {network}\nbench 4"));
        let mut lines = session.expect("48/48");
        lines.retain(|line| line.contains("/48 "));
        lines
    };
    let usual = counts("<empty>");
    assert_ne!(counts(&path.display().to_string()), usual);
    assert_eq!(counts("<empty>"), usual);
    fs::remove_file(&path).expect("the file is there");
    session.quit();
}

#[test]
fn chances_follow_uci_showwdl() {
    let mut session = Session::start_uci();
    let mut lines = |show: bool, position: &str| {
        session.send(&format!("setoption name UCI_ShowWDL value {show}\n{position}\ngo depth 4"));
        session.expect("bestmove")
    };
    assert!(lines(false, "position startpos").iter().all(|line| !line.contains("wdl")));
    for line in lines(true, "position startpos").iter().filter(|line| line.contains(" score ")) {
        let mut chances = line.split(' ').skip_while(|word| *word != "wdl").skip(1).take(3);
        let sum: u32 =
            chances.by_ref().map(|number| number.parse::<u32>().expect("permille")).sum();
        assert_eq!(sum, 1000, "{line}");
    }
    let mate = lines(true, "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    assert!(mate.iter().any(|line| line.contains(" score mate 1 wdl 1000 0 0 ")), "{mate:?}");
    session.quit();
}

/// Sends the commands of `fastchess --compliance`.
#[test]
fn fastchess_compliance_passes() {
    let mut session = Session::start_uci();
    session.until_ready();
    session.send("ucinewgame");
    session.send("position startpos");
    session.until_ready();
    session.send("position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27");
    session.until_ready();
    let mut search = |setup: &str, go: &str| {
        session.send(setup);
        session.send(go);
        let lines = session.expect("bestmove");
        assert_ne!(best_move_of(&lines), "(none)");
        let last = lines.iter().rfind(|line| line.starts_with("info")).expect("an info line");
        for word in ["time", "nps", "score"] {
            let value = last.split(' ').skip_while(|other| *other != word).nth(1).expect(word);
            assert!(!value.contains('.'), "{last}");
        }
    };
    search("isready", "go wtime 100");
    let black = "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    search(black, "go btime 100");
    search("isready", "go wtime 100 winc 100 btime 100 binc 100");
    search("isready", "go btime 100 binc 100 wtime 100 winc 100");
    search("ucinewgame\nposition startpos", "go wtime 100 btime 100");
    search("position startpos moves e2e4 e7e5", "go wtime 100 btime 100");
    session.quit();
}
