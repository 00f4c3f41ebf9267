//! Files of the games against the engine, so that none is lost: one for each game, in a folder of
//! the user's data, written whole after every move.
//!
//! This module handles texts and knows neither chess nor the terminal. A text is written under
//! another name and renamed, so a file is whole at any moment. A file has one writer: the autosaver
//! that created it, or that took it over under a name of its own. The word `save` writes other
//! files: `pgn_file.rs`.

use std::cmp::Reverse;
use std::env;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use thiserror::Error;

use crate::files::read_text;
use crate::text::ShownPath;

use super::calendar::time_stamp;

/// Environment variable that names another folder, or is [`OFF`].
const VARIABLE: &str = "TABIA_GAMES";
const OFF: &str = "off";
const EXTENSION: &str = "pgn";
/// Maximum size of a file in MiB.
const MAX_MIB: u64 = 1;

/// Reason why a game cannot be saved.
#[derive(Debug, Error)]
pub(super) enum AutosaveError {
    #[error("there is no home folder, and {VARIABLE} names none")]
    NoHome,
    #[error("{}: {}", ShownPath(.0), .1)]
    File(PathBuf, io::Error),
}

#[derive(Clone)]
enum Folder {
    Off,
    NoHome,
    At(PathBuf),
}

/// Saves the game in progress to a file, and finds those of earlier games.
pub(super) struct Autosaver {
    folder: Folder,
    /// File of the game in progress; `None` before its first text.
    file: Option<PathBuf>,
    /// True if the last text could not be written.
    has_failed: bool,
}

/// Files of the folder besides that of the game in progress.
pub(super) struct Contents<T> {
    /// Games in progress, the last one written first.
    pub(super) games: Vec<AutosavedGame<T>>,
    /// Files that are not such games, renamed so that they are not read again.
    pub(super) rejected: Vec<RejectedFile>,
}

pub(super) struct AutosavedGame<T> {
    path: PathBuf,
    written: SystemTime,
    pub(super) game: T,
}

impl<T> AutosavedGame<T> {
    /// Returns the time since the last move.
    pub(super) fn age(&self) -> Duration {
        self.written.elapsed().unwrap_or_default()
    }
}

pub(super) struct RejectedFile {
    path: PathBuf,
    reason: String,
    renamed: io::Result<PathBuf>,
}

impl fmt::Display for RejectedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, reason, renamed } = self;
        write!(f, "{} is not a game that can be resumed ({reason})", ShownPath(path))?;
        match renamed {
            Ok(new) => write!(f, "; it is now {}", ShownPath(new)),
            Err(error) => write!(f, " and cannot be renamed: {error}"),
        }
    }
}

