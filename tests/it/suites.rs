//! `tabia epd`, `mate` and `tb`: rows, sums, comparison, exit codes.

use std::fs;

use serde_json::Value;

use crate::session::{Run, program, run, scratch, shell_words};
use crate::support::folder_beside;

const TACTICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tactics.epd");

#[test]
fn a_suite_is_solved_with_a_row_for_each_position() {
    let Run { code, stdout, stderr } = run(&["epd", TACTICS, "--nodes", "20000"]);
    assert_eq!((code, stderr.len()), (Some(0), 0), "{stderr:?}");
    assert_eq!(stdout.len(), 9, "{stdout:#?}");
    assert!(stdout[0].starts_with("position             solved move    wanted"), "{stdout:#?}");
    for (row, start) in stdout[1..6].iter().zip([
        "back rank            yes    Ra8#    bm Ra8#",
        "scholar's mate       yes    Qxf7#   bm Qxf7#",
        "two rooks            yes    ",
        "no stalemate         yes    ",
        "a free queen         yes    Nxd5    bm Nxd5",
    ]) {
        assert!(row.starts_with(start), "{row}");
    }
    assert!(stdout[7].starts_with("Solved 5 of 5 (100.0 %), 14 of 14 points"), "{stdout:#?}");
    assert!(stdout.iter().all(|line| line.chars().count() <= 80), "{stdout:#?}");
}

#[test]
fn a_run_is_compared_with_an_earlier_one() {
    let old = run(&["epd", TACTICS, "--depth", "6", "--json"]);
    let records: Vec<Value> =
        old.stdout.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((records.len(), &records[5]["type"]), (6, &Value::from("epd summary")));
    // The earlier run lost a position that is solved now, and solved one that the suite lacks.
    let earlier = old.stdout.join("\n").replacen(
        "\"solved\":true,\"points\":1",
        "\"solved\":false,\"points\":0",
        1,
    );
    let path = scratch("earlier.jsonl");
    fs::write(&path, earlier.replace("scholar's mate", "another")).unwrap();
    let file = path.display().to_string();
    let new = run(&["epd", TACTICS, "--depth", "6", "--compare", &file]);
    assert_eq!(new.code, Some(0), "{new:?}");
    assert!(new.stdout[1].ends_with(" gained"), "{new:?}");
    let last = new.stdout.last().unwrap();
    assert_eq!(last, "Compared with the earlier run: 4 positions, gained 1, lost 0, points +1");
    fs::write(&path, "nothing\n").unwrap();
    let refused = run(&["epd", TACTICS, "--depth", "1", "--compare", &file]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr[0].contains("it has no results"), "{refused:?}");
    fs::remove_file(path).unwrap();
}

#[test]
fn a_suite_is_read_from_standard_input() {
    let input = fs::File::open(TACTICS).unwrap();
    let output = program().args(["epd", "-", "--depth", "6"]).stdin(input).output().unwrap();
    let rows = String::from_utf8(output.stdout).unwrap();
    let of_file = run(&["epd", TACTICS, "--depth", "6"]).stdout;
    assert_eq!(rows.lines().count(), of_file.len(), "{rows}");
    assert!(rows.contains("\nSolved 5 of 5 (100.0 %)"), "{rows}");
    let empty = run(&["epd", "-"]);
    assert_eq!(
        (empty.code, &empty.stderr[..]),
        (Some(1), &["error: epd: no positions found".to_owned()][..])
    );
}

