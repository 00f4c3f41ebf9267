//! Characters of a file, with look-ahead and their place.

use std::io::{self, ErrorKind, Read};

use crate::files::Encoding;

use super::error::Place;

const BUFFER_BYTES: usize = 1 << 16;

/// Byte order mark. It is not text, wherever programs that join files leave it.
const MARK: char = '\u{feff}';

pub(super) struct CharSource<R> {
    reader: R,
    buffer: Box<[u8]>,
    /// `buffer[start..end]` is not consumed yet.
    start: usize,
    end: usize,
    /// Encoding of the file; `None` before its first byte.
    encoding: Option<Encoding>,
    /// Next character, with its number of bytes.
    next: Option<(char, usize)>,
    /// Encoding other than UTF-8 that was met since [`CharSource::take_encoding`], with its place.
    unusual: Option<(Encoding, Place)>,
    /// Number of bytes consumed.
    offset: u64,
    place: Place,
    /// True if only blanks precede the next character on its line.
    is_line_blank: bool,
}

impl<R: Read> CharSource<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            start: 0,
            end: 0,
            encoding: None,
            next: None,
            unusual: None,
            offset: 0,
            place: Place { line: 1, column: 1 },
            is_line_blank: true,
        }
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the place of the next character.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn is_line_blank(&self) -> bool {
        self.is_line_blank
    }

    /// Returns once the encoding of what was read since the last call, if it is not UTF-8.
    pub(super) fn take_encoding(&mut self) -> Option<(Encoding, Place)> {
        self.unusual.take()
    }

    /// Makes at least `count` bytes available, or all that are left.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        while self.end - self.start < count {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(bytes) => self.end += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns the next character without consuming it.
    pub(super) fn peek(&mut self) -> io::Result<Option<char>> {
        if self.next.is_none() {
            self.next = self.decode()?;
        }
        Ok(self.next.map(|(letter, _)| letter))
    }

    /// Decodes the next character that is no mark.
    fn decode(&mut self) -> io::Result<Option<(char, usize)>> {
        loop {
            // A program that sends games one by one may send no more than this byte now.
            self.fill(1)?;
            let Some(&byte) = self.buffer[self.start..self.end].first() else { return Ok(None) };
            if self.encoding.is_none() || !byte.is_ascii() {
                self.fill(Encoding::MAX_BYTES)?;
            }
            let bytes = &self.buffer[self.start..self.end];
            let encoding = *self.encoding.get_or_insert_with(|| Encoding::of(bytes));
            let Some((letter, length, found)) = encoding.decode(bytes) else { return Ok(None) };
            if found != Encoding::Utf8 {
                self.unusual.get_or_insert((found, self.place));
            }
            if letter != MARK {
                return Ok(Some((letter, length)));
            }
            self.start += length;
            self.offset += length as u64;
        }
    }

    /// Returns whether this text follows. It must be shorter than [`BUFFER_BYTES`] / 4.
    pub(super) fn looking_at(&mut self, text: &str) -> io::Result<bool> {
        if self.peek()? != text.chars().next() {
            return Ok(false);
        }
        self.fill(Encoding::MAX_BYTES * text.len())?;
        Ok(self.ahead().take(text.chars().count()).eq(text.chars()))
    }

    /// Returns the number of characters up to this one, if it is among the next `limit` and on this
    /// line.
    pub(super) fn distance_to(&mut self, sign: char, limit: usize) -> io::Result<Option<usize>> {
        self.fill(Encoding::MAX_BYTES * limit)?;
        let mut line = self.ahead().take(limit).take_while(|letter| !matches!(letter, '\r' | '\n'));
        Ok(line.position(|letter| letter == sign))
    }

    /// Returns the characters of the buffer that are not consumed yet.
    fn ahead(&self) -> impl Iterator<Item = char> {
        let mut rest = &self.buffer[self.start..self.end];
        let encoding = self.encoding.unwrap_or(Encoding::Utf8);
        std::iter::from_fn(move || {
            let (letter, length, _) = encoding.decode(rest)?;
            rest = &rest[length..];
            Some(letter)
        })
    }

    /// Appends the printable characters of ASCII that follow and are part of something, at most
    /// `limit`. They are most of a file, and faster to read together; [`CharSource::next`] reads
    /// the others.
    pub(super) fn read_ascii(
        &mut self,
        text: &mut String,
        limit: usize,
        is_part: impl Fn(u8) -> bool,
    ) {
        if self.encoding != Some(Encoding::Utf8) {
            return;
        }
        let rest = &self.buffer[self.start..self.end];
        let is_read = |&&byte: &&u8| matches!(byte, b' '..=b'~') && is_part(byte);
        let length = rest.iter().take(limit).take_while(is_read).count();
        if let Some(read) = rest[..length].utf8_chunks().next() {
            text.push_str(read.valid());
            self.is_line_blank &= read.valid().trim_start().is_empty();
            self.start += length;
            self.offset += length as u64;
            self.place.column += length as u64;
            self.next = None;
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<char>> {
        let Some(letter) = self.peek()? else { return Ok(None) };
        let (_, length) = self.next.take().expect("the character that was peeked");
        self.start += length;
        self.offset += length as u64;
        // Old files end their lines with a carriage return alone.
        let ends_line = letter == '\n' || (letter == '\r' && self.peek()? != Some('\n'));
        if ends_line {
            self.place = Place { line: self.place.line + 1, column: 1 };
            self.is_line_blank = true;
        } else {
            self.place.column += 1;
            self.is_line_blank &= is_blank(letter);
        }
        Ok(Some(letter))
    }
}

/// Returns whether a character stands between words: a blank of ASCII or of Unicode, the
/// end-of-file character of DOS, or a mark without a width, such as one of direction.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\0' | '\x1a' | '\u{ad}' | '\u{61c}' | '\u{180e}')
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn characters_have_their_places_in_any_encoding() {
        let text = "\u{feff}aé\r\n♘\r\u{feff}𝄞 b";
        let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
        for bytes in [text.into(), utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
            let bytes: Vec<u8> = bytes;
            let mut source = CharSource::new(Slow(&bytes));
            let mut found = String::new();
            while let Some(letter) = source.peek().expect("no error") {
                let Place { line, column } = source.place();
                assert_eq!(source.looking_at("b").expect("no error"), letter == 'b');
                assert_eq!(source.distance_to('b', 4).expect("no error").is_some(), line == 3);
                found += &format!("{letter:?}{line}.{column} ");
                source.next().expect("no error");
            }
            assert_eq!(
                found,
                "'a'1.1 'é'1.2 '\\r'1.3 '\\n'1.4 '♘'2.1 '\\r'2.2 '𝄞'3.1 ' '3.2 'b'3.3 "
            );
            assert_eq!(source.offset(), bytes.len() as u64);
            assert_eq!(source.take_encoding().is_some(), bytes != text.as_bytes());
            assert!(source.take_encoding().is_none());
        }
    }

    #[test]
    fn printable_ascii_is_read_together() {
        let mut source = CharSource::new(&b"  ab c\xC3\xA9}"[..]);
        let mut text = String::new();
        source.read_ascii(&mut text, 9, |_| true);
        assert_eq!(text, "", "nothing is known of the encoding yet");
        source.peek().expect("no error");
        source.read_ascii(&mut text, 1, |_| true);
        assert!(source.is_line_blank());
        source.read_ascii(&mut text, 9, |byte| byte != b'c');
        assert_eq!((text.as_str(), source.peek().expect("no error")), ("  ab ", Some('c')));
        assert!(!source.is_line_blank());
        source.read_ascii(&mut text, 9, |_| true);
        assert_eq!((source.place().column, source.offset()), (7, 6));
        assert_eq!((text.as_str(), source.next().expect("no error")), ("  ab c", Some('é')));
        assert_eq!((source.place().column, source.offset()), (8, 8));
    }
}
