//! The real program: its page, its statistics and its errors.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Runs the program and returns its exit code, output and errors.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabia-tree"));
    let Output { status, stdout, stderr } = program.args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn the_page_and_the_statistics_are_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tree.html");
    let file = path.to_str().unwrap();
    let (code, stdout, stderr) = run(&["startpos", "--depth", "6", "--out", file]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("depth  windows  nodes"), "{stdout}");
    let depths = lines[1..7].iter().map(|line| line.split_whitespace().next());
    assert!(depths.eq(["1", "2", "3", "4", "5", "6"].map(Some)), "{stdout}");
    assert!(lines.iter().all(|line| line.chars().count() < 80 || line.starts_with(file)));
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("<summary class=v><b>root</b>") || page.contains("root, search 1"));
    assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
}

#[test]
fn errors_name_the_position_and_the_file() {
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (arguments, code, message) in [
        (&["8/8"][..], 2, "error: invalid value '8/8' for '[FEN]': board: 2 ranks instead of 8"),
        (&["--\x1b[m\n"], 2, "error: unexpected argument '--<U+001B>[m<U+000A>' found"),
        (&["--depth", "0"], 2, "error: invalid value '0' for '--depth <N>': 0 is not in 1..=246"),
        (&[stalemate], 1, "error: the position has no legal move"),
        (&["--depth", "1", "--out", "/no/such/page"], 1, "error: /no/such/page: "),
    ] {
        let (found, _, stderr) = run(arguments);
        assert!(found == code && stderr.starts_with(message), "{arguments:?}: {found} {stderr}");
    }
}

/// Adds the names of the fields of a record, those of objects in it with a dot.
fn add_fields(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    let Value::Object(object) = value else { return };
    for (key, value) in object {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        add_fields(value, &path, fields);
        fields.insert(path);
    }
}

#[test]
fn the_page_on_json_names_every_field() {
    let page = include_str!("../../docs/json.md");
    let (_, section) = page.split_once("\n## `iteration`\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let name = |line: &str| line.strip_prefix("| `")?.split('`').next().map(str::to_owned);
    let documented: BTreeSet<String> = section.lines().filter_map(name).collect();

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tree.html");
    let (code, stdout, _) = run(&["--depth", "3", "--json", "--out", path.to_str().unwrap()]);
    assert_eq!((code, stdout.lines().count()), (0, 3), "{stdout}");
    for line in stdout.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&record["v"], &record["type"]), (&1.into(), &"iteration".into()));
        let mut fields = BTreeSet::new();
        add_fields(&record, "", &mut fields);
        assert_eq!(fields, documented);
    }
}
