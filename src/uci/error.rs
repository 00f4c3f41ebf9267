//! Errors in commands.

use std::error::Error;
use std::fmt;

use crate::engine::Command;
use crate::engine::value::OptionError;
use crate::text::Quoted;

/// Result of parsing the arguments of a command.
pub(crate) type Parsed = Result<Command, CommandError>;

/// Reason why a command, or a part of it, is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CommandError {
    /// No word of the line is a command.
    UnknownCommand {
        found: String,
        suggestion: Option<String>,
    },
    Missing {
        command: &'static str,
        /// Description of the word.
        expected: &'static str,
    },
    NotANumber {
        /// Command and argument.
        place: String,
        /// Empty at the end of the line.
        found: String,
    },
    OutOfRange {
        place: String,
        found: String,
        min: u64,
        max: u64,
    },
    UnknownWord {
        command: &'static str,
        found: String,
    },
    Option {
        error: OptionError,
        suggestion: Option<&'static str>,
    },
    NotUtf8 {
        command: &'static str,
        path: String,
    },
    /// Number of errors that are not listed.
    More(usize),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand { found, suggestion } => {
                write!(f, "unknown command {}", Quoted(found))?;
                match suggestion {
                    Some(word) => write!(f, ", did you mean '{word}'?"),
                    None => f.write_str(", 'help' lists the commands"),
                }
            }
            Self::Missing { command, expected } => write!(f, "{command}: expected {expected}"),
            Self::NotANumber { place, found } if found.is_empty() => {
                write!(f, "{place}: expected a number")
            }
            Self::NotANumber { place, found } => {
                write!(f, "{place}: expected a number, found {}", Quoted(found))
            }
            Self::OutOfRange { place, found, min, max } => {
                write!(f, "{place}: expected {min} to {max}, found {}", Quoted(found))
            }
            Self::UnknownWord { command, found } => {
                write!(f, "{command}: unknown word {}", Quoted(found))
            }
            Self::Option { error, suggestion: None } => error.fmt(f),
            Self::Option { error, suggestion: Some(name) } => {
                write!(f, "{error}, did you mean '{name}'?")
            }
            Self::NotUtf8 { command, path } => {
                write!(f, "{command}: the path {} is not UTF-8", Quoted(path))
            }
            Self::More(count) => write!(f, "{count} more in this line"),
        }
    }
}

impl Error for CommandError {}
