//! Calls of Git on this repository and its worktrees.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs Git in a folder. Returns its output, or its error message.
pub(crate) fn git(folder: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git").arg("-C").arg(folder).args(words).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

pub(crate) fn head(folder: &Path) -> Result<String, String> {
    let hash = git(folder, &["rev-parse", "HEAD"])?;
    Ok(String::from_utf8_lossy(&hash).trim().to_owned())
}
