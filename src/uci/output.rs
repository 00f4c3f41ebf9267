//! Standard output and standard error.

use std::io::{self, ErrorKind, Write as _};
use std::process;

/// Writes text to standard output and flushes it. A closed output ends the process.
pub(super) fn write(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe));
    }
}

/// Writes an error message to standard error.
pub(super) fn write_error(message: &str) {
    // Without standard error, the exit code still tells.
    let _ = writeln!(io::stderr().lock(), "error: {message}");
}

/// Starts a thread that ends the process when the reader of standard output closes it, also while
/// nothing is written: a program that has died leaves no engine running.
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

/// Does nothing: on this system, the next write notices a closed output.
#[cfg(not(unix))]
pub(super) fn watch() {}
