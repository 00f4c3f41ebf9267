//! Arguments of the commands that search or count: `go`, `perft`, `bench` and `genfens`.

use std::time::Duration;

use crate::datagen::GenFens;
use crate::engine::Command;
use crate::engine::options::{MAX_HASH, MAX_THREADS};
use crate::engine::protocol::{Go, JobCommand};
use crate::engine::value::parse_number;
use crate::search::Limits;
use crate::tools::bench::Bench;
use crate::types::{Color, Depth, MAX_PLY};

use super::error::{CommandError, Parsed};
use super::words::Words;

/// Arguments of `go`, with their explanations.
pub(crate) const GO_ARGUMENTS: &[(&str, &str)] = &[
    ("searchmoves MOVE …", "search only these moves"),
    ("ponder", "search on the opponent's time, until ponderhit or stop"),
    ("infinite", "search until stop"),
    ("wtime MS", "time left to White"),
    ("btime MS", "time left to Black"),
    ("winc MS", "White's increment for each move"),
    ("binc MS", "Black's increment for each move"),
    ("movestogo N", "moves to the next time control"),
    ("depth N", "search at most N plies deep"),
    ("nodes N", "search at most N nodes"),
    ("mate N", "search for a mate in N moves"),
    ("movetime MS", "search for this time"),
    ("perft DEPTH …", "count leaf nodes instead, like perft"),
];

/// Words that start an argument and end a list of root moves.
pub(crate) fn argument_words() -> impl Iterator<Item = &'static str> {
    GO_ARGUMENTS.iter().filter_map(|(usage, _)| usage.split(' ').next())
}

fn starts_argument(word: &str) -> bool {
    argument_words().any(|known| known == word)
}

/// Parses the arguments of `go`. Unknown words are errors that do not prevent the search.
pub(crate) fn parse_go(words: &mut Words<'_>) -> Parsed {
    let mut limits = Limits::default();
    let mut search_moves = Vec::new();
    let mut has_increment = false;
    while let Some(word) = words.next() {
        match word {
            "perft" => return parse_perft("go perft", words),
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "searchmoves" => {
                while words.peek().is_some_and(|word| !starts_argument(word)) {
                    search_moves.extend(words.next().map(str::to_owned));
                }
            }
            "wtime" => limits.time[Color::White] = Some(milliseconds(words, word)),
            "btime" => limits.time[Color::Black] = Some(milliseconds(words, word)),
            "winc" | "binc" => {
                let color = if word == "winc" { Color::White } else { Color::Black };
                limits.increment[color] = milliseconds(words, word);
                has_increment = true;
            }
            "movestogo" => {
                let moves = number(words, word, u32::MAX.into()) as u32;
                limits.moves_to_go = Some(moves).filter(|&moves| moves > 0);
            }
            "depth" => {
                limits.depth = Some(number(words, word, MAX_PLY as u64).max(1) as Depth);
            }
            // The best move at hand, as with depth 0: one node would be too few for it.
            "nodes" => match number(words, word, u64::MAX) {
                0 => limits.depth = Some(1),
                nodes => {
                    limits.nodes = Some(nodes);
                    limits.is_strict = true;
                }
            },
            "mate" => match number(words, word, MAX_PLY as u64) {
                // No mate is that short: search as little as possible.
                0 => limits.depth = Some(1),
                moves => limits.mate = Some(moves as u32),
            },
            "movetime" => limits.move_time = Some(milliseconds(words, word)),
            _ => words
                .errors
                .push(CommandError::UnknownWord { command: "go", found: word.to_owned() }),
        }
    }
    complete_limits(&mut limits, has_increment);
    Ok(Command::Go(Go { limits, search_moves, received: words.received }))
}

/// Makes a `go` without a limit infinite, or lets its pondering end at `ponderhit`.
fn complete_limits(limits: &mut Limits, has_increment: bool) {
    let has_limit = limits.has_clock()
        || limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.move_time.is_some();
    if has_limit {
        return;
    }
    if has_increment || limits.ponder && !limits.infinite {
        // The clock is empty, or nothing would end the search after `ponderhit`.
        limits.move_time = Some(Duration::ZERO);
    } else {
        limits.infinite = true;
    }
}

/// Parses the number after `word`, clamped to `0..=max`. An error counts as 0: a short search is
/// safer than one without the limit.
fn number(words: &mut Words<'_>, word: &str, max: u64) -> u64 {
    let found = words.peek().filter(|found| !starts_argument(found));
    if found.is_some() {
        words.next();
    }
    match found.and_then(parse_lenient) {
        Some(number) => u64::try_from(number).unwrap_or(0).min(max),
        None => {
            words.errors.push(CommandError::NotANumber {
                place: format!("go {word}"),
                found: found.unwrap_or_default().to_owned(),
            });
            0
        }
    }
}

fn milliseconds(words: &mut Words<'_>, word: &str) -> Duration {
    Duration::from_millis(number(words, word, u32::MAX.into()))
}

/// Parses an integer and drops a fraction, which some GUIs send for clocks.
fn parse_lenient(word: &str) -> Option<i64> {
    parse_number(word).or_else(|| {
        let (whole, fraction) = word.split_once('.')?;
        let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
        if digits { parse_number(whole) } else { None }
    })
}

pub(crate) const PERFT_ARGUMENTS: &str = "DEPTH [threads N] [hash MIB]";

