//! Parsers of the arguments of commands, except `go` and `perft`.

use crate::datagen::GenFens;
use crate::engine::options::{MAX_HASH, MAX_THREADS, OPTIONS, set_option};
use crate::engine::protocol::{PositionCommand, Start};
use crate::engine::value::OptionError;
use crate::engine::{Command, Engine};
use crate::text::suggest;
use crate::tools::bench::Bench;
use crate::types::{Depth, MAX_PLY};

use super::error::CommandError;
use super::notation;
use super::words::Words;

pub(crate) type Parsed = Result<Command, CommandError>;

/// Wraps an action on the engine as a command.
pub(crate) fn run(action: impl FnOnce(&mut Engine) + Send + 'static) -> Parsed {
    Ok(Command::Run(Box::new(action)))
}

/// Parses `name NAME [value VALUE]`. The first `value` ends the name; all after it is the value.
pub(crate) fn parse_set_option(words: &mut Words<'_>) -> Parsed {
    const MISSING: CommandError = CommandError::Missing {
        command: "setoption",
        expected: "'name' and the name of an option",
    };
    if !words.any(|word| word == "name") {
        return Err(MISSING);
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(MISSING);
    }
    let value = value.filter(|value| !value.is_empty() && !notation::is_empty_value(value));
    let action = set_option(&name.join(" "), value.as_deref()).map_err(|error| {
        let suggestion = match &error {
            OptionError::Unknown(name) => suggest(name, OPTIONS.iter().map(|option| option.name)),
            _ => None,
        };
        CommandError::Option { error, suggestion }
    })?;
    Ok(Command::Run(action))
}

/// Returns a command for an invalid position too: it keeps the engine from searching the old one.
pub(crate) fn parse_position(words: &mut Words<'_>) -> Parsed {
    match position_of(words) {
        Ok(position) => run(move |engine| engine.set_position(position)),
        Err(reason) => run(move |engine| engine.reject_position(reason)),
    }
}

/// Parses the words after `position`, or returns what is wrong with them.
pub(crate) fn position_of(words: &mut Words<'_>) -> Result<PositionCommand, String> {
    let reject = |words: &mut Words<'_>, found: &str| {
        words.rest();
        Err(notation::bad_position(found))
    };
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Start::Startpos,
            Some(word) => return reject(words, word),
        },
        Some("fen") => {
            let fen: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
            Start::Fen(fen.join(" "))
        }
        word => return reject(words, word.unwrap_or_default()),
    };
    Ok(PositionCommand { start, moves: words.by_ref().map(str::to_owned).collect() })
}

pub(crate) fn parse_debug(words: &mut Words<'_>) -> Parsed {
    match words.next() {
        None | Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(word) => Err(CommandError::UnknownWord { command: "debug", found: word.to_owned() }),
    }
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
    run(move |engine| engine.bench(bench))
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
    run(move |engine| engine.genfens(request))
}
