//! Reading lines from bytes, in bounded memory.

use std::io::{BufRead, ErrorKind};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// Text without the line break, with invalid UTF-8 replaced.
    Text(String),
    /// Beginning of a line that was too long.
    TooLong(String),
}

/// Maximum length of a line in bytes. A game of 6000 moves takes about 60 KB.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// Reader of lines that end with `\n`, `\r\n` or the input.
pub(super) struct LineReader<R> {
    input: R,
    max_bytes: usize,
}

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, max_bytes: MAX_LINE }
    }

    fn finished(&self, line: &[u8], length: usize) -> InputLine {
        let text = |line| String::from_utf8_lossy(line).into_owned();
        if length > self.max_bytes {
            return InputLine::TooLong(text(line));
        }
        InputLine::Text(text(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

impl<R: BufRead> Iterator for LineReader<R> {
    type Item = InputLine;

    /// Returns `None` at the end of the input and after a read error.
    fn next(&mut self) -> Option<InputLine> {
        let mut line = Vec::new();
        let mut length = 0;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    log::warn!("cannot read the input: {error}");
                    return None;
                }
            };
            if chunk.is_empty() {
                return if length == 0 { None } else { Some(self.finished(&line, length)) };
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = self.max_bytes - line.len();
            line.extend_from_slice(&part[..part.len().min(room)]);
            length = part.len().saturating_add(length);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Some(self.finished(&line, length));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(input: &[u8], max_bytes: usize) -> Vec<InputLine> {
        // A small buffer splits the lines, as a pipe does.
        let input = BufReader::with_capacity(3, input);
        LineReader { input, max_bytes }.collect()
    }

    fn text(line: &str) -> InputLine {
        InputLine::Text(line.to_owned())
    }

    #[test]
    fn all_line_breaks_are_understood() {
        assert_eq!(
            lines(b"uci\nis\r\n\nready", 100),
            [text("uci"), text("is"), text(""), text("ready")]
        );
        assert_eq!(lines(b"", 100), []);
        assert_eq!(lines(b"quit\n", 100), [text("quit")]);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(lines(b"caf\xe9\nok", 100), [text("caf\u{fffd}"), text("ok")]);
    }

    #[test]
    fn only_the_line_that_is_too_long_is_cut() {
        let cut = InputLine::TooLong("01234".to_owned());
        assert_eq!(lines(b"0123456789\nok\n01234", 5), [cut, text("ok"), text("01234")]);
    }
}
