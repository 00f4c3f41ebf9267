//! The limit on the size of files (`ulimit -f`).

/// Makes a write beyond the limit an error, as on a full disk. By default its signal ends the
/// process.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library sets no signals")]
pub fn survive_file_size_limit() {
    // SAFETY: the signal is ignored, so no handler can run at a wrong moment.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Does nothing: other systems have no such limit.
#[cfg(not(unix))]
pub fn survive_file_size_limit() {}
