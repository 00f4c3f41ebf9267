//! Errors in commands.

use std::error::Error;
use std::fmt;

use crate::engine::quoted::Quoted;
use crate::engine::value::OptionError;

/// Reason why a command, or a part of it, is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// No word of the line is a command.
    UnknownCommand {
        /// Words of the line, joined by single blanks.
        found: String,
        /// A command with a similar name.
        suggestion: Option<&'static str>,
    },
    /// The command is a tool of the command line.
    IsTool(String),
    /// A required word is missing.
    Missing {
        command: &'static str,
        /// Description of the word.
        expected: &'static str,
    },
    /// A word stands where a number is expected.
    NotANumber {
        /// Command and argument.
        place: String,
        /// The word; empty at the end of the line.
        found: String,
    },
    /// A number is out of range.
    OutOfRange { place: String, found: String, min: u64, max: u64 },
    /// A word has no meaning in this place.
    UnknownWord { command: &'static str, found: String },
    /// An option cannot be set.
    Option {
        error: OptionError,
        /// An option with a similar name.
        suggestion: Option<&'static str>,
    },
    /// A path is not valid UTF-8.
    NotUtf8 { command: &'static str, path: String },
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
            Self::IsTool(word) => {
                write!(f, "'{word}' is a tool of the command line: run 'tabia {word}'")
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
        }
    }
}

impl Error for CommandError {}
