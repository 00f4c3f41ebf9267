//! Bounded reading of a table file.
//!
//! The file is not mapped into memory: if it shrinks or its disk is removed, reading returns an
//! error where a mapping would kill the process.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use crate::files;
use crate::platform;

/// Reason why a table cannot be used.
#[derive(Debug, Error)]
pub enum TableFileError {
    /// Reading the file failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The length in bytes is impossible for a Syzygy table.
    #[error("{0} bytes, expected a multiple of 64 plus 16")]
    Length(u64),
    /// The first bytes are not those of this kind of table.
    #[error("not a table of this kind: it begins with {0:02x?}")]
    Magic([u8; 4]),
    /// The data contradicts the format, the file name or other parts of the file.
    #[error("damaged: {0}")]
    Damaged(&'static str),
}

pub(super) struct TableFile {
    file: File,
    length: u64,
}

impl TableFile {
    pub(super) fn open(path: &Path) -> Result<Self, TableFileError> {
        let file = files::open(path)?;
        let length = file.metadata()?.len();
        // Blocks of 64 bytes and a 16-byte checksum.
        if length % 64 != 16 {
            return Err(TableFileError::Length(length));
        }
        Ok(Self { file, length })
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn reader(&self) -> Header<'_> {
        Header { input: BufReader::with_capacity(4096, &self.file), position: 0 }
    }

    pub(super) fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), TableFileError> {
        Ok(platform::read_at(&self.file, bytes, at)?)
    }

    pub(super) fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], TableFileError> {
        let mut bytes = [0; N];
        self.read(at, &mut bytes)?;
        Ok(bytes)
    }
}

/// Sequential reader of a file's header.
pub(super) struct Header<'a> {
    input: BufReader<&'a File>,
    position: u64,
}

impl Header<'_> {
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], TableFileError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.position += N as u64;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, TableFileError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, TableFileError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableFileError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Skips a byte if the offset is odd.
    pub(super) fn align(&mut self) -> Result<(), TableFileError> {
        if self.position % 2 == 1 {
            self.u8()?;
        }
        Ok(())
    }
}
