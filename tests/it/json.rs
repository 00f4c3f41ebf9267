//! The JSON lines of the tools have the fields that docs/json.md names, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::session::{run, scratch};
use crate::support::folder_beside;

type Fields = BTreeMap<String, BTreeSet<String>>;

fn documented() -> Fields {
    let page = include_str!("../../docs/json.md");
    let sections = page.split("\n## `").skip(1);
    let first_cell = |line: &str| line.strip_prefix("| `")?.split('`').next().map(str::to_owned);
    let section = |text: &str| {
        let name = text.split('`').next().unwrap().to_owned();
        (name, text.lines().filter_map(first_cell).collect())
    };
    sections.map(section).collect()
}

/// Adds the fields of a record, those of objects in it with a dot.
fn add_fields(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        // A score is one value, which the page explains once.
        Value::Object(_) if path.ends_with("score") => {}
        Value::Object(object) => {
            for (key, value) in object {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                add_fields(value, &path, fields);
                fields.insert(path);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_fields(item, path, fields)),
        _ => {}
    }
}

/// Adds the fields of the lines that the program prints with these arguments.
fn add_run(arguments: &[&str], fields: &mut Fields) {
    for line in run(arguments).stdout {
        let record: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(record["v"], 1, "{line}");
        let name = record["type"].as_str().unwrap().to_owned();
        add_fields(&record, "", fields.entry(name).or_default());
    }
}

#[test]
fn the_page_names_every_field() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    let (games, suite) = (format!("{data}awkward.pgn"), format!("{data}tactics.epd"));
    let mut found = Fields::new();
    let options = ["--nodes", "500", "--multipv", "2", "--explain", "--json"];
    add_run(&[&["analyse", games.as_str(), "/no/such.pgn"][..], &options].concat(), &mut found);
    let path = scratch("fields.jsonl");
    let file = path.display().to_string();
    fs::write(&path, run(&["epd", &suite, "--nodes", "500", "--json"]).stdout.join("\n")).unwrap();
    add_run(&["epd", &suite, "--nodes", "500", "--json", "--compare", &file], &mut found);
    fs::remove_file(path).unwrap();
    add_run(&["mate", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "--json"], &mut found);
    add_run(&["explain", "e4", "--depth", "4", "--multipv", "2", "--json"], &mut found);
    add_run(&["eval", "4k3/8/8/3q4/8/4N3/8/4K3 w - -", "--json"], &mut found);
    add_run(&["speedtest", "1", "1", "--json"], &mut found);
    let mut expected = documented();
    // The tests of `tabia-tree` compare these.
    expected.remove("iteration");
    match folder_beside("TABIA_SYZYGY", "syzygy") {
        Some(folder) => {
            let folder = folder.display().to_string();
            let position = "8/8/8/3k4/8/8/3KQ3/8 b - - 0 1";
            add_run(&["tb", position, "--syzygy", &folder, "--json"], &mut found);
        }
        None => drop(expected.remove("tablebase")),
    }
    assert_eq!(found, expected);
}
