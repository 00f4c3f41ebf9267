//! Files on Linux, macOS and other Unix systems.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// Fills `bytes` from the file, beginning at the offset `at`.
///
/// # Errors
/// If reading fails, or the file ends before `bytes` is full.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(bytes, at)
}

/// Splits a list of folders as the system writes it.
pub(crate) fn split_paths(paths: &str) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(paths)
}

/// Returns whether `target` is the regular file `source`, under this name or by another link. A
/// source `-` is standard input.
pub(crate) fn is_same_file(target: &Path, source: &Path) -> bool {
    let source = if source == Path::new("-") {
        let stdin = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        stdin.and_then(|stdin| stdin.metadata())
    } else {
        fs::metadata(source)
    };
    let (Ok(source), Ok(target)) = (source, fs::metadata(target)) else { return false };
    source.is_file() && (source.dev(), source.ino()) == (target.dev(), target.ino())
}
