//! Standard output and standard error.

use std::io::{self, ErrorKind, Write as _};
use std::process;

/// Writes and flushes text. A write error ends the process, with a message unless the reader has
/// closed the pipe.
pub(super) fn write(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            process::exit(0);
        }
        write_error(&format!("cannot write to standard output: {error}"));
        process::exit(1);
    }
}

pub(super) fn write_error(message: &str) {
    // The exit code reports the failure too.
    let _ = writeln!(io::stderr().lock(), "error: {message}");
}

/// Starts a thread that ends the process once standard output is closed, even while nothing is
/// written: no engine outlives its GUI.
#[cfg(unix)]
pub(super) fn watch() {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

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
    let _ = std::thread::Builder::new().name("output".to_owned()).spawn(wait_for_close);
}

/// No-op: the next write notices a closed output.
#[cfg(not(unix))]
pub(super) fn watch() {}
