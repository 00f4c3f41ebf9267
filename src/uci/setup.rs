//! Arguments of the commands that set the engine up: `setoption`, `position` and `debug`.

use crate::engine::Command;
use crate::engine::options::OPTIONS;
use crate::engine::protocol::{PositionCommand, Start};
use crate::engine::value::{OptionError, OptionSetting};
use crate::text::{Quoted, suggest};

use super::error::{CommandError, Parsed};
use super::spelling;
use super::words::Words;

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
    let value = value.filter(|value| !value.is_empty() && !spelling::is_empty_value(value));
    let setting = OptionSetting::parse(&name.join(" "), value.as_deref());
    setting.map(Command::SetOption).map_err(|error| {
        let suggestion = match &error {
            OptionError::Unknown(name) => suggest(name, OPTIONS.iter().map(|option| option.name)),
            _ => None,
        };
        CommandError::Option { error, suggestion }
    })
}

/// Returns a command for an invalid position too: it keeps the engine from searching the old one.
pub(crate) fn parse_position(words: &mut Words<'_>) -> Parsed {
    Ok(position_of(words).map_or_else(Command::RejectPosition, Command::Position))
}

/// Parses the words after `position`, or returns what is wrong with them.
pub(crate) fn position_of(words: &mut Words<'_>) -> Result<PositionCommand, String> {
    let reject = |words: &mut Words<'_>, found: &str| {
        words.rest();
        Err(format!("expected 'startpos' or 'fen', then 'moves', found {}", Quoted(found)))
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
