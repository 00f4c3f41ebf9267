//! Files on Windows.

use std::fs::File;
use std::io;
use std::os::windows::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// Fills `bytes` from the file, beginning at the offset `at`.
///
/// # Errors
/// If reading fails, or the file ends before `bytes` is full.
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
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

/// Splits a list of folders as the system writes it.
pub(crate) fn split_paths(paths: &str) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(paths)
}

/// Returns whether both paths lead to the same file. Hard links count as different files.
pub(crate) fn is_same_file(target: &Path, source: &Path) -> bool {
    match (target.canonicalize(), source.canonicalize()) {
        (Ok(target), Ok(source)) => target == source,
        _ => false,
    }
}
