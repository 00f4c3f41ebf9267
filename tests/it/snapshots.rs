//! Outputs for people, compared with `tests/data/outputs.txt`.
//!
//! Each line of the file that begins with `$ tabia` is a command, and the lines up to the next one
//! are its output. With `UPDATE_SNAPSHOTS=1` in the environment the test replaces the file: read
//! the difference before you commit it.

use std::env;
use std::fs;

use crate::session::{run_with, shell_words};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/outputs.txt");
const PROMPT: &str = "$ tabia ";

fn with_output(command: &str) -> String {
    let (is_success, lines) = run_with(&shell_words(command.strip_prefix(PROMPT).unwrap()));
    assert!(is_success, "{command}: {lines:?}");
    format!("{command}\n{}\n\n", lines.join("\n"))
}

#[test]
fn outputs_are_those_of_the_file() {
    let expected = fs::read_to_string(FILE).unwrap().replace("\r\n", "\n");
    let commands: Vec<&str> = expected.lines().filter(|line| line.starts_with(PROMPT)).collect();
    assert!(commands.len() > 5);
    let found: String = commands.into_iter().map(with_output).collect();
    if env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(FILE, found).unwrap();
        return;
    }
    for (expected, found) in expected.lines().zip(found.lines()) {
        assert_eq!(expected, found, "see the head of tests/it/snapshots.rs");
    }
    assert_eq!(expected, found);
}
