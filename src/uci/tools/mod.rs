//! Tools that only the command line runs.

mod analyse;
mod arguments;
mod epd;
mod positions;
mod spec;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::Board;
use crate::book::{self, Book};
use crate::datagen::{self, GameOptions, RunOptions};
use crate::engine::options::MAX_THREADS;
use crate::engine::quoted::Quoted;
use crate::engine::value::parse_number;
use crate::tools::{keys, perft, selftest, speedtest};
use crate::types::MAX_PLY;
use crate::uci::suggest::suggest;

use spec::{Help, Sink};
pub(super) use spec::{ToolError, ToolSpec};

/// All tools of the command line.
pub(super) static TOOLS: &[&ToolSpec] = &[
    &analyse::SPEC,
    &epd::SPEC,
    &positions::MATE,
    &positions::EXPLAIN,
    &positions::TB,
    &ToolSpec {
        word: "perft",
        arguments: "FILE [DEPTH]",
        help: "check the counts of a perft suite",
        options: Help::Flags {
            flags: &[],
            notes: &[],
            examples: &["tabia perft perft/standard.epd 5"],
        },
        run: run_suite,
    },
    &ToolSpec {
        word: "selftest",
        arguments: "",
        help: "check that this build works on this machine",
        options: Help::Flags { flags: &[], notes: &[], examples: &["tabia selftest"] },
        run: run_selftest,
    },
    &ToolSpec {
        word: "datagen",
        arguments: "[--help] [--OPTION NUMBER …] [--out FOLDER]",
        help: "play games against itself as training data",
        options: Help::Page(datagen::Options::help),
        run: run_datagen,
    },
    &ToolSpec {
        word: "book",
        arguments: "FILE [FEN|startpos]",
        help: "list the moves of an opening book",
        options: Help::Flags {
            flags: &[],
            notes: &[],
            examples: &["tabia book openings.bin startpos"],
        },
        run: run_book,
    },
    &ToolSpec {
        word: "keys",
        arguments: "[POSITIONS]",
        help: "show statistics on the Zobrist keys",
        options: Help::Flags { flags: &[], notes: &[], examples: &["tabia keys 1000000"] },
        run: run_keys,
    },
    &ToolSpec {
        word: "speedtest",
        arguments: "[THREADS [SECONDS]]",
        help: "measure the speed of the search on this machine",
        options: Help::Flags {
            flags: &[],
            notes: &["Without arguments, it uses all processors for 20 seconds."],
            examples: &["tabia speedtest 8 60"],
        },
        run: run_speedtest,
    },
];

/// Finds a tool by its word.
pub(super) fn find(word: &str) -> Option<&'static ToolSpec> {
    TOOLS.iter().copied().find(|spec| spec.word == word)
}

/// Stop flag of the tools. It is never set: a signal ends the process.
static STOP: AtomicBool = AtomicBool::new(false);

fn run_suite(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let usage = |message: String| ToolError::Usage(format!("perft: {message}"));
    let [file, rest @ ..] = arguments else {
        return Err(usage("expected a depth or a file".to_owned()));
    };
    let path = Path::new(file);
    if !path.exists() {
        let found = file.to_string_lossy();
        let message = format!("expected a depth or an existing file, found {}", Quoted(&found));
        return Err(usage(message));
    }
    let max_depth = match rest {
        [] => None,
        [depth] => Some(number("perft depth", depth, 0, MAX_PLY as i64)? as u32),
        [_, word, ..] => return Err(unknown_word("perft", word)),
    };
    perft::run_suite(path, max_depth, &STOP, sink)
        .map_err(|error| ToolError::Failure(format!("perft {}: {error}", path.display())))
}

fn run_selftest(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    match arguments {
        [] => Ok(selftest::run(&STOP, sink)),
        [word, ..] => Err(unknown_word("selftest", word)),
    }
}

fn run_keys(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    const DEFAULT_POSITIONS: usize = 1_000_000;
    /// Subsets of 5 keys take 15 seconds.
    const LARGEST_SUBSET: usize = 4;
    let positions = match arguments {
        [] => DEFAULT_POSITIONS,
        [positions] => number("keys", positions, 1, keys::MAX_POSITIONS as i64)? as usize,
        [_, word, ..] => return Err(unknown_word("keys", word)),
    };
    keys::report(positions, LARGEST_SUBSET, &STOP, sink);
    Ok(true)
}

