//! Arguments of a tool: words and flags such as `--nodes 1000`, in any order.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use crate::board::Board;
use crate::engine::options::{MAX_HASH, MAX_THREADS};
use crate::search::Limits;
use crate::text::Quoted;
use crate::text::suggest;
use crate::tools::SearchSetup;
use crate::types::{Depth, MAX_PLY};
use crate::uci::words::number_in;

use super::spec::{Flag, ToolError};

pub(super) const fn flag(name: &'static str, value: &'static str, help: &'static str) -> Flag {
    Flag { name: Cow::Borrowed(name), value, help: Cow::Borrowed(help) }
}

/// Fields of a FEN, which the shell may have split.
pub(super) const FEN_FIELDS: usize = 6;

pub(super) const JSON: Flag = flag("--json", "", "print JSON lines (docs/json.md)");

pub(super) static SEARCH_FLAGS: &[Flag] = &[
    flag("--nodes", "N", "nodes for each position"),
    flag("--movetime", "MS", "milliseconds for each position"),
    flag("--depth", "D", "depth in plies for each position"),
    flag("--threads", "N", "search threads (default: 1)"),
    flag("--hash", "MIB", "size of the transposition table (default: 64)"),
];

/// TT size in MiB without `--hash`.
const DEFAULT_HASH: usize = 64;
const DAY_MS: u64 = 86_400_000;

/// Returns whether an argument is a flag. A value that looks like one follows an equals sign.
fn is_flag(argument: &OsStr) -> bool {
    argument.as_encoded_bytes().starts_with(b"--")
}

#[derive(Debug)]
pub(super) struct Arguments {
    tool: &'static str,
    /// Arguments that are no flags.
    words: Vec<OsString>,
    values: Vec<(String, OsString)>,
}

impl Arguments {
    /// Parses at most `most` words and these flags, each at most once.
    pub(super) fn parse(
        tool: &'static str,
        most: usize,
        flags: &[&[Flag]],
        arguments: &[OsString],
    ) -> Result<Self, ToolError> {
        let mut parsed = Self { tool, words: Vec::new(), values: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            if !is_flag(argument) {
                if parsed.words.len() == most {
                    let word = argument.to_string_lossy();
                    return Err(parsed.usage(format!("unknown word {}", Quoted(&word))));
                }
                parsed.words.push(argument.clone());
                continue;
            }
            let text = argument.to_string_lossy();
            let (name, attached) = match text.split_once('=') {
                Some((name, _)) if argument.to_str().is_none() => {
                    return Err(parsed.usage(format!(
                        "{name}: the value is not UTF-8, give it as a separate word: {name} VALUE"
                    )));
                }
                Some((name, value)) => (name, Some(OsString::from(value))),
                None => (&*text, None),
            };
            let flag = parsed.find_flag(flags, name)?;
            if parsed.has(name) {
                return Err(parsed.usage(format!("{name} is given twice")));
            }
            let value = match (flag.value, attached) {
                ("", None) => OsString::new(),
                ("", Some(_)) => return Err(parsed.usage(format!("{name} takes no value"))),
                (expected, attached) => {
                    let next = || arguments.next().filter(|next| !is_flag(next)).cloned();
                    let value = attached.or_else(next).filter(|value| !value.is_empty());
                    value.ok_or_else(|| parsed.usage(format!("{name}: expected {expected}")))?
                }
            };
            parsed.values.push((name.to_owned(), value));
        }
        Ok(parsed)
    }

