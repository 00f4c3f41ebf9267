//! Opening and reading of files that users name.
//!
//! Only regular files are opened: opening a FIFO can block forever, and a device may have no end.
//! Reading has a limit, so that a wrong file cannot fill the memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// Opens a file with these options. A path that exists must be a regular file.
///
/// # Errors
/// If the path is a directory, a device or a FIFO, or if the file cannot be opened.
pub fn open_with(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Checked before opening, which blocks on a FIFO.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    options.open(path)
}

/// Opens a regular file for reading.
///
/// # Errors
/// If the path is no regular file, or if the file cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Reads a regular file of at most `max_mib` MiB.
///
/// # Errors
/// If the path is no regular file, or if the file cannot be read or is larger.
pub fn read(path: &Path, max_mib: u64) -> io::Result<Vec<u8>> {
    read_open(&open(path)?, max_mib)
}

/// Reads a regular file of at most `max_mib` MiB that contains UTF-8 text.
///
/// # Errors
/// If the path is no regular file, or if the file cannot be read, is larger or is not UTF-8 text.
pub fn read_text(path: &Path, max_mib: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "not UTF-8 text");
    String::from_utf8(read(path, max_mib)?).map_err(not_text)
}

/// Reads the rest of an open file, which may have at most `max_mib` MiB.
///
/// # Errors
/// If the file cannot be read or is larger.
pub fn read_open(file: &File, max_mib: u64) -> io::Result<Vec<u8>> {
    let max_bytes = max_mib << 20;
    let mut bytes = Vec::new();
    // Limits the bytes read and not the file's length, which may grow in the meantime.
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("larger than the maximum of {max_mib} MiB");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_above_the_limit_and_folders_are_rejected() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/files.rs");
        assert!(read_text(&source, 1).expect("this file").starts_with("//! Opening"));
        let message = |path: &Path, max| read(path, max).expect_err("no such file").to_string();
        assert_eq!(message(&source, 0), "larger than the maximum of 0 MiB");
        assert_eq!(message(source.parent().expect("src"), 1), "not a regular file");
        let missing = read(&source.with_extension("none"), 1).map_err(|error| error.kind());
        assert_eq!(missing, Err(ErrorKind::NotFound));
    }
}