/// Parses the arguments of `command`, which is `perft` or `go perft`.
pub(crate) fn parse_perft(command: &'static str, words: &mut Words<'_>) -> Parsed {
    if words.peek().is_none() {
        return Err(CommandError::Missing { command, expected: PERFT_ARGUMENTS });
    }
    let depth = words.number(command, 0..=MAX_PLY as u64)? as u32;
    let (mut threads, mut hash) = (None, None);
    while let Some(word) = words.peek() {
        let (place, number, max) = match word {
            "threads" => ("perft threads", &mut threads, MAX_THREADS),
            "hash" => ("perft hash", &mut hash, MAX_HASH),
            _ => break,
        };
        words.next();
        *number = Some(words.number(place, 1..=max.into())? as usize);
    }
    Ok(Command::Job(JobCommand::Perft { depth, threads, hash }))
}

pub(crate) fn parse_bench(words: &mut Words<'_>) -> Parsed {
    let mut bench = Bench::default();
    if let Some(depth) = words.optional_number("bench depth", 1..=MAX_PLY as u64)? {
        bench.depth = depth as Depth;
    }
    if let Some(threads) = words.optional_number("bench threads", 1..=MAX_THREADS.into())? {
        bench.threads = threads as usize;
    }
    if let Some(hash) = words.optional_number("bench hash", 1..=MAX_HASH.into())? {
        bench.hash = hash as usize;
    }
    Ok(Command::Job(JobCommand::Bench(bench)))
}

pub(crate) fn parse_genfens(words: &mut Words<'_>) -> Parsed {
    const COMMAND: &str = "genfens";
    let count = words.number(COMMAND, 0..=u64::MAX)?;
    let (mut seed, mut book, mut plies) = (None, None, None);
    while let Some(word) = words.peek() {
        match word {
            "seed" => {
                words.next();
                seed = Some(words.number("genfens seed", 0..=u64::MAX)?);
            }
            "plies" => {
                words.next();
                plies = Some(words.number("genfens plies", 0..=GenFens::MAX_PLIES)?);
            }
            "book" => {
                words.next();
                let path = words.path(COMMAND, "a file or 'None' after 'book'")?;
                book = Some(path).filter(|path| !path.as_os_str().eq_ignore_ascii_case("none"));
            }
            _ => {
                return Err(CommandError::UnknownWord { command: COMMAND, found: word.to_owned() });
            }
        }
    }
    let seed = seed.ok_or(CommandError::Missing { command: COMMAND, expected: "'seed S'" })?;
    let plies = plies.unwrap_or(GenFens::default_plies(book.is_some()));
    let request = GenFens { count, seed, book, plies };
    Ok(Command::Job(JobCommand::GenFens(request)))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::types::ColorMap;

    fn parse(line: &str) -> (Go, Vec<String>) {
        let arguments = line.strip_prefix("go").expect("a line with go");
        let mut words = Words::of_line(arguments, Instant::now());
        match parse_go(&mut words) {
            Ok(Command::Go(go)) => (go, words.errors.iter().map(ToString::to_string).collect()),
            _ => panic!("{line}: not a search"),
        }
    }

    fn limits(line: &str) -> Limits {
        parse(line).0.limits
    }

    #[test]
    fn a_clock_or_increments_alone_are_a_limit() {
        for line in
            ["go wtime 100", "go btime 0", "go winc 100 binc 100", "go winc 0", "go nodes 0"]
        {
            assert!(!limits(line).infinite, "{line}");
        }
        assert_eq!(limits("go winc 0").move_time, Some(Duration::ZERO));
    }

    #[test]
    fn numbers_are_clamped() {
        let limits = limits("go wtime -5 btime 99999999999999999999 depth -1 nodes -7 mate 1");
        let clocks = [Duration::ZERO, Duration::from_millis(u32::MAX.into())];
        assert_eq!(limits.time, ColorMap::new(clocks.map(Some)));
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(1), None, Some(1)));
        assert_eq!(self::limits("go depth 1000").depth, Some(MAX_PLY as Depth));
        let fraction = self::limits("go wtime 1500.75").time[Color::White];
        assert_eq!(fraction, Some(Duration::from_millis(1500)));
        assert_eq!(self::limits("go wtime 100 movestogo 0").moves_to_go, None);
    }

    #[test]
    fn mate_in_zero_is_a_search_of_one_ply() {
        let limits = limits("go mate 0");
        assert_eq!((limits.depth, limits.mate, limits.infinite), (Some(1), None, false));
    }

    #[test]
    fn unknown_words_and_bad_numbers_do_not_prevent_the_search() {
        let (Go { limits, .. }, errors) = parse("go joho wtime depth 3 nodes many");
        assert_eq!(
            errors,
            [
                "go: unknown word 'joho'",
                "go wtime: expected a number",
                "go nodes: expected a number, found 'many'",
            ]
        );
        assert_eq!((limits.depth, limits.nodes), (Some(1), None));
        assert_eq!(limits.time[Color::White], Some(Duration::ZERO));
    }

    #[test]
    fn root_moves_end_at_a_limit() {
        let (go, _) = parse("go searchmoves e2e4 0000 depth 7");
        assert_eq!(go.search_moves, ["e2e4", "0000"]);
        assert_eq!(go.limits.depth, Some(7));
    }

    #[test]
    fn a_search_without_limit_ends_with_stop_and_pondering_with_ponderhit() {
        for line in ["go", "go searchmoves e2e4", "go movestogo 40"] {
            assert!(limits(line).infinite, "{line}");
        }
        let ponder = limits("go ponder");
        assert!(!ponder.infinite && ponder.move_time == Some(Duration::ZERO));
    }
}
