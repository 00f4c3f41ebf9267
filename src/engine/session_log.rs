//! `Debug Log File`: a copy of all input and output.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::files;

/// Handle to the log file, shared by its clones.
#[derive(Clone, Debug, Default)]
pub struct SessionLog(Arc<Mutex<Option<File>>>);

/// Origin of a logged line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LogDirection {
    /// From the chess program to the engine.
    Input,
    /// From the engine to the chess program.
    Output,
    /// Report of a panic, which goes to standard error too.
    Panic,
}

impl SessionLog {
    /// Opens a file and appends to it.
    ///
    /// # Errors
    /// If the file cannot be opened, or is a device or pipe, which could block the engine. The old
    /// log stays open.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        let file = files::open_with(path, OpenOptions::new().append(true).create(true))?;
        *self.file() = Some(file);
        Ok(())
    }

    /// Closes the log.
    pub fn close(&self) {
        *self.file() = None;
    }

    /// Writes a line if the log is open. A write error closes it.
    pub fn record(&self, direction: LogDirection, line: &str) {
        let mut file = self.file();
        let Some(open) = file.as_mut() else { return };
        let mark = match direction {
            LogDirection::Input => ">>",
            LogDirection::Output => "<<",
            LogDirection::Panic => "!!",
        };
        // One write per line: a crash leaves no partial line in a buffer.
        if let Err(error) = open.write_all(format!("{mark} {line}\n").as_bytes()) {
            log::warn!("debug log file closed: {error}");
            *file = None;
        }
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
