//! Tools that only the command line runs.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::Board;
use crate::book::{self, Book};
use crate::engine::options::MAX_THREADS;
use crate::text::Quoted;
use crate::tools::{perft, selftest, speedtest};
use crate::types::MAX_PLY;

use super::arguments::{Arguments, FEN_FIELDS, JSON};
use super::spec::{Flag, Flags, Help, STOP, Sink, ToolError, ToolSpec};
use super::{analyse, datagen, epd, positions, tree};

pub(super) static TOOLS: &[&ToolSpec] = &[
    &analyse::SPEC,
    &epd::SPEC,
    &positions::MATE,
    &positions::EXPLAIN,
    &positions::EVAL,
    &positions::TB,
    &tree::SPEC,
    &ToolSpec {
        word: "perft",
        arguments: "FILE [DEPTH]",
        purpose: "check the counts of a perft suite",
        help: Help {
            flags: Flags::Listed(&[]),
            notes: &[],
            examples: &["tabia perft perft/standard.epd 5"],
        },
        run: run_suite,
    },
    &ToolSpec {
        word: "selftest",
        arguments: "",
        purpose: "check that this build works on this machine",
        help: Help { flags: Flags::Listed(&[]), notes: &[], examples: &["tabia selftest"] },
        run: run_selftest,
    },
    &datagen::SPEC,
    &ToolSpec {
        word: "book",
        arguments: "FILE [FEN|startpos]",
        purpose: "list the moves of an opening book",
        help: Help {
            flags: Flags::Listed(&[]),
            notes: &[],
            examples: &["tabia book openings.bin startpos"],
        },
        run: run_book,
    },
    &ToolSpec {
        word: "speedtest",
        arguments: "[THREADS [SECONDS]] [--json]",
        purpose: "measure the speed of the search on this machine",
        help: Help {
            flags: Flags::Listed(ALL_SPEEDTEST_FLAGS),
            notes: &["Without arguments, it uses all processors for 20 seconds."],
            examples: &["tabia speedtest 8 60"],
        },
        run: run_speedtest,
    },
];

/// Runs `explain` on a position instead of the start position. An error is its message.
pub(crate) fn explain_from(
    board: Board,
    arguments: &[OsString],
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, String> {
    let result = positions::explain_from(board, arguments, stop, sink);
    result.map_err(|error| match error {
        ToolError::Usage(message) | ToolError::Failure(message) => message,
    })
}

fn run_suite(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("perft", 2, &[], arguments)?;
    let path = arguments.file("a depth or a file")?;
    if !path.exists() {
        let found = path.to_string_lossy();
        let message = format!("expected a depth or an existing file, found {}", Quoted(&found));
        return Err(arguments.usage(message));
    }
    let max_depth = arguments.word_number(1, "perft depth", 0..=MAX_PLY as u64)?;
    perft::run_suite(&path, max_depth.map(|depth| depth as u32), &STOP, sink)
        .map_err(|error| ToolError::Failure(format!("perft {}: {error}", path.display())))
}

fn run_selftest(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    Arguments::parse("selftest", 0, &[], arguments)?;
    Ok(selftest::run(&STOP, sink))
}

static ALL_SPEEDTEST_FLAGS: &[&[Flag]] = &[&[JSON]];

fn run_speedtest(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    const DEFAULT_SECONDS: u64 = 20;
    const MAX_SECONDS: u64 = 86_400;
    let arguments = Arguments::parse("speedtest", 2, ALL_SPEEDTEST_FLAGS, arguments)?;
    let threads = match arguments.word_number(0, "speedtest threads", 1..=MAX_THREADS.into())? {
        Some(threads) => threads as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let seconds = arguments.word_number(1, "speedtest seconds", 1..=MAX_SECONDS)?;
    let time = Duration::from_secs(seconds.unwrap_or(DEFAULT_SECONDS));
    speedtest(threads, time, arguments.json(), sink)
        .map(|()| true)
        .map_err(|error| arguments.failure(error))
}

fn run_book(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("book", 1 + FEN_FIELDS, &[], arguments)?;
    let path = arguments.file("a file")?;
    let board = match arguments.words() {
        [_, _, ..] => arguments.position(1)?,
        _ => Board::startpos(),
    };
    let name = path.display();
    let book =
        Book::open(&path).map_err(|error| ToolError::Failure(format!("book {name}: {error}")))?;
    let moves = book.moves(&board);
    let (entries, key) = (book.len(), book::polyglot_key(&board));
    sink(&format!("{name}: {entries} entries, {} for key {key:016x}", moves.len()));
    let total = book::total_weight(&moves).max(1) as f64;
    for choice in moves {
        let mv = choice.mv.display(false).to_string();
        let percent = 100.0 * f64::from(choice.weight) / total;
        sink(&format!("{mv:<5} weight {:>5} share {percent:>5.1} %", choice.weight));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::help::HelpPage;

    fn usage(arguments: &str) -> String {
        let mut words = arguments.split(' ').map(OsString::from);
        let word = words.next().unwrap_or_default();
        let spec = TOOLS.iter().find(|spec| word == spec.word).expect("a tool");
        match (spec.run)(&words.collect::<Vec<_>>(), &mut |_| {}) {
            Err(ToolError::Usage(message)) => message,
            other => panic!("{arguments}: {other:?}"),
        }
    }

    #[test]
    fn errors_name_the_tool_and_the_argument() {
        for (arguments, message) in [
            (
                "perft no-such.epd",
                "perft: expected a depth or an existing file, found 'no-such.epd'",
            ),
            ("perft Cargo.toml x", "perft depth: expected a number, found 'x'"),
            ("perft Cargo.toml 3 4", "perft: unknown word '4'"),
            ("speedtest -1", "speedtest threads: expected 1 to 1024, found '-1'"),
            ("selftest now", "selftest: unknown word 'now'"),
            ("datagen --gmaes 1", "datagen: unknown option '--gmaes', did you mean '--games'?"),
            ("datagen joho", "datagen: unknown word 'joho'"),
            ("datagen --games", "datagen: --games: expected N"),
            ("datagen --chess960 101", "datagen: --chess960: expected 0 to 100, found '101'"),
            ("datagen --out --seed 1", "datagen: --out: expected FOLDER"),
        ] {
            assert_eq!(usage(arguments), message);
        }
        assert!(usage("book a.bin 8/8 w").starts_with("book: bad FEN"));
    }

    #[test]
    fn examples_of_tools_use_their_options() {
        for tool in TOOLS {
            let mut page = HelpPage::default();
            tool.add_help(&mut page);
            for example in tool.help.examples {
                assert!(example.starts_with(&format!("tabia {}", tool.word)), "{example}");
                for flag in example.split(' ').filter(|word| word.starts_with("--")) {
                    let is_known =
                        |(usage, _): &(String, String)| usage.split(' ').next() == Some(flag);
                    assert!(page.options.iter().any(is_known), "{example}");
                }
                // What is quoted is a position.
                for fen in example.split('"').skip(1).step_by(2) {
                    assert!(Board::from_fen(fen).is_ok(), "{example}");
                }
            }
        }
    }
}
