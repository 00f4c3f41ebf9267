//! Words that follow `datagen` and `genfens`, which may be paths with blanks.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::engine::protocol::{CommandError, Quoted};

/// The words of a line, one after the other. What stands in double quotes is one word.
pub(super) struct Words<'a>(pub(super) &'a str);

impl<'a> Words<'a> {
    pub(super) fn next(&mut self) -> Option<&'a str> {
        let line = self.0.trim_start();
        let (word, rest) = match line.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => line.split_at(line.find(char::is_whitespace).unwrap_or(line.len())),
        };
        self.0 = rest;
        (!line.is_empty()).then_some(word)
    }

    /// The number that belongs to an option.
    pub(super) fn number(&mut self, command: &str, flag: &str) -> Result<u64, CommandError> {
        let found = self.next().unwrap_or_default();
        found.parse().map_err(|_| CommandError::NotANumber {
            place: format!("{command} {flag}"),
            found: found.to_owned(),
        })
    }

    /// A path to write to. It must have come here whole: what was not UTF-8 has been replaced.
    pub(super) fn path(
        &mut self,
        command: &'static str,
        what: &'static str,
    ) -> Result<PathBuf, CommandError> {
        let path = self.next().filter(|word| !word.is_empty() && !word.starts_with("--"));
        let path = path.ok_or(CommandError::Missing { command, what })?;
        if path.contains(char::REPLACEMENT_CHARACTER) {
            return Err(problem(command, format!("the path {} is not UTF-8", Quoted(path))));
        }
        Ok(PathBuf::from(path))
    }
}

/// A word as [`Words`] reads it.
pub(super) fn quoted(word: &str) -> Cow<'_, str> {
    if word.is_empty() || word.contains(char::is_whitespace) {
        format!("\"{word}\"").into()
    } else {
        word.into()
    }
}

/// An option of a tool that means nothing, or a value it does not take.
pub(super) fn problem(command: &'static str, problem: String) -> CommandError {
    CommandError::ToolOption { command, problem }
}
