//! UCI dialogues: every `go` gets one `bestmove`, every `isready` one `readyok`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::uci::replies_to;

/// Commands except those that read or write files.
const COMMANDS: [&str; 19] = [
    "uci",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "debug",
    "register",
    "d",
    "eval",
    "fen",
    "moves",
    "flip",
    "perft",
    "bench",
    "genfens",
    "wait",
];

/// Maximum lines of a dialogue and bytes of a line.
const LINES: usize = 40;
const BYTES: usize = 300;

/// Keeps a line from costing much memory or many threads. Returns `None` for lines with files or
/// without a known command.
fn tamed(line: &str) -> Option<String> {
    let first = line.split_whitespace().next()?;
    let lower = line.to_lowercase();
    let has_file = ["file", "path", "book"].iter().any(|word| lower.contains(word));
    if !COMMANDS.contains(&first) || has_file {
        return None;
    }
    let is_costly = ["hash", "thread", "bench", "perft"].iter().any(|word| lower.contains(word));
    if !is_costly {
        return Some(line.to_owned());
    }
    // One digit for each number.
    let mut after_digit = false;
    let keep =
        |c: &char| !std::mem::replace(&mut after_digit, c.is_ascii_digit()) || !c.is_ascii_digit();
    Some(line.chars().filter(keep).collect())
}

fn is_search(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("go") && !words.any(|word| word == "perft")
}

/// Returns whether a search ends soon without `stop`.
fn is_short(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["go", "nodes", nodes] => nodes.parse::<u32>().is_ok_and(|nodes| nodes < 1000),
        ["go", "depth", depth] => depth.parse::<u32>().is_ok_and(|depth| depth < 5),
        ["go", "movetime", time] => time.parse::<u32>().is_ok_and(|time| time < 3),
        _ => false,
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut input = String::new();
    let (mut searches, mut readies) = (0, 0);
    for line in text.lines().take(LINES).filter(|line| line.len() <= BYTES).filter_map(tamed) {
        input.push_str(&line);
        input.push('\n');
        searches += usize::from(is_search(&line));
        readies += usize::from(line.split_whitespace().next() == Some("isready"));
        let first = line.split_whitespace().next().unwrap_or_default();
        if ["go", "perft", "bench", "genfens"].contains(&first) && !is_short(&line) {
            input.push_str("stop\n");
        }
    }
    let lines = replies_to(input.as_bytes());
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("bestmove "), searches, "{input}\n{lines:#?}");
    assert_eq!(count("readyok"), readies, "{input}\n{lines:#?}");
});
