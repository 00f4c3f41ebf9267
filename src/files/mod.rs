//! Opening and reading of files that users name.
//!
//! Only regular files are opened, and only up to a limit: a wrong file can neither block nor fill
//! the memory. Some that Linux calls regular, such as `/proc/kmsg`, block until there is something
//! to read, so they are opened without blocking: reading them is an error.

mod decompression;
mod encoding;

pub(crate) use encoding::{Encoding, without_control};

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use crate::platform::Room;

/// Opens a file with these options.
///
/// # Errors
/// If the path is a directory, a device or a FIFO, or if the file cannot be opened.
pub fn open_with(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Checked first, because opening a FIFO blocks.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    without_blocking(options).open(path)
}

#[cfg(target_os = "linux")]
fn without_blocking(options: &OpenOptions) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    let mut options = options.clone();
    options.custom_flags(libc::O_NONBLOCK);
    options
}

#[cfg(not(target_os = "linux"))]
fn without_blocking(options: &OpenOptions) -> &OpenOptions {
    options
}

/// Opens a regular file for reading.
///
/// # Errors
/// If the path is no regular file or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Opens a file of any kind for reading, standard input if the path is `-`, and decompresses it.
/// Returns its size if the number of bytes that will be read is known.
///
/// # Errors
/// If the path is a folder or cannot be opened, or the program cannot decompress its format.
pub fn open_stream(path: &Path) -> io::Result<(impl BufRead + use<>, Option<u64>)> {
    let (file, size): (Box<dyn BufRead>, _) = if path == Path::new("-") {
        (Box::new(BufReader::new(io::stdin())), None)
    } else {
        let file = File::open(path)?;
        let facts = file.metadata()?;
        if facts.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        (Box::new(BufReader::new(file)), facts.is_file().then_some(facts.len()))
    };
    let (file, is_compressed) = decompression::decompressed(file)?;
    Ok((file, size.filter(|_| !is_compressed)))
}

/// Reads a regular file of at most `max_mib` MiB. A larger one is refused by its length, before
/// it is read.
///
/// # Errors
/// If the file is not regular, is larger or cannot be read.
pub fn read(path: &Path, max_mib: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > max_mib << 20 {
        return Err(too_large(max_mib));
    }
    // What is made of the bytes may take as much.
    Room::check(2 * length)?;
    read_open(&file, max_mib)
}

/// Reads a text file of at most `max_mib` MiB in UTF-8, UTF-16 or Windows-1252, without its byte
/// order mark.
///
/// # Errors
/// As for [`read`], and if the file is compressed.
pub fn read_text(path: &Path, max_mib: u64) -> io::Result<String> {
    read(path, max_mib).and_then(decoded)
}

/// Reads a text like [`read_text`], or from standard input if the path is `-`.
///
/// # Errors
/// As for [`read_text`].
pub fn read_text_or_stdin(path: &Path, max_mib: u64) -> io::Result<String> {
    if path == Path::new("-") {
        read_open(io::stdin(), max_mib).and_then(decoded)
    } else {
        read_text(path, max_mib)
    }
}

fn decoded(bytes: Vec<u8>) -> io::Result<String> {
    decompression::ensure_plain(&bytes)?;
    if !encoding::is_clean(&bytes) {
        // A byte becomes up to three, in a text that grows to twice its length.
        Room::check(6 * bytes.len() as u64)?;
    }
    Ok(encoding::decode(bytes))
}

/// Reads the rest of an open file or another input, at most `max_mib` MiB.
///
/// # Errors
/// If the rest is larger or cannot be read.
pub fn read_open(input: impl Read, max_mib: u64) -> io::Result<Vec<u8>> {
    let max_bytes = max_mib << 20;
    let mut bytes = Vec::new();
    // Limits the bytes read, as a file may grow in the meantime.
    input.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(max_mib));
    }
    Ok(bytes)
}

fn too_large(max_mib: u64) -> io::Error {
    let message = format!("larger than the maximum of {max_mib} MiB");
    io::Error::new(ErrorKind::FileTooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn files_are_opened_without_blocking() {
        use std::os::fd::AsRawFd as _;

        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/files/mod.rs");
        let file = open(&source).expect("this file");
        let facts = fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd()));
        let facts = facts.expect("the facts of an open file");
        let flags = facts.lines().find_map(|line| line.strip_prefix("flags:")).expect("flags");
        let flags = i32::from_str_radix(flags.trim(), 8).expect("an octal number");
        assert_ne!(flags & libc::O_NONBLOCK, 0, "{facts}");
    }

    #[test]
    fn files_above_the_limit_and_folders_are_rejected() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/files/mod.rs");
        assert!(read_text(&source, 1).expect("this file").starts_with("//! Opening"));
        let message = |path: &Path, max| read(path, max).expect_err("no such file").to_string();
        assert_eq!(message(&source, 0), "larger than the maximum of 0 MiB");
        assert_eq!(message(source.parent().expect("src"), 1), "not a regular file");
        let missing = read(&source.with_extension("none"), 1).map_err(|error| error.kind());
        assert_eq!(missing, Err(ErrorKind::NotFound));
    }
}
