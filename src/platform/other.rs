//! Files on other systems, such as a browser, which has none.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

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

/// Returns whether both paths lead to the same file. Hard links count as different files.
pub(crate) fn is_same_file(target: &Path, source: &Path) -> bool {
    match (target.canonicalize(), source.canonicalize()) {
        (Ok(target), Ok(source)) => target == source,
        _ => false,
    }
}