    fn find_flag<'a>(&self, flags: &[&'a [Flag]], name: &str) -> Result<&'a Flag, ToolError> {
        let flags = || flags.iter().copied().flatten();
        flags().find(|flag| flag.name == name).ok_or_else(|| {
            let hint = match suggest(name, flags().map(|flag| &*flag.name)) {
                Some(flag) => format!("did you mean '{flag}'?"),
                None => format!("'tabia {} --help' lists the options", self.tool),
            };
            self.usage(format!("unknown option {}, {hint}", Quoted(name)))
        })
    }

    pub(super) fn usage(&self, message: impl Into<String>) -> ToolError {
        ToolError::Usage(format!("{}: {}", self.tool, message.into()))
    }

    pub(super) fn failure(&self, error: impl Display) -> ToolError {
        ToolError::Failure(format!("{}: {error}", self.tool))
    }

    pub(super) fn words(&self) -> &[OsString] {
        &self.words
    }

    /// Returns the first word as a path.
    pub(super) fn file(&self, expected: &str) -> Result<PathBuf, ToolError> {
        let first = self.words.first().map(PathBuf::from);
        first.ok_or_else(|| self.usage(format!("expected {expected}")))
    }

    pub(super) fn json(&self) -> bool {
        self.has(&JSON.name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    fn value(&self, name: &str) -> Option<&OsStr> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_os_str())
    }

    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        self.value(name).map(PathBuf::from)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(|value| value.to_string_lossy().into_owned())
    }

    pub(super) fn number(
        &self,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, ToolError> {
        let place = format!("{}: {name}", self.tool);
        self.value(name).map(|value| parse_number_in(range, value, &place)).transpose()
    }

    /// Parses a word as a number; `place` names it in errors.
    pub(super) fn word_number(
        &self,
        index: usize,
        place: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, ToolError> {
        self.words.get(index).map(|word| parse_number_in(range, word, place)).transpose()
    }

    /// Parses the words from an index on as a FEN.
    pub(super) fn position(&self, from: usize) -> Result<Board, ToolError> {
        let words = self.words.iter().skip(from).map(|word| word.to_string_lossy());
        match words.collect::<Vec<_>>().join(" ").as_str() {
            "" => Err(self.usage("expected a FEN")),
            "startpos" => Ok(Board::startpos()),
            fen => Board::from_fen(fen).map_err(|error| self.usage(format!("bad FEN: {error}"))),
        }
    }

    /// Reads [`SEARCH_FLAGS`]; if they set no limit, it is `default`.
    pub(super) fn search_setup(&self, default: Limits) -> Result<SearchSetup, ToolError> {
        let nodes = self.number("--nodes", 1..=i64::MAX as u64)?;
        let move_time = self.number("--movetime", 1..=DAY_MS)?.map(Duration::from_millis);
        let depth = self.number("--depth", 1..=MAX_PLY as u64)?.map(|depth| depth as Depth);
        let limits = match (nodes, move_time, depth) {
            (None, None, None) => default,
            _ => Limits { nodes, move_time, depth, ..Limits::default() },
        };
        let threads = self.number("--threads", 1..=MAX_THREADS.into())?.unwrap_or(1);
        let hash = self.number("--hash", 1..=MAX_HASH.into())?;
        let hash = hash.map_or(DEFAULT_HASH, |hash| hash as usize);
        Ok(SearchSetup { limits, threads: threads as usize, hash })
    }
}

fn parse_number_in(
    range: RangeInclusive<u64>,
    argument: &OsStr,
    place: &str,
) -> Result<u64, ToolError> {
    let number = number_in(place, &argument.to_string_lossy(), range);
    number.map_err(|error| ToolError::Usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    static OWN: &[Flag] = &[flag("--out", "FILE", "a file"), JSON];

    fn parse(arguments: &str) -> Result<Arguments, ToolError> {
        let words: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        Arguments::parse("analyse", 1, &[OWN, SEARCH_FLAGS], &words)
    }

    #[test]
    fn flags_and_words_stand_in_any_order() {
        let parsed = parse("--nodes 500 a.pgn --json --out=b=c.pgn").expect("valid");
        assert_eq!(parsed.words(), ["a.pgn"]);
        assert_eq!(parsed.path("--out"), Some(PathBuf::from("b=c.pgn")));
        assert!(parsed.has("--json") && !parsed.has("--depth"));
        let setup = parsed.search_setup(Limits::default()).expect("valid");
        assert_eq!((setup.limits.nodes, setup.threads, setup.hash), (Some(500), 1, DEFAULT_HASH));
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let setup = parse("a.pgn").and_then(|parsed| parsed.search_setup(limits));
        assert_eq!(setup.ok().and_then(|setup| setup.limits.depth), Some(7));
    }

    #[test]
    fn errors_name_the_flag() {
        for (arguments, message) in [
            ("a.pgn b.pgn", "analyse: unknown word 'b.pgn'"),
            ("--nods 1", "analyse: unknown option '--nods', did you mean '--nodes'?"),
            ("--x", "analyse: unknown option '--x', 'tabia analyse --help' lists the options"),
            ("--out", "analyse: --out: expected FILE"),
            ("--out --json", "analyse: --out: expected FILE"),
            ("--out=", "analyse: --out: expected FILE"),
            ("--json=1", "analyse: --json takes no value"),
            ("--json --json", "analyse: --json is given twice"),
            ("--nodes x", "analyse: --nodes: expected a number, found 'x'"),
            ("--depth 0", "analyse: --depth: expected 1 to 246, found '0'"),
            ("--threads -1", "analyse: --threads: expected 1 to 1024, found '-1'"),
        ] {
            let setup = parse(arguments).and_then(|parsed| parsed.search_setup(Limits::default()));
            assert_eq!(setup.err(), Some(ToolError::Usage(message.to_owned())), "{arguments}");
        }
    }
}
