//! Bytes of a file, with look-ahead and their place.

use std::io::{self, ErrorKind, Read};

use super::error::Place;

const BUFFER_BYTES: usize = 1 << 16;

pub(super) struct ByteSource<R> {
    reader: R,
    buffer: Box<[u8]>,
    /// `buffer[start..end]` is not consumed yet.
    start: usize,
    end: usize,
    /// Number of bytes consumed.
    offset: u64,
    place: Place,
    /// True if only blanks precede the next byte on its line.
    is_line_blank: bool,
}

impl<R: Read> ByteSource<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            start: 0,
            end: 0,
            offset: 0,
            place: Place { line: 1, column: 1 },
            is_line_blank: true,
        }
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the place of the next byte.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn is_line_blank(&self) -> bool {
        self.is_line_blank
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

    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.start == self.end {
            self.fill(1)?;
        }
        Ok(self.buffer[self.start..self.end].first().copied())
    }

    pub(super) fn looking_at(&mut self, bytes: &[u8]) -> io::Result<bool> {
        self.fill(bytes.len())?;
        Ok(self.buffer[self.start..self.end].starts_with(bytes))
    }

    /// Skips a byte order mark, which does not count as a column.
    pub(super) fn skip_mark(&mut self) -> io::Result<()> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if self.looking_at(MARK)? {
            self.start += MARK.len();
            self.offset += MARK.len() as u64;
        }
        Ok(())
    }

    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let Some(byte) = self.peek()? else { return Ok(None) };
        self.start += 1;
        self.offset += 1;
        // Old files end their lines with a carriage return alone.
        let ends_line = byte == b'\n' || (byte == b'\r' && self.peek()? != Some(b'\n'));
        if ends_line {
            self.place = Place { line: self.place.line + 1, column: 1 };
            self.is_line_blank = true;
        } else {
            // Only the first byte of a character in UTF-8 counts.
            self.place.column += u64::from(byte & 0xC0 != 0x80);
            self.is_line_blank &= byte.is_ascii_whitespace();
        }
        Ok(Some(byte))
    }
}