impl Autosaver {
    /// Uses the folder that `TABIA_GAMES` names, or one in the user's data folder.
    pub(super) fn of_environment() -> Self {
        let folder = match env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
            Some(value) if value == OFF => Folder::Off,
            Some(value) => Folder::At(value.into()),
            None => choose_native_strategy().map_or(Folder::NoHome, |strategy| {
                Folder::At(strategy.data_dir().join("tabia").join("games"))
            }),
        };
        Self { folder, file: None, has_failed: false }
    }

    /// Returns the folder of the games, if they are saved.
    pub(super) fn folder(&self) -> Option<&Path> {
        match &self.folder {
            Folder::At(path) => Some(path),
            Folder::Off | Folder::NoHome => None,
        }
    }

    /// Begins another game, which gets a file of its own.
    pub(super) fn begin(&mut self) {
        self.file = None;
        self.has_failed = false;
    }

    /// Returns whether the last text of the game in progress is in its file.
    pub(super) fn is_saved(&self) -> bool {
        self.file.is_some() && !self.has_failed
    }

    /// Returns whether the game in progress has a file, even if its last text is not in it.
    pub(super) fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Replaces the text of the game in progress.
    ///
    /// # Errors
    /// If the text cannot be written, unless the one before could not be written either.
    pub(super) fn write(&mut self, text: &str) -> Result<(), AutosaveError> {
        let result = self.try_write(text);
        let had_failed = mem::replace(&mut self.has_failed, result.is_err());
        if had_failed { Ok(()) } else { result }
    }

    fn try_write(&mut self, text: &str) -> Result<(), AutosaveError> {
        let folder = match &self.folder {
            Folder::Off => return Ok(()),
            Folder::NoHome => return Err(AutosaveError::NoHome),
            Folder::At(path) => path,
        };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(reserve(folder)?),
        };
        replace(file, text).map_err(|error| AutosaveError::File(file.clone(), error))
    }

    /// Reads the other games of the folder. `parse` returns `None` for one that is finished, and
    /// an error for a text that is no game: its file is renamed.
    ///
    /// # Errors
    /// If the folder cannot be read. One that does not exist is empty.
    pub(super) fn others<T>(
        &self,
        parse: impl Fn(&str) -> Result<Option<T>, String>,
    ) -> Result<Contents<T>, AutosaveError> {
        let mut contents = Contents { games: Vec::new(), rejected: Vec::new() };
        let Some(folder) = self.folder() else { return Ok(contents) };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(contents),
            Err(error) => return Err(AutosaveError::File(folder.to_owned(), error)),
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_game = path.extension().is_some_and(|extension| extension == EXTENSION);
            if !is_game || self.file.as_ref() == Some(&path) {
                continue;
            }
            let parsed = match read_text(&path, MAX_MIB) {
                // Another program has taken it over.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                // Another program has reserved the name.
                Ok(text) if text.is_empty() => continue,
                Ok(text) => parse(&text),
                Err(error) => Err(error.to_string()),
            };
            let written = fs::metadata(&path).and_then(|facts| facts.modified());
            let written = written.unwrap_or(SystemTime::UNIX_EPOCH);
            match parsed {
                Ok(Some(game)) => contents.games.push(AutosavedGame { path, written, game }),
                Ok(None) => {}
                Err(reason) => {
                    let renamed = set_aside(&path);
                    contents.rejected.push(RejectedFile { path, reason, renamed });
                }
            }
        }
        contents.games.sort_by_key(|game| Reverse((game.written, game.path.clone())));
        Ok(contents)
    }

    /// Makes another game the one in progress. Its file gets a new name, so that a second program
    /// cannot take it too. Where no file can be created, the game goes on without one.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub(super) fn take<T>(&mut self, kept: AutosavedGame<T>) -> Result<T, AutosaveError> {
        let folder = kept.path.parent().unwrap_or(Path::new(""));
        let Ok(file) = reserve(folder) else {
            self.begin();
            return Ok(kept.game);
        };
        if let Err(error) = fs::rename(&kept.path, &file) {
            let _unused = fs::remove_file(file);
            return Err(AutosaveError::File(kept.path, error));
        }
        self.begin();
        self.file = Some(file);
        Ok(kept.game)
    }
}

/// Creates an empty file whose name no program has used, and the folder if it does not exist.
fn reserve(folder: &Path) -> Result<PathBuf, AutosaveError> {
    fs::create_dir_all(folder).map_err(|error| AutosaveError::File(folder.to_owned(), error))?;
    loop {
        // With the time, the name of a file that was taken over is not used again.
        let path = folder.join(format!("{}.{EXTENSION}", time_stamp()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(AutosaveError::File(path, error)),
        }
    }
}

/// Replaces a file: at any moment it has the old text or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().inspect_err(|_| _ = fs::remove_file(&new))
}

