//! Perft suites: files of known counts.
//!
//! A line is a position with its leaf nodes by depth: `FEN ;D1 20 ;D2 400 …`. Empty lines and `#`
//! comments are skipped.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use thiserror::Error;

use crate::board::{Board, FenError, perft};
use crate::files;
use crate::platform::Room;
use crate::text::Quoted;
use crate::tools::per_second;
use crate::types::MAX_PLY;

const MAX_MIB: u64 = 16;

/// Reason why a suite is rejected.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The suite has no positions.
    #[error("no positions found")]
    Empty,
    /// The FEN on this line (from 1) is invalid.
    #[error("line {0}: {1}")]
    Position(usize, FenError),
    /// A count on this line (from 1) is invalid.
    #[error(
        "line {0}: expected ;D<depth> <count>, for example ;D1 20, found {found}",
        found = Quoted(.1)
    )]
    Count(usize, String),
}

struct SuiteEntry {
    fen: String,
    board: Board,
    /// Depth in plies and leaf nodes, in the order of the file.
    counts: Vec<(u32, u64)>,
}

/// Checks the counts of a suite up to `max_depth` plies (`None`: all), with a line per position.
/// Returns false at the first wrong count, and when `stop` is set.
///
/// # Errors
/// If the file cannot be read or is not a suite.
pub fn run_suite(
    path: &Path,
    max_depth: Option<u32>,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, SuiteError> {
    let text = files::read_text(path, MAX_MIB).map_err(SuiteError::Io)?;
    // A position takes many times its line.
    let bytes = text.lines().count() * 2 * size_of::<SuiteEntry>();
    Room::check(bytes as u64).map_err(SuiteError::Io)?;
    check_suite(&text, max_depth, stop, sink)
}

/// Checks the counts of a suite given as text; see [`run_suite`].
///
/// # Errors
/// If the text is not a suite.
pub fn check_suite(
    text: &str,
    max_depth: Option<u32>,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, SuiteError> {
    let entries = parse_suite(text)?;
    let start = Instant::now();
    let mut total = 0;
    for (index, entry) in entries.iter().enumerate() {
        let place = format!("{}/{}", index + 1, entries.len());
        match check(entry, max_depth, stop) {
            Ok(nodes) => {
                total += nodes;
                sink(&format!("{place}: {nodes} nodes, {}", entry.fen));
            }
            Err(fault) => {
                sink(&format!("{place}: {fault}"));
                return Ok(false);
            }
        }
    }
    let elapsed = start.elapsed();
    sink(&format!(
        "{} positions correct: nodes {total} time {} ms nps {}",
        entries.len(),
        elapsed.as_millis(),
        per_second(total, elapsed)
    ));
    Ok(true)
}

/// Returns the sum of all counts, or the fault that ends the check.
fn check(entry: &SuiteEntry, max_depth: Option<u32>, stop: &AtomicBool) -> Result<u64, String> {
    let SuiteEntry { fen, board, counts } = entry;
    let mut board = board.clone();
    let mut total = 0;
    for &(depth, expected) in counts {
        if max_depth.is_some_and(|limit| depth > limit) {
            continue;
        }
        let found = perft::perft(&mut board, depth, stop).ok_or("stopped")?;
        if found != expected {
            let wrong = format!("wrong at depth {depth}: expected {expected}, found {found}");
            return Err(format!("{wrong}, {fen}"));
        }
        total += found;
    }
    Ok(total)
}

fn parse_suite(text: &str) -> Result<Vec<SuiteEntry>, SuiteError> {
    let entries = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| parse_entry(number, line))
        .collect::<Result<Vec<_>, _>>()?;
    if entries.is_empty() { Err(SuiteError::Empty) } else { Ok(entries) }
}

fn parse_entry(number: usize, line: &str) -> Result<SuiteEntry, SuiteError> {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let board = Board::from_fen(fen).map_err(|error| SuiteError::Position(number, error))?;
    let counts = fields
        .filter(|field| !field.is_empty())
        .map(|field| parse_count(field).ok_or_else(|| SuiteError::Count(number, field.to_owned())))
        .collect::<Result<Vec<_>, _>>()?;
    if counts.is_empty() {
        return Err(SuiteError::Count(number, String::new()));
    }
    Ok(SuiteEntry { fen: fen.to_owned(), board, counts })
}

/// Parses `D3 8902`.
fn parse_count(field: &str) -> Option<(u32, u64)> {
    let (depth, count) = field.strip_prefix('D')?.split_once(char::is_whitespace)?;
    Some((depth.parse().ok().filter(|depth| *depth <= MAX_PLY as u32)?, count.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn parse_error(text: &str) -> String {
        parse_suite(text).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let text = format!("# a comment\n\n{START} ;D1 20 ;D3 8902\r\n");
        let entries = parse_suite(&text).expect("a good suite");
        assert_eq!(entries[0].counts, [(1, 20), (3, 8902)]);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(parse_error("\n# nothing\n"), "no positions found");
        assert!(parse_error("\nnonsense ;D1 20").starts_with("line 2: "));
        for counts in ["", ";", ";D1", ";1 20", ";D1 twenty", ";Dx 20", ";D1 20 30"] {
            let message = parse_error(&format!("{START} {counts}"));
            assert!(
                message.starts_with("line 1: expected ;D<depth> <count>"),
                "{counts}: {message}"
            );
        }
    }
}
