//! PGN files that users name: reads a game for `load`, appends one for `save`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

use crate::files;
use crate::pgn::{ErrorKind, PgnError, Reader};

use super::saved_game::SavedGame;

/// Longest end of a text in bytes that [`gap_after`] looks at.
const MAX_LINE_ENDS: u64 = 3;

/// Reads a game of a file by its number, from 1. Returns it with a note if it is cut short.
///
/// # Errors
/// If the file cannot be read up to there, has no such game, or has one that cannot be played.
pub(super) fn read_game(path: &Path, number: usize) -> Result<(SavedGame, Option<String>), String> {
    let input = files::open(path).map_err(|error| error.to_string())?;
    nth_game(input, number)
}

fn nth_game(input: impl Read, number: usize) -> Result<(SavedGame, Option<String>), String> {
    // No game follows an error of the file: it is the answer for each later number.
    let is_file_error = |error: &PgnError| matches!(error.kind, ErrorKind::Io(_));
    let mut games = (1..).zip(Reader::new(input));
    let found =
        games.find(|(count, game)| *count == number || game.as_ref().is_err_and(is_file_error));
    let (_, game) = found.ok_or("there is no such game")?;
    let game = game.map_err(|error| error.to_string())?;
    let note = game.cut.as_ref().map(|fault| format!("note: {fault}; the game ends there"));
    Ok((SavedGame::of(game)?, note))
}

/// Appends a text to a file after a blank line, in place of `earlier` if the file ends with that.
/// Returns what it wrote, line ends before the text included: `earlier` of the next call.
///
/// # Errors
/// If the file is not regular, or cannot be read or written.
pub(super) fn append(path: &Path, earlier: &str, text: &str) -> io::Result<String> {
    let mut file = files::open_with(
        path,
        OpenOptions::new().read(true).write(true).create(true).truncate(false),
    )?;
    let length = file.metadata()?.len();
    let start = match length.checked_sub(earlier.len() as u64) {
        Some(start) if read_range(&mut file, start..length)? == earlier.as_bytes() => start,
        _ => length,
    };
    let end = read_range(&mut file, start.saturating_sub(MAX_LINE_ENDS)..start)?;
    let text = format!("{}{text}", gap_after(&end));
    file.seek(SeekFrom::Start(start))?;
    file.write_all(text.as_bytes())?;
    file.set_len(start + text.len() as u64)?;
    Ok(text)
}

/// Returns the line ends that make a blank line after a text with this end.
fn gap_after(end: &[u8]) -> &'static str {
    match end {
        [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    }
}

fn read_range(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    /// Input that cannot be read.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }

    #[test]
    fn an_error_of_the_file_is_told_for_each_game_after_it() {
        let error = |number| {
            let input = "1. e4 *\n\n1. d4 *\n\n".as_bytes().chain(Broken);
            nth_game(input, number).err()
        };
        assert_eq!([error(1), error(2)], [None, None]);
        for number in [3, 5] {
            let error = error(number).expect("an error");
            assert!(error.ends_with("cannot read the file: the disk is gone"), "{error}");
        }
    }

    #[test]
    fn a_game_that_cannot_be_read_counts() {
        let text = "1. e9 *\n\n1. d4 *\n\n";
        let error = |number| nth_game(text.as_bytes(), number).err().unwrap_or_default();
        assert!(error(1).starts_with("game 1, White's move 1, "), "{}", error(1));
        assert_eq!([error(2), error(3)], ["", "there is no such game"]);
    }

    #[test]
    fn a_game_is_appended_after_a_blank_line_and_replaced() {
        let path = env::temp_dir().join(format!("tabia-append-{}.pgn", process::id()));
        for (before, kept) in [
            ("", ""),
            ("1. e4 0-1", "1. e4 0-1\n\n"),
            ("1. e4 0-1\n", "1. e4 0-1\n\n"),
            ("1. e4 0-1\n\n", "1. e4 0-1\n\n"),
            ("1. e4 0-1\r\n", "1. e4 0-1\r\n\n"),
            ("1. e4 0-1\r\n\r\n", "1. e4 0-1\r\n\r\n"),
        ] {
            fs::write(&path, before).expect("room");
            let text = || fs::read_to_string(&path).expect("a text");
            let first = append(&path, "", "1. d4 Nf6 *\n\n").expect("room");
            assert_eq!(text(), format!("{kept}1. d4 Nf6 *\n\n"));
            let second = append(&path, &first, "1. d4 *\n").expect("room");
            assert_eq!(text(), format!("{kept}1. d4 *\n"));
            // What other programs have added stays.
            fs::write(&path, text() + "x").expect("room");
            append(&path, &second, "1. c4 *\n").expect("room");
            assert_eq!(text(), format!("{kept}1. d4 *\nx\n\n1. c4 *\n"));
        }
        fs::remove_file(path).expect("the file");
    }
}
