//! A table's file: read at any place, never beyond its end.
//!
//! The file is read piece by piece and not mapped into memory: that a file shrinks or its disk is pulled out gives an
//! error here, where a mapping would end the process.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Why a table is of no use.
#[derive(Debug)]
pub enum TableError {
    /// The file cannot be read, or not so far.
    Io(io::Error),
    /// A directory, a device or a pipe.
    NotAFile,
    /// No Syzygy table ends after so many bytes.
    Length(u64),
    /// It does not begin like a table of its kind.
    Magic([u8; 4]),
    /// Something that contradicts the format, the file's name or the rest of the file.
    Damaged(&'static str),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotAFile => f.write_str("not a regular file"),
            Self::Length(length) => write!(f, "cut short: no table has {length} bytes"),
            Self::Magic(bytes) => write!(f, "not a table of its kind: it begins with {bytes:02x?}"),
            Self::Damaged(what) => write!(f, "damaged: {what}"),
        }
    }
}

impl Error for TableError {}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// An open table.
pub(super) struct TableFile {
    file: File,
    length: u64,
}

impl TableFile {
    /// Opens a file whose length is that of some table.
    pub(super) fn open(path: &Path) -> Result<Self, TableError> {
        // Asked before it is opened: opening a pipe may wait for ever.
        if !fs::metadata(path)?.is_file() {
            return Err(TableError::NotAFile);
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        // Blocks of 64 bytes, and a checksum at the end.
        if length % 64 != 16 {
            return Err(TableError::Length(length));
        }
        Ok(Self { file, length })
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads it from the beginning on.
    pub(super) fn reader(&self) -> Header<'_> {
        Header { input: BufReader::with_capacity(4096, &self.file), position: 0 }
    }

    /// The bytes from a place on.
    pub(super) fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), TableError> {
        Ok(read_at(&self.file, bytes, at)?)
    }

    /// So many bytes from a place on.
    pub(super) fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], TableError> {
        let mut bytes = [0; N];
        self.read(at, &mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;
    file.read_exact_at(bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt as _;
    while !bytes.is_empty() {
        let read = file.seek_read(bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}

/// The beginning of a file, read from front to back.
pub(super) struct Header<'a> {
    input: BufReader<&'a File>,
    position: u64,
}

impl Header<'_> {
    /// Where the next byte stands.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.position += N as u64;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, TableError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, TableError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Goes on to a place with an even number.
    pub(super) fn align(&mut self) -> Result<(), TableError> {
        if self.position % 2 == 1 {
            self.u8()?;
        }
        Ok(())
    }
}
