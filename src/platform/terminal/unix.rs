//! Terminals of Linux, macOS and other Unix systems.

use std::io;
use std::process;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// True where keys can be read without a prompt.
pub(crate) const HAS_KEYS: bool = true;

/// Starts a thread that ends the process once standard output is closed, even while nothing is
/// written: no engine outlives its GUI.
pub(crate) fn watch_output() {
    let wait_for_close = || {
        let stdout = io::stdout();
        loop {
            // Without requested events, only errors and hang-ups are reported.
            let mut outputs = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut outputs, None) {
                Ok(_) if outputs[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => {
                    process::exit(0);
                }
                Err(Errno::INTR) => {}
                Ok(_) | Err(_) => return,
            }
        }
    };
    // Without the thread, the next write notices the closed output.
    let _ = thread::Builder::new().name("output".to_owned()).spawn(wait_for_close);
}

/// Returns whether the terminal supports ANSI escape sequences.
pub(crate) fn supports_ansi() -> bool {
    true
}

/// Terminal mode in which keys arrive at once, without an echo, and Ctrl-C is one of them, until
/// this is dropped.
pub(crate) struct SingleKeys {
    usual: Termios,
}

impl SingleKeys {
    /// Returns `None` if the terminal's modes cannot be set.
    pub(crate) fn enable() -> Option<Self> {
        let stdin = io::stdin();
        let usual = tcgetattr(&stdin).ok()?;
        let mut single_keys = usual.clone();
        single_keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcsetattr(&stdin, OptionalActions::Now, &single_keys).ok()?;
        Some(Self { usual })
    }
}

impl Drop for SingleKeys {
    fn drop(&mut self) {
        // A terminal that is gone needs no modes.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.usual);
    }
}

/// Waits at most `timeout` for keys. Returns their bytes, possibly none.
///
/// # Errors
/// At the end of the input, and if reading fails.
pub(crate) fn read_keys(timeout: Duration) -> io::Result<Vec<u8>> {
    let stdin = io::stdin();
    let timeout = Timespec::try_from(timeout).ok();
    let mut bytes = [0; 256];
    let received = match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], timeout.as_ref()) {
        Ok(0) => return Ok(Vec::new()),
        Ok(_) => read(&stdin, &mut bytes),
        Err(error) => Err(error),
    };
    match received {
        Err(Errno::INTR) => Ok(Vec::new()),
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(length) => Ok(bytes[..length].to_vec()),
        Err(error) => Err(error.into()),
    }
}
