//! Other systems, such as a browser, which has neither files nor keys.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// False: here only Ctrl-C ends a search, and the program with it.
pub(crate) const HAS_KEYS: bool = false;

/// Returns an error: the standard library reads at an offset on Unix and Windows only.
///
/// # Errors
/// Always.
pub(crate) fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Splits a list of folders at colons: `std::env::split_paths` panics in a browser.
pub(crate) fn split_paths(paths: &str) -> impl Iterator<Item = PathBuf> {
    paths.split(':').map(PathBuf::from)
}

/// Returns whether `target` is the file `source`, under this name.
pub(crate) fn is_same_file(target: &Path, source: &Path) -> bool {
    match (target.canonicalize(), source.canonicalize()) {
        (Ok(target), Ok(source)) => target == source,
        _ => false,
    }
}

/// No-op: the next write notices a closed output.
pub(crate) fn watch_output() {}

/// Returns whether the terminal supports ANSI escape sequences.
pub(crate) fn supports_ansi() -> bool {
    true
}

/// Modes of the terminal, which cannot be set.
pub(crate) enum SingleKeys {}

impl SingleKeys {
    /// Returns `None`.
    pub(crate) fn enable() -> Option<Self> {
        None
    }
}

/// Waits for `timeout`. Returns no bytes.
///
/// # Errors
/// Never.
pub(crate) fn read_keys(timeout: Duration) -> io::Result<Vec<u8>> {
    thread::sleep(timeout);
    Ok(Vec::new())
}
