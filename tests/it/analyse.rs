//! `tabia analyse` on real games: the annotated games, the table, the picture and the JSON lines.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tabia::pgn::{GameMove, PgnGame, Reader};

use crate::session::{Run, program, run, scratch};
use crate::support::zstandard;

const MASTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/masters.pgn");
const AWKWARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/awkward.pgn");
/// Game of Tabia against itself at fixed nodes, with fastchess's comments: score, depth, time.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tabia.pgn");

fn games(text: &str) -> Vec<PgnGame> {
    Reader::new(text.as_bytes()).map(Result::unwrap).collect()
}

#[test]
fn annotated_games_keep_what_they_had() {
    let Run { code, stdout, stderr } = run(&["analyse", MASTERS, "--nodes", "2000"]);
    assert_eq!(code, Some(0), "{stderr:?}");
    let original = games(&fs::read_to_string(MASTERS).unwrap());
    let annotated = games(&stdout.join("\n"));
    assert_eq!(annotated.len(), 3);
    for (one, other) in original.iter().zip(&annotated) {
        let moves = |game: &PgnGame| game.line.moves.iter().map(|mv| mv.mv).collect::<Vec<_>>();
        assert_eq!(moves(one), moves(other));
        assert!(one.tags.iter().all(|(name, value)| other.tags.get(name) == Some(value)));
        assert!(other.tags.get("Annotator").unwrap().starts_with("Tabia "));
        let last = other.line.moves.len() - 1;
        for (index, played) in other.line.moves.iter().enumerate() {
            let has_score = played.comments.iter().any(|text| text.starts_with("[%eval "));
            assert!(has_score || index == last, "{played:?}");
            assert!(played.comments.iter().all(|text| !text.contains('+')), "{played:?}");
            assert_eq!(played.nags.is_empty(), played.variations.is_empty(), "{played:?}");
        }
        assert!(other.line.moves.iter().any(|played| !played.nags.is_empty()));
    }
    assert!(stdout.iter().all(|line| line.chars().count() <= 80), "{stdout:#?}");
    assert_eq!(stderr.len(), 13, "{stderr:?}");
    assert_eq!(stderr[12], "Games read: 3");
    assert!(stderr[0].starts_with("Game 1: Anderssen, Adolf – Kieseritzky"), "{stderr:?}");
    assert!(stderr.iter().all(|line| line.chars().count() <= 80), "{stderr:#?}");
}

