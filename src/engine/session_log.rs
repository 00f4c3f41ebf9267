//! `Debug Log File`: a copy of all input and output.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::files;

/// Handle to the log file, shared by its clones.
#[derive(Clone, Debug, Default)]
pub struct SessionLog(Arc<Mutex<LogState>>);

#[derive(Debug, Default)]
enum LogState {
    #[default]
    Closed,
    Open(File),
    /// Closed by a write error that is not reported yet.
    Failed(io::Error),
}

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
        *self.state() = LogState::Open(file);
        Ok(())
    }

    /// Closes the log.
    pub fn close(&self) {
        *self.state() = LogState::Closed;
    }

    /// Writes a line if the log is open. A write error closes it.
    pub fn record(&self, direction: LogDirection, line: &str) {
        let mut state = self.state();
        let LogState::Open(file) = &mut *state else { return };
        let mark = match direction {
            LogDirection::Input => ">>",
            LogDirection::Output => "<<",
            LogDirection::Panic => "!!",
        };
        // One write per line: a crash leaves no partial line in a buffer.
        if let Err(error) = file.write_all(format!("{mark} {line}\n").as_bytes()) {
            *state = LogState::Failed(error);
        }
    }

    /// Returns once the error that closed the log, for a report to the user.
    pub fn take_write_error(&self) -> Option<io::Error> {
        let mut state = self.state();
        match std::mem::take(&mut *state) {
            LogState::Failed(error) => Some(error),
            other => {
                *state = other;
                None
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
