//! Errors in commands.

use thiserror::Error;

use crate::board::FenError;
use crate::engine::Command;
use crate::engine::value::OptionError;
use crate::text::Quoted;

/// Result of parsing the arguments of a command.
pub(crate) type Parsed = Result<Command, CommandError>;

/// Reason why a command, or a part of it, is not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum CommandError {
    /// No word of the line is a command.
    #[error(
        "unknown command {}{}",
        Quoted(.found),
        suggestion_text(.suggestion.as_deref(), ", 'help' lists the commands")
    )]
    UnknownCommand { found: String, suggestion: Option<String> },
    #[error("{command}: expected {expected}")]
    Missing {
        command: &'static str,
        /// Description of the word.
        expected: &'static str,
    },
    #[error("{place}: expected a number{}", found_text(.found))]
    NotANumber {
        /// Command and argument.
        place: String,
        /// Empty at the end of the line.
        found: String,
    },
    #[error("{place}: expected {min} to {max}, found {}", Quoted(.found))]
    OutOfRange { place: String, found: String, min: u64, max: u64 },
    #[error("{command}: unknown word {}", Quoted(.found))]
    UnknownWord { command: &'static str, found: String },
    #[error("{error}{}", suggestion_text(*.suggestion, ""))]
    Option { error: OptionError, suggestion: Option<&'static str> },
    #[error("{command}: the path {} is not UTF-8", Quoted(.path))]
    NotUtf8 { command: &'static str, path: String },
    #[error("{command}: bad FEN: {error}")]
    Fen { command: &'static str, error: FenError },
    /// Number of errors that are not listed.
    #[error("{0} more in this line")]
    More(usize),
}

/// Returns `, found '…'`, or nothing at the end of a line.
fn found_text(found: &str) -> String {
    if found.is_empty() { String::new() } else { format!(", found {}", Quoted(found)) }
}

/// Returns `, did you mean '…'?`, or `otherwise` without a suggestion.
fn suggestion_text(suggestion: Option<&str>, otherwise: &str) -> String {
    suggestion.map_or(otherwise.to_owned(), |word| format!(", did you mean '{word}'?"))
}
