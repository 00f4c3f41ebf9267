//! Standard output and standard error.

use std::io::{self, ErrorKind, Write as _};
use std::process;

/// Writes and flushes text. A write error ends the process, with a message unless the reader has
/// closed the pipe.
pub(crate) fn write(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            process::exit(0);
        }
        write_error(&format!("cannot write to standard output: {error}"));
        process::exit(1);
    }
}

pub(crate) fn write_error(message: &str) {
    write_message(&format!("error: {message}"));
}

/// Writes a line to standard error.
pub(crate) fn write_message(text: &str) {
    // The exit code reports the failure too.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