/// Renames a file so that it is not read again. Returns its new path.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    // No file is replaced.
    while {
        name.push(".aside");
        fs::exists(&name)?
    } {}
    fs::rename(path, &name)?;
    Ok(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folder of a test, which is removed at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("tabia-{name}-{}", std::process::id()));
            let _earlier = fs::remove_dir_all(&path);
            Self(path)
        }

        fn autosaver(&self) -> Autosaver {
            Autosaver { folder: Folder::At(self.0.clone()), file: None, has_failed: false }
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).expect("a folder").flatten();
            let mut names: Vec<_> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _unused = fs::remove_dir_all(&self.0);
        }
    }

    /// A text is a game unless it begins with `x`, and finished if it ends with a dot.
    fn parse(text: &str) -> Result<Option<String>, String> {
        if text.starts_with('x') {
            return Err("it is no game".to_owned());
        }
        Ok((!text.ends_with('.')).then(|| text.to_owned()))
    }

    fn texts(contents: &Contents<String>) -> Vec<&str> {
        let mut texts: Vec<_> = contents.games.iter().map(|kept| kept.game.as_str()).collect();
        texts.sort_unstable();
        texts
    }

    #[test]
    fn each_game_has_a_file_with_its_last_text() {
        let scratch = Scratch::new("files");
        let (mut one, mut other) = (scratch.autosaver(), scratch.autosaver());
        assert!(texts(&one.others(parse).expect("no folder is empty")).is_empty());
        assert!(!one.is_saved());
        for text in ["a", "a b", "a b c"] {
            one.write(text).expect("room");
        }
        other.write("d").expect("room");
        assert!(one.is_saved() && scratch.names().len() == 2, "{:?}", scratch.names());
        // Its own game is not among them.
        assert_eq!(texts(&one.others(parse).expect("a folder")), ["d"]);
        assert_eq!(texts(&scratch.autosaver().others(parse).expect("a folder")), ["a b c", "d"]);
        one.begin();
        one.write("e.").expect("room");
        assert_eq!(texts(&other.others(parse).expect("a folder")), ["a b c"]);
        assert_eq!(scratch.names().len(), 3);
    }

    #[test]
    fn a_game_is_taken_by_one_autosaver_only() {
        let scratch = Scratch::new("take");
        let mut writer = scratch.autosaver();
        writer.write("a").expect("room");
        let mut takers = [scratch.autosaver(), scratch.autosaver()];
        let mut found = takers.each_ref().map(|taker| taker.others(parse).expect("a folder").games);
        let kept = found.each_mut().map(|games| games.pop().expect("a game"));
        assert!(kept.iter().all(|kept| kept.age() < Duration::from_secs(60)));
        let [first, second] = kept;
        assert_eq!(takers[0].take(first).expect("there"), "a");
        assert!(matches!(takers[1].take(second), Err(AutosaveError::File(..))));
        // The program that had it goes on in a file of its own.
        writer.write("a b").expect("room");
        takers[0].write("a c").expect("room");
        assert_eq!(texts(&takers[1].others(parse).expect("a folder")), ["a b", "a c"]);
        assert_eq!(scratch.names().len(), 2, "{:?}", scratch.names());
    }

    #[test]
    fn other_files_are_set_aside_and_none_is_replaced() {
        let scratch = Scratch::new("aside");
        fs::create_dir_all(scratch.0.join("folder.pgn")).expect("room");
        for (name, text) in [("b.pgn", "x"), ("b.pgn.aside", "kept"), ("c.txt", "x"), ("d.pgn", "")]
        {
            fs::write(scratch.0.join(name), text).expect("room");
        }
        let contents = scratch.autosaver().others(parse).expect("a folder");
        let mut messages: Vec<_> = contents.rejected.iter().map(ToString::to_string).collect();
        messages.sort();
        assert!(messages[0].contains("b.pgn is not a game that can be resumed (it is no game)"));
        assert!(messages[0].ends_with("b.pgn.aside.aside"), "{messages:?}");
        assert!(messages[1].contains("(not a regular file)"), "{messages:?}");
        assert!(contents.games.is_empty() && messages.len() == 2, "{messages:?}");
        assert_eq!(
            scratch.names(),
            ["b.pgn.aside", "b.pgn.aside.aside", "c.txt", "d.pgn", "folder.pgn.aside"]
        );
        assert_eq!(fs::read_to_string(scratch.0.join("b.pgn.aside")).expect("it"), "kept");
    }

    #[test]
    fn a_failure_is_told_once_and_ends_when_there_is_room_again() {
        let scratch = Scratch::new("full");
        // A file is where the folder should be.
        fs::write(&scratch.0, "").expect("room");
        let mut autosaver = scratch.autosaver();
        assert!(
            autosaver.write("a").is_err() && autosaver.write("b").is_ok() && !autosaver.is_saved()
        );
        fs::remove_file(&scratch.0).expect("it");
        assert!(autosaver.write("c").is_ok() && autosaver.is_saved());
        let kept =
            scratch.autosaver().others(parse).expect("a folder").games.pop().expect("a game");
        fs::remove_dir_all(&scratch.0).expect("it");
        assert!(autosaver.write("d").is_err());
        fs::write(&scratch.0, "").expect("room");
        assert_eq!(autosaver.take(kept).expect("its text was read"), "c");
        assert!(!autosaver.is_saved() && autosaver.write("c d").is_err());
        fs::remove_file(&scratch.0).expect("it");

        let mut homeless = Autosaver { folder: Folder::NoHome, ..scratch.autosaver() };
        let error = homeless.write("a").expect_err("no folder").to_string();
        assert_eq!(error, "there is no home folder, and TABIA_GAMES names none");
        let mut off = Autosaver { folder: Folder::Off, ..scratch.autosaver() };
        assert!(off.write("a").is_ok() && !off.is_saved() && off.folder().is_none());
    }
}
