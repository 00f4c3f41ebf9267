//! The words of `go`.

use std::fmt;
use std::time::{Duration, Instant};

use crate::engine::options::parse_number;
use crate::engine::protocol::{Command, CommandError, Go};
use crate::search::Limits;
use crate::types::{Color, Depth, MAX_PLY};
use crate::uci::command::{parse_perft, split_word};

/// The words of `go` that begin a limit; they end a list of root moves.
const GO_WORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

/// Reads what follows `go`. A word that makes no sense is named in `errors` and skipped: it must not cost the search.
pub(super) fn parse_go(
    rest: &str,
    received: Instant,
    errors: &mut Vec<CommandError>,
) -> Result<Command, CommandError> {
    let mut go = Go { limits: Limits::default(), search_moves: Vec::new(), received };
    let mut words = GoWords { rest, errors };
    let mut has_increment = false;
    while let Some(word) = words.next() {
        let limits = &mut go.limits;
        match word {
            "perft" => return parse_perft("go perft", words.rest),
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "searchmoves" => {
                while words.peek().is_some_and(|word| !GO_WORDS.contains(&word)) {
                    go.search_moves.extend(words.next().map(str::to_owned));
                }
            }
            "wtime" => limits.time[Color::White] = Some(words.milliseconds(word)),
            "btime" => limits.time[Color::Black] = Some(words.milliseconds(word)),
            "winc" | "binc" => {
                let color = if word == "winc" { Color::White } else { Color::Black };
                limits.increment[color] = words.milliseconds(word);
                has_increment = true;
            }
            "movestogo" => {
                limits.moves_to_go =
                    Some(words.number(word, u32::MAX.into()) as u32).filter(|&n| n > 0);
            }
            "depth" => limits.depth = Some(words.number(word, MAX_PLY as u64).max(1) as Depth),
            "nodes" => limits.nodes = Some(words.number(word, u64::MAX)),
            "mate" => limits.mate = Some(words.number(word, MAX_PLY as u64).max(1) as u32),
            "movetime" => limits.move_time = Some(words.milliseconds(word)),
            _ => words.errors.push(CommandError::UnknownGoWord(word.to_owned())),
        }
    }
    complete_limits(&mut go.limits, has_increment);
    Ok(Command::Go(go))
}

/// Gives a `go` without a limit its plainest meaning.
fn complete_limits(limits: &mut Limits, has_increment: bool) {
    let has_clock = Color::ALL
        .into_iter()
        .any(|color| limits.time[color].is_some() || !limits.increment[color].is_zero());
    let has_limit = has_clock
        || limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.move_time.is_some();
    if has_limit {
        return;
    }
    if has_increment || limits.ponder && !limits.infinite {
        // An empty clock; or pondering, which has its answer ready when the expected move comes, for nothing would end
        // the search after that.
        limits.move_time = Some(Duration::ZERO);
    } else {
        limits.infinite = true;
    }
}

/// The words of a `go`, with a place for what is wrong with them.
struct GoWords<'a, 'e> {
    rest: &'a str,
    errors: &'e mut Vec<CommandError>,
}

impl<'a> GoWords<'a, '_> {
    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = split_word(self.rest)?;
        self.rest = rest;
        Some(word)
    }

    fn peek(&self) -> Option<&'a str> {
        split_word(self.rest).map(|(word, _)| word)
    }

    /// The number that follows `place`, held to 0 … `max`. One that cannot be read counts as 0: as little as possible
    /// is a safer answer to a broken limit than a search without that limit.
    fn number(&mut self, place: &str, max: u64) -> u64 {
        let word = self.peek().filter(|word| !GO_WORDS.contains(word));
        if word.is_some() {
            self.next();
        }
        match word.and_then(parse_lenient) {
            Some(number) => u64::try_from(number).unwrap_or(0).min(max),
            None => {
                self.errors.push(CommandError::NotANumber {
                    place: format!("go {place}"),
                    found: word.unwrap_or_default().to_owned(),
                });
                0
            }
        }
    }

    fn milliseconds(&mut self, place: &str) -> Duration {
        Duration::from_millis(self.number(place, u32::MAX.into()))
    }
}

/// A whole number, or one with a fraction, which some interfaces send for their clocks; the fraction is dropped.
fn parse_lenient(word: &str) -> Option<i64> {
    parse_number(word).or_else(|| {
        let (whole, fraction) = word.split_once('.')?;
        let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
        if digits { parse_number(whole) } else { None }
    })
}

/// The line that is read as this search.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.limits;
        f.write_str("go")?;
        if limits.ponder {
            f.write_str(" ponder")?;
        }
        if limits.infinite {
            f.write_str(" infinite")?;
        }
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
        let increment = |color| Some(limits.increment[color]).filter(|time| !time.is_zero());
        let numbers = [
            ("wtime", milliseconds(limits.time[Color::White])),
            ("btime", milliseconds(limits.time[Color::Black])),
            ("winc", milliseconds(increment(Color::White))),
            ("binc", milliseconds(increment(Color::Black))),
            ("movestogo", limits.moves_to_go.map(u64::from)),
            ("depth", limits.depth.map(|depth| depth as u64)),
            ("nodes", limits.nodes),
            ("mate", limits.mate.map(u64::from)),
            ("movetime", milliseconds(limits.move_time)),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ColorMap;
    use crate::uci::command::parse;

    fn limits(line: &str) -> Limits {
        match parse(line, Instant::now()).pop() {
            Some(Command::Go(go)) => go.limits,
            other => panic!("{line}: {other:?}"),
        }
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
    fn negative_and_huge_numbers_are_held_to_their_range() {
        let limits = limits("go wtime -5 btime 99999999999999999999 depth -1 nodes -7 mate 0");
        let clocks = [Duration::ZERO, Duration::from_millis(u32::MAX.into())];
        assert_eq!(limits.time, ColorMap::new(clocks.map(Some)));
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(1), Some(0), Some(1)));
        assert_eq!(self::limits("go depth 1000").depth, Some(MAX_PLY as Depth));
        assert_eq!(
            self::limits("go wtime 1500.75").time[Color::White].unwrap_or_default().as_millis(),
            1500
        );
        assert_eq!(self::limits("go wtime 100 movestogo 0").moves_to_go, None);
    }

    #[test]
    fn a_bad_word_costs_no_search() {
        let commands = parse("go joho wtime depth 3 nodes many", Instant::now());
        let texts: Vec<_> = commands.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "(go: unknown word 'joho' skipped)",
                "(go wtime: a number is missing)",
                "(go nodes: 'many' is not a number)",
                "go wtime 0 depth 3 nodes 0",
            ]
        );
    }

    #[test]
    fn a_search_without_limit_ends_with_stop_and_pondering_with_the_hit() {
        assert!(limits("go").infinite);
        assert!(limits("go searchmoves e2e4").infinite);
        assert!(limits("go movestogo 40").infinite);
        let ponder = limits("go ponder");
        assert!(!ponder.infinite && ponder.move_time == Some(Duration::ZERO));
    }
}
