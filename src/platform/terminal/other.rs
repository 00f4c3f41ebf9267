//! Terminals of other systems, whose keys cannot be read.

use std::io;
use std::thread;
use std::time::Duration;

/// False: here only Ctrl-C ends a search, and the program with it.
pub(crate) const HAS_KEYS: bool = false;

/// No-op: the next write notices a closed output.
pub(crate) fn watch_output() {}

/// Returns whether the terminal supports ANSI escape sequences.
pub(crate) fn supports_ansi() -> bool {
    true
}

/// Modes of the terminal, which cannot be set.
pub(crate) enum SingleKeys {}

impl SingleKeys {
    /// Returns `None`: the modes cannot be set.
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
