//! The `Debug Log File`: a copy of all input and output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A handle on the log; its clones share one file, which may be none.
#[derive(Clone, Debug, Default)]
pub struct SessionLog(Arc<Mutex<Option<File>>>);

/// Which way a line went.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the interface to the engine.
    Input,
    /// From the engine to the interface.
    Output,
}

impl SessionLog {
    /// Writes to the end of this file from now on.
    ///
    /// # Errors
    /// When the file cannot be opened for writing, or is none: a device or a pipe might block the engine. The log
    /// in use before is then kept.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        *self.file() = Some(file);
        Ok(())
    }

    /// Writes nowhere from now on.
    pub fn close(&self) {
        *self.file() = None;
    }

    /// Writes one line, if there is a file. A file that takes no more is closed.
    pub fn record(&self, direction: Direction, line: &str) {
        let mut file = self.file();
        let Some(open) = file.as_mut() else { return };
        let mark = match direction {
            Direction::Input => ">>",
            Direction::Output => "<<",
        };
        // One write for the whole line, so that a crash leaves no half of it in a buffer.
        if let Err(error) = open.write_all(format!("{mark} {line}\n").as_bytes()) {
            log::warn!("the debug log file is closed: {error}");
            *file = None;
        }
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