#[test]
fn a_game_of_tabias_own_is_analysed_from_standard_input() {
    let input = fs::File::open(OWN).unwrap();
    let arguments = ["analyse", "-", "--nodes", "2000", "--json"];
    let output = program().args(arguments).stdin(input).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let record: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    let moves = record["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[56]["score"]["mate"]), (57, &Value::from(0)));
    // White had a hundred times the nodes.
    let accuracy = |player: usize| record["players"][player]["accuracy"].as_f64().unwrap();
    assert!(accuracy(0) > accuracy(1), "{record}");
    assert!(record["players"][1]["blunders"].as_u64().unwrap() > 0, "{record}");

    let annotated = run(&["analyse", OWN, "--nodes", "2000"]);
    let game = &games(&annotated.stdout.join("\n"))[0];
    let comments = |played: &GameMove| played.comments.join(" ");
    assert!(comments(&game.line.moves[0]).ends_with("+0.06/14 0.036s"), "{annotated:?}");
    assert_eq!(run(&["analyse", OWN, "--nodes", "2000"]).stdout, annotated.stdout);
}

#[test]
fn an_input_without_games_is_an_error() {
    let path = scratch("empty.pgn");
    fs::write(&path, "\n% only a comment\n").unwrap();
    for input in ["-", &path.display().to_string()] {
        let Run { code, stdout, stderr } = run(&["analyse", input, "--nodes", "1"]);
        assert_eq!((code, stdout.len()), (Some(1), 0));
        assert_eq!(stderr, ["error: analyse: no games found"]);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_second_analysis_replaces_the_scores_of_the_first() {
    let path = scratch("analysed.pgn");
    let file = path.display().to_string();
    let once = run(&["analyse", MASTERS, "--nodes", "1000", "--out", &file]);
    assert_eq!((once.code, once.stdout.len()), (Some(0), 0));
    let first = fs::read_to_string(&path).unwrap();
    let again = run(&["analyse", &file, "--nodes", "1000"]);
    assert_eq!(again.stdout.join("\n").trim_end(), first.trim_end());
    let refused = run(&["analyse", &file, "--nodes", "1000", "--out", &file]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr[0].contains("is the input, so it cannot be the output"), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), first);
    fs::remove_file(path).unwrap();
}

#[test]
fn a_second_analysis_replaces_the_sentences_of_the_first() {
    let path = scratch("explained.pgn");
    let file = path.display().to_string();
    let once = run(&["analyse", OWN, "--nodes", "1000", "--explain", "--out", &file]);
    assert_eq!(once.code, Some(0), "{once:?}");
    let first = fs::read_to_string(&path).unwrap();
    let sentences = |text: &str| text.matches("] Tabia: ").count();
    assert!(sentences(&first.replace('\n', " ")) > 0, "{first}");
    let again = run(&["analyse", &file, "--nodes", "1000", "--explain"]);
    assert_eq!(again.stdout.join("\n").trim_end(), first.trim_end());
    // Another analysis has other sentences, and none of the first remain.
    let other = run(&["analyse", &file, "--nodes", "1", "--explain"]).stdout.join(" ");
    let fresh = run(&["analyse", OWN, "--nodes", "1", "--explain"]).stdout.join(" ");
    assert_eq!(sentences(&other), sentences(&fresh));
    assert!(games(&first)[0].line.moves.iter().all(|played| played.comments.len() <= 2));
    fs::remove_file(path).unwrap();
}

#[test]
fn an_analysis_that_fails_leaves_an_old_output_alone() {
    let (path, empty) = (scratch("old.pgn"), scratch("no-games.pgn"));
    fs::write(&path, "old").unwrap();
    fs::write(&empty, "").unwrap();
    let (old, empty_name) = (path.display().to_string(), empty.display().to_string());
    for (input, hash, message) in
        [(MASTERS, "33554432", "MiB"), (empty_name.as_str(), "1", "no games found")]
    {
        let failed =
            run(&["analyse", input, "--nodes", "1", "--hash", hash, "--out", old.as_str()]);
        assert_eq!(failed.code, Some(1));
        assert!(failed.stderr[0].contains(message), "{failed:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }
    let longer = "old ".repeat(100_000);
    fs::write(&path, &longer).unwrap();
    let done = run(&["analyse", OWN, "--nodes", "1", "--out", &old]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(games(&text).len() == 1 && !text.contains("old"), "{text}");
    fs::remove_file(path).unwrap();
    fs::remove_file(empty).unwrap();
}

#[cfg(unix)]
#[test]
fn another_link_to_the_games_is_no_output() {
    let (path, link) = (scratch("linked.pgn"), scratch("link.pgn"));
    fs::copy(OWN, &path).unwrap();
    fs::hard_link(&path, &link).unwrap();
    let name = link.display().to_string();
    let by_name = run(&["analyse", &path.display().to_string(), "--nodes", "1", "--out", &name]);
    assert!(by_name.stderr[0].contains("is the input, so it cannot be the output"), "{by_name:?}");
    let input = fs::File::open(&path).unwrap();
    let arguments = ["analyse", "-", "--nodes", "1", "--out", &name];
    let redirected = program().args(arguments).stdin(input).output().unwrap();
    assert_eq!((by_name.code, redirected.status.code()), (Some(1), Some(1)));
    assert_eq!(fs::read(&path).unwrap(), fs::read(OWN).unwrap());
    for path in [path, link] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn broken_games_are_reported_and_the_others_analysed() {
    let picture = scratch("analysed.svg");
    let svg = picture.display().to_string();
    let Run { code, stdout, stderr } =
        run(&["analyse", AWKWARD, "--nodes", "500", "--json", "--svg", &svg]);
    assert_eq!(code, Some(1));
    let records: Vec<Value> =
        stdout.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let types: Vec<&str> = records.iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(types, [["game"; 8].as_slice(), &["analyse summary"]].concat());
    assert_eq!(
        (&records[5]["game"], records[5]["moves"].as_array().unwrap().len()),
        (&Value::from(6), 9)
    );
    assert!(records[5]["cut"].as_str().unwrap().ends_with("'Bee7' is not a legal move"));
    let summary = ["games", "mended", "cut", "refused"].map(|field| records[8][field].as_u64());
    assert_eq!(summary, [8, 1, 2, 0].map(Some));
    assert!(stderr.iter().any(|line| line.starts_with("error: game 6, Black's move 5, ")));
    assert!(stderr.iter().any(|line| line.starts_with("note: game 8, line 50: the tag Result")));
    let (start, chess960) = (records[4]["start"].as_str().unwrap(), &records[4]["chess960"]);
    assert!(start.contains(" w GBgb ") && chess960 == true, "{start}");
    assert_eq!(records[4]["moves"][4]["uci"], "e1g1");
    let last = &records[7]["moves"][6];
    assert_eq!((&last["score"]["mate"], &last["san"]), (&Value::from(0), &Value::from("Qxf7#")));
    for number in ["", "-2", "-3", "-4", "-5", "-6", "-7", "-8"] {
        let path = svg.replace(".svg", &format!("{number}.svg"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{path}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{path}");
        fs::remove_file(path).unwrap();
    }
}

/// Returns the types of JSON lines, and the code and the standard error of an analysis.
fn analysed(files: &[&str]) -> (Vec<Value>, Option<i32>, Vec<String>) {
    let arguments = [&["analyse", "--nodes", "1", "--json"], files].concat();
    let Run { code, stdout, stderr } = run(&arguments);
    (stdout.iter().map(|line| serde_json::from_str(line).unwrap()).collect(), code, stderr)
}

#[test]
fn several_files_have_one_output_in_their_order() {
    let (one, two) = (scratch("one.pgn"), scratch("two.pgn.gz"));
    fs::write(&one, "[White \"A\u{1b}\"]\n\n1.\u{a0}e4 e5 *\n").unwrap();
    let mut encoder = GzEncoder::new(fs::File::create(&two).unwrap(), Compression::fast());
    encoder.write_all(b"1. d4 * 1. c4 Ke2 *\n").unwrap();
    encoder.finish().unwrap();
    let names = [&one, &two].map(|path| path.display().to_string());
    let [one_name, two_name] = names.each_ref().map(String::as_str);

    // What is only mended is no failure.
    let (records, code, stderr) = analysed(&[one_name]);
    assert_eq!((code, records[0]["white"].as_str()), (Some(0), Some("A\u{fffd}")));
    assert_eq!(stderr[0], "note: game 1, line 1: control characters replaced by U+FFFD");
    assert!(stderr.contains(&"Games read: 1, mended: 1".into()));

    let (records, code, stderr) = analysed(&[two_name, "/no/such.pgn", one_name]);
    assert_eq!(code, Some(1), "{stderr:?}");
    let facts: Vec<_> = records.iter().map(|r| (r["type"].clone(), r["file"].clone())).collect();
    let expected = [
        ("game", Value::from(two_name)),
        ("game", Value::from(two_name)),
        ("error", Value::from("/no/such.pgn")),
        ("game", Value::from(one_name)),
        ("analyse summary", Value::Null),
    ];
    assert_eq!(facts, expected.map(|(kind, file)| (Value::from(kind), file)));
    assert_eq!(records[4]["unread_files"], 1);
    for message in [
        format!("error: {two_name}, game 2, Black's move 1, line 1, column 15: 'Ke2' is "),
        format!("{two_name}, game 2: ? – ?, *"),
    ] {
        assert!(stderr.iter().any(|line| line.starts_with(&message)), "{stderr:?}");
    }

    for path in [one, two] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_compressed_file_that_is_cut_off_gives_its_whole_games() {
    let games = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 Nf6 2. Nc3 *\n";
    let path = scratch("cut.pgn");
    let name = path.display().to_string();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(games.as_bytes()).unwrap();
    let gzip = encoder.finish().unwrap();
    let blocks = games.as_bytes().chunks(16).map(|block| (block.len(), block));
    for (bytes, cut) in [(gzip, 20), (zstandard(0, blocks), 12)] {
        fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        let (records, code, stderr) = analysed(&[&name]);
        let kinds: Vec<_> = records.iter().map(|record| record["type"].as_str()).collect();
        assert_eq!(kinds, ["game", "game", "error", "analyse summary"].map(Some), "{stderr:?}");
        assert_eq!((code, &records[3]["unread_files"]), (Some(1), &Value::from(1)));
        assert_eq!(records[1]["result"], "0-1");
        let error = stderr.iter().find(|line| line.starts_with("error: game 3, ")).unwrap();
        assert!(error.contains("cannot read the file: "), "{error}");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn the_output_has_no_control_of_the_games() {
    let path = scratch("controls.pgn");
    let text = "[Event \"a\u{1b}]0;owned\u{7}\u{9b}2J\"]\n[White \"\u{202e}\u{ffff}\"]\n\n1. e4 {\u{1b}[31m} *\n";
    fs::write(&path, text).unwrap();
    let svg = scratch("controls.svg");
    let arguments = [
        "analyse",
        &path.display().to_string(),
        "--nodes",
        "1",
        "--svg",
        &svg.display().to_string(),
    ];
    let Run { code, stdout, stderr } = run(&arguments);
    let picture = fs::read_to_string(&svg).unwrap();
    let all = [stdout.concat(), stderr.concat(), picture].concat();
    assert!(code == Some(0) && !all.chars().any(|c| c.is_control() && c != '\n'), "{all:?}");
    assert!(stdout.concat().contains("[White \"\u{202e}\u{fffd}\"]"), "{stdout:?}");
    assert!(stderr.iter().any(|line| line.contains("<U+202E>\u{fffd} – ?")), "{stderr:?}");
    assert!(!all.contains('\u{ffff}'));
    fs::remove_file(path).unwrap();
    fs::remove_file(svg).unwrap();
}

#[test]
fn faults_of_the_arguments_are_named() {
    for (arguments, code, message) in [
        (&["analyse"][..], 2, "error: the following required arguments were not provided:"),
        (&["analyse", "--\x1b[m\n"], 2, "error: unexpected argument '--<U+001B>[m<U+000A>'"),
        (&["analyse", "-", "-"], 1, "error: analyse: - is standard input, which can be read only"),
        (&["analyse", "/no/such\u{1b}[1m.pgn"], 1, r"error: cannot read /no/such\u{1b}[1m.pgn: "),
        (&["analyse", MASTERS, "--out", "/no/such/x.pgn"], 1, "error: analyse: cannot write "),
    ] {
        let Run { code: found, stdout, stderr } = run(arguments);
        assert_eq!((found, stdout.len()), (Some(code), 0), "{arguments:?}");
        assert!(stderr[0].starts_with(message), "{stderr:?}");
    }
    let help = run(&["analyse", "--help"]);
    assert_eq!((help.code, help.stderr.len()), (Some(0), 0));
    assert!(help.stdout.iter().any(|line| line.contains("tabia analyse games.pgn")), "{help:?}");
}
