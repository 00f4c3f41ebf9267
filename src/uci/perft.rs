//! Arguments of `perft`.

use std::path::Path;

use crate::engine::Command;
use crate::engine::options::{MAX_HASH, MAX_THREADS};
use crate::engine::value::parse_number;
use crate::types::MAX_PLY;

use super::error::CommandError;
use super::words::Words;

pub(crate) const ARGUMENTS: &str = "DEPTH [threads N] [hash MIB]";

/// Parses the arguments of `command`, which is `perft` or `go perft`.
pub(crate) fn parse_perft(
    command: &'static str,
    words: &mut Words<'_>,
) -> Result<Command, CommandError> {
    if words.peek().is_none() {
        return Err(CommandError::Missing { command, expected: ARGUMENTS });
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
    Ok(Command::Run(Box::new(move |engine| engine.perft(depth, threads, hash))))
}

/// Returns whether an argument is a depth rather than a suite file.
pub(crate) fn is_depth(argument: &Path) -> bool {
    argument.to_str().and_then(parse_number).is_some()
}
