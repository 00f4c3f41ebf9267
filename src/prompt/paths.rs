//! Paths as players type them: `~` is the home folder, and blanks need no sign before them.

use std::fs;
use std::path::{PathBuf, is_separator};

/// Expands `~` at the start of a path, as shells do.
pub(super) fn home_expanded(path: &str) -> PathBuf {
    let rest = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match rest.zip(etcetera::home_dir().ok()) {
        Some((rest, home)) => home.join(rest.trim_start_matches('/')),
        None => path.into(),
    }
}

/// Returns where the last name of a path begins, and the names that it may become.
pub(super) fn completions(path: &str) -> (usize, Vec<String>) {
    let start = path.rfind(is_separator).map_or(0, |at| at + 1);
    let (folder, begun) = path.split_at(start);
    let folder = home_expanded(if folder.is_empty() { "." } else { folder });
    let name_of = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let is_hidden = name.starts_with('.') && begun.is_empty();
        let end = if entry.path().is_dir() { "/" } else { "" };
        (name.starts_with(begun) && !is_hidden).then(|| name + end)
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(name_of).collect();
    names.sort();
    (start, names)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = etcetera::home_dir().expect("a home folder");
        assert_eq!(home_expanded("~/a.pgn"), home.join("a.pgn"));
        assert_eq!(home_expanded("~"), home);
        assert_eq!(home_expanded("~x/a.pgn"), Path::new("~x/a.pgn"));
    }

    #[test]
    fn the_last_name_is_completed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/");
        assert_eq!(completions(&format!("{folder}data/mast")).1, ["masters.pgn", "masters.txt"]);
        assert_eq!(completions(&format!("{folder}dat")), (folder.len(), vec!["data/".to_owned()]));
        assert_eq!(completions("/nowhere/a b"), ("/nowhere/".len(), Vec::new()));
    }
}