fn run_speedtest(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    const DEFAULT_SECONDS: i64 = 20;
    const MAX_SECONDS: i64 = 86_400;
    let (threads, seconds) = match arguments {
        [] => (None, None),
        [threads] => (Some(threads), None),
        [threads, seconds] => (Some(threads), Some(seconds)),
        [_, _, word, ..] => return Err(unknown_word("speedtest", word)),
    };
    let threads = match threads {
        Some(threads) => number("speedtest threads", threads, 1, MAX_THREADS.into())? as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let seconds = match seconds {
        Some(seconds) => number("speedtest seconds", seconds, 1, MAX_SECONDS)?,
        None => DEFAULT_SECONDS,
    };
    speedtest(threads, Duration::from_secs(seconds as u64), sink)
        .map(|()| true)
        .map_err(|error| ToolError::Failure(format!("speedtest: {error}")))
}

fn run_book(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let [file, rest @ ..] = arguments else {
        return Err(ToolError::Usage("book: expected a file".to_owned()));
    };
    let fen = rest.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let board = match fen.as_str() {
        "" | "startpos" => Board::startpos(),
        fen => Board::from_fen(fen)
            .map_err(|error| ToolError::Usage(format!("book: bad FEN: {error}")))?,
    };
    let path = Path::new(file);
    let name = path.display();
    let book =
        Book::open(path).map_err(|error| ToolError::Failure(format!("book {name}: {error}")))?;
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

fn run_datagen(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    datagen::run(&parse_datagen(arguments)?, &STOP, sink)
        .map_err(|error| ToolError::Failure(format!("datagen: {error}")))
}

/// Parses `--OPTION NUMBER` and `--out FOLDER` in any order.
fn parse_datagen(arguments: &[OsString]) -> Result<datagen::Options, ToolError> {
    let usage = |message: String| ToolError::Usage(format!("datagen: {message}"));
    let mut options = datagen::Options::default();
    let mut arguments = arguments.iter();
    while let Some(flag) = arguments.next() {
        let flag = flag.to_string_lossy();
        if flag == "--out" {
            let folder = arguments.next().filter(|folder| !folder.is_empty());
            let folder = folder.filter(|folder| !folder.to_string_lossy().starts_with("--"));
            options.out = match folder {
                Some(folder) => Some(PathBuf::from(folder)),
                None => return Err(usage("--out: expected a folder".to_owned())),
            };
            continue;
        }
        if !datagen::Options::has(&flag) {
            let flags: Vec<String> = (GameOptions::TABLE.iter().map(|spec| spec.flag()))
                .chain(RunOptions::TABLE.iter().map(|spec| spec.flag()))
                .collect();
            let hint = match suggest(&flag, flags.iter().map(String::as_str)) {
                Some(flag) => format!("did you mean '{flag}'?"),
                None => "'tabia datagen --help' lists the options".to_owned(),
            };
            return Err(usage(format!("unknown option {}, {hint}", Quoted(&flag))));
        }
        let value = arguments.next().map(|value| value.to_string_lossy()).unwrap_or_default();
        let number = value
            .parse()
            .map_err(|_| usage(format!("{flag}: expected a number, found {}", Quoted(&value))))?;
        options.set(&flag, number).map_err(usage)?;
    }
    Ok(options)
}

/// Parses an argument as a number in a range.
fn number(place: &str, argument: &OsString, min: i64, max: i64) -> Result<i64, ToolError> {
    let found = argument.to_string_lossy();
    let usage = |expected: String| {
        let found = Quoted(&found);
        Err(ToolError::Usage(format!("{place}: expected {expected}, found {found}")))
    };
    match parse_number(&found) {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        Some(_) => usage(format!("{min} to {max}")),
        None => usage("a number".to_owned()),
    }
}

fn unknown_word(tool: &str, word: &OsString) -> ToolError {
    ToolError::Usage(format!("{tool}: unknown word {}", Quoted(&word.to_string_lossy())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a tool with arguments that it does not understand.
    fn usage(arguments: &str) -> String {
        let mut words = arguments.split(' ').map(OsString::from);
        let word = words.next().unwrap_or_default();
        let spec = find(&word.to_string_lossy()).expect("a tool");
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
            ("keys -1", "keys: expected 1 to 50000000, found '-1'"),
            ("selftest now", "selftest: unknown word 'now'"),
            ("datagen --gmaes 1", "datagen: unknown option '--gmaes', did you mean '--games'?"),
            (
                "datagen joho",
                "datagen: unknown option 'joho', 'tabia datagen --help' lists the options",
            ),
            ("datagen --games", "datagen: --games: expected a number, found ''"),
            ("datagen --chess960 101", "datagen: --chess960 takes 0 to 100"),
            ("datagen --out --seed 1", "datagen: --out: expected a folder"),
        ] {
            assert_eq!(usage(arguments), message);
        }
        assert!(usage("book a.bin 8/8 w").starts_with("book: bad FEN"));
    }

    #[test]
    fn every_tool_explains_itself_in_80_columns() {
        for tool in TOOLS {
            let page = tool.help_page();
            assert!(page.contains(&format!("tabia {}", tool.word)) || tool.word == "datagen");
            let widest = page.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(80) || tool.word == "datagen", "{page}");
        }
    }

    #[test]
    fn datagen_options_are_parsed() {
        let words = ["--games", "10", "--win-score", "2000", "--out", "a  b"].map(OsString::from);
        let options = parse_datagen(&words).expect("valid");
        assert_eq!((options.run.games, options.game.win_score), (10, 2000));
        assert_eq!(options.out, Some(PathBuf::from("a  b")));
    }
}