#[test]
fn faults_of_a_suite_are_named() {
    let path = scratch("faulty.epd");
    fs::write(&path, "# comment\n8/8/8/8/8/8/8/K1k5 w - - bm Ka9;\n").unwrap();
    let faulty = run(&["epd", &path.display().to_string()]);
    assert_eq!((faulty.code, faulty.stdout.len()), (Some(1), 0));
    assert_eq!(
        faulty.stderr,
        ["error: line 2: bm: 'Ka9' is not a move", "error: epd: no positions found"]
    );
    // Suites of engine authors: a mate as the best move, comments, names in Latin-1.
    let suite = b"; comment\n% comment\n8/8/8/8/8/k1K5/8/7R w - - bm #1; id \"\xE9\x1b\";\n\
        8/8/8/8/8/k1K5/8/7R w - -;bm 1. Ra1#;\nk7/8/1K6/8/8/8/7R/8 b - - bm #-1;\n\
        R5k1/5ppp/8/8/8/8/8/K7 b - - bm #-0;\nR5k1/5ppp/8/8/8/8/8/K7 b - - dm 3;\n8/8 w - - bm e4;\n";
    fs::write(&path, suite).unwrap();
    for (flags, code) in [(&[][..], 0), (&["--strict"], 1)] {
        let file = path.display().to_string();
        let read = run(&[&["epd", &file, "--nodes", "5000", "--hash", "1"], flags].concat());
        assert_eq!(read.code, Some(code), "{read:?}");
        assert_eq!(read.stderr.len(), 1, "{read:?}");
        assert!(read.stdout[1].starts_with("é\u{fffd} "), "{read:?}");
        assert!(
            read.stdout[7].starts_with("Solved 5 of 5 (100.0 %), lines left out: 1"),
            "{read:?}"
        );
    }
    fs::remove_file(path).unwrap();
    let missing = run(&["epd", "/no/such.epd"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr[0].starts_with("error: epd: cannot read /no/such.epd"), "{missing:?}");
}

#[test]
fn mates_are_found_with_their_line() {
    let problem = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let found = run(&["mate", problem, "--moves", "2"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.stdout[0].starts_with("White mates in 2: depth "), "{found:?}");
    assert!(found.stdout[1].starts_with("  1. Ra6 "), "{found:?}");
    let json = run(&["mate", problem, "--moves", "2", "--json"]);
    let record: Value = serde_json::from_str(&json.stdout[0]).unwrap();
    assert_eq!((&record["v"], &record["mate"]), (&Value::from(1), &Value::from(2)));
    let none = run(&["mate", "startpos", "--nodes", "5000"]);
    assert_eq!(none.code, Some(1));
    assert!(none.stdout[0].starts_with("no mate found: depth "), "{none:?}");
    let words: Vec<&str> =
        std::iter::once("mate").chain("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1".split(' ')).collect();
    assert_eq!(run(&words).stdout, ["Black is mated"]);
    let wrong = run(&["mate", "8/8"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr[0].starts_with("error: mate: bad FEN: board: 2 ranks"), "{wrong:?}");
}

#[test]
fn moves_are_explained() {
    let queen = "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1";
    let best = run(&["explain", "Nxd5", queen, "--nodes", "20000"]);
    assert_eq!(best.code, Some(0), "{best:?}");
    assert!(best.stdout[0].starts_with("Nxd5 is the best move."), "{best:?}");
    let worse = run(&["explain", "Ng4", queen, "--nodes", "20000"]);
    assert!(
        worse.stdout[0].starts_with("Ng4 is a blunder: White's winning chances fall from 50 % to "),
        "{worse:?}"
    );
    let lines = |start: &str| worse.stdout.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines("Best    "), lines("Played  ")), (1, 1), "{worse:?}");
    let mate = run(&[
        "explain",
        "Nf6",
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        "--nodes",
        "20000",
    ]);
    assert!(mate.stdout[..2].join(" ").contains("It allows mate in 1."), "{mate:?}");
    let opening = run(&["explain", "e4", "--depth", "5"]);
    assert!(opening.stdout[0].starts_with("e4 is "), "{opening:?}");
    let wrong = run(&["explain", "Qh5"]);
    assert_eq!(
        (wrong.code, &wrong.stderr[..]),
        (Some(2), &["error: explain: 'Qh5' is not a legal move".to_owned()][..])
    );
}

#[test]
fn the_speed_test_sums_up_its_searches() {
    let Run { code, stdout, .. } = run(&["speedtest", "2", "1"]);
    assert_eq!((code, stdout.len()), (Some(0), 12), "{stdout:?}");
    assert_eq!(stdout[0], "threads 2, hash 64 MiB, 1 s");
    assert!(stdout[11].contains(" nodes per second, ") && stdout[11].ends_with(" per thread"));
}

#[test]
fn positions_are_evaluated() {
    let queen = "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1";
    let text = run(&["eval", queen]);
    assert_eq!(text.code, Some(0), "{text:?}");
    assert!(text.stdout.last().unwrap().ends_with("Black is winning"), "{text:?}");
    let session = run(&[format!("position fen {queen}").as_str(), "eval"]);
    assert_eq!(text.stdout, session.stdout);
    let json = run(&["eval", queen, "--json"]);
    let record: Value = serde_json::from_str(&json.stdout[0]).unwrap();
    assert!(record["score"]["cp"].as_i64().unwrap() < -200, "{record}");
    let pieces = record["pieces"].as_array().unwrap();
    let queen = pieces.iter().find(|piece| piece["square"] == "d5").unwrap();
    assert!(queen["piece"] == "q" && queen["cp"].as_i64().unwrap() < -200, "{record}");
    assert_eq!(pieces.len(), 4);
    let wrong = run(&["eval", "8/8"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr[0].starts_with("error: eval: bad FEN: "), "{wrong:?}");
}

#[test]
fn every_command_has_help_and_its_example_runs() {
    let list = run(&["help"]).stdout;
    let sections = list.iter().skip_while(|line| *line != "Commands of UCI:");
    let rows = sections.take_while(|line| *line != "Arguments of go:");
    let words = rows.filter(|row| row.starts_with("  ") && !row.starts_with("   "));
    let words: Vec<&str> = words.filter_map(|row| row.split_whitespace().next()).collect();
    assert!(words.len() > 20, "{words:?}");
    for word in words {
        let Run { code, stdout, .. } = run(&[word, "--help"]);
        assert!(code == Some(0) && stdout[0].starts_with("Usage: tabia "), "{stdout:?}");
        let example = stdout.last().unwrap().strip_prefix("  tabia ").unwrap();
        assert!(example.contains(word), "{example}");
        let Run { code, stderr, .. } = run(&shell_words(example));
        match word {
            // They need tables, and a build with the feature `tune`.
            "tb" | "spsa" => assert_ne!(code, Some(2), "{word}: {stderr:?}"),
            _ => assert!(code == Some(0) && stderr.is_empty(), "{word}: {stderr:?}"),
        }
    }
}

#[test]
fn tablebases_are_looked_up_in_words() {
    let queen = "8/8/8/8/4k3/8/3KQ3/8 b - - 0 1";
    let none = run(&["tb", queen, "--syzygy", "/no/such"]);
    assert_eq!(none.code, Some(1));
    let reason = "error: tb: no tablebases found in '/no/such': /no/such: ";
    assert!(none.stderr[0].starts_with(reason), "{none:?}");
    let Some(folder) = folder_beside("TABIA_SYZYGY", "syzygy") else { return };
    let folder = folder.display().to_string();
    let found = run(&["tb", "8/8/8/3k4/8/8/3KQ3/8 b - - 0 1", "--syzygy", &folder]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.stdout[0].starts_with("Black to move: loss, DTZ "), "{found:?}");
    assert!(found.stdout[3..].iter().any(|line| line.ends_with("  loss")), "{found:?}");
    let json = run(&["tb", "8/8/8/3k4/8/8/3KQ3/8 b - - 0 1", "--syzygy", &folder, "--json"]);
    let record: Value = serde_json::from_str(&json.stdout[0]).unwrap();
    assert_eq!(
        (&record["wdl"], &record["type"]),
        (&Value::from("loss"), &Value::from("tablebase"))
    );
    for clock in [60, 99] {
        let late = format!("8/8/8/4k3/8/8/8/KBN5 w - - {clock} 90");
        let late = run(&["tb", &late, "--syzygy", &folder]);
        let header = "White to move: draw by the fifty-move rule, else a win, DTZ ";
        assert!(late.stdout[0].starts_with(header), "{late:?}");
    }
    let castling = run(&["tb", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "--syzygy", &folder]);
    assert!(castling.stderr[0].contains("castling rights are in no table"), "{castling:?}");
}
