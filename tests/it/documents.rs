//! The links of the documents lead to files and headings that exist, and pictures that a script
//! draws from a document are current.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use crate::session::scratch;

/// Returns the documents below a folder, except in hidden folders and those of build tools.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.file_name().and_then(OsStr::to_str) {
            Some("target" | "node_modules") => Vec::new(),
            Some(name) if name.starts_with('.') => Vec::new(),
            _ if path.is_dir() => documents(&path),
            Some(name) if name.ends_with(".md") => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// Returns the lines outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns whether a document has a heading to which GitHub gives the anchor.
fn has_anchor(text: &str, anchor: &str) -> bool {
    prose(text).filter_map(|line| line.strip_prefix('#')).any(|heading| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).eq(anchor.chars())
    })
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut links = 0;
    for document in documents(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        let text = fs::read_to_string(&document).unwrap();
        let targets = prose(&text).flat_map(|line| line.split("](").skip(1));
        for target in targets.filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("https:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = document.with_file_name(file);
            let path = if file.is_empty() { &document } else { &path };
            let shown = document.display();
            assert!(path.exists(), "{shown}: no file for '{target}'");
            let is_found =
                anchor.is_empty() || has_anchor(&fs::read_to_string(path).unwrap(), anchor);
            assert!(is_found, "{shown}: no heading for '{target}'");
            links += 1;
        }
    }
    assert!(links > 100, "{links} links");
}

/// Without Python there is nothing to compare with.
#[cfg(unix)]
#[test]
fn the_picture_of_the_levels_is_drawn_from_its_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let drawn = scratch("levels.svg");
    let mut script = Command::new("python3");
    script.arg(root.join("tests/levels-curve")).arg(root.join("docs/levels.md")).arg(&drawn);
    let Ok(status) = script.status() else { return };
    assert!(status.success());
    let picture = fs::read_to_string(root.join("docs/pictures/levels.svg")).unwrap();
    assert!(picture == fs::read_to_string(&drawn).unwrap(), "see docs/levels.md for the script");
    fs::remove_file(drawn).unwrap();
}
