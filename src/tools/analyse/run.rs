//! Analysis of all games of a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use crate::pgn::{PgnGame, Reader};
use crate::platform::is_same_file;
use crate::search::PoolError;
use crate::tools::Monitor;
use crate::tools::analyser::{Analyser, SearchSetup};
use crate::tools::json;

use super::analysis::{GameAnalysis, analyse};
use super::annotate::annotate;
use super::picture;
use super::records::{ErrorRecord, GameRecord, player_table};

/// Input, search and output of an analysis.
#[derive(Clone, Debug)]
pub struct AnalyseOptions {
    /// File of the games; `-` for standard input.
    pub games: PathBuf,
    /// Limits and resources of each search.
    pub setup: SearchSetup,
    /// File for the annotated games.
    pub out: Option<PathBuf>,
    /// File for the picture of the first game; later ones get a number in the name.
    pub svg: Option<PathBuf>,
    /// Sends JSON lines to the sink instead of the annotated games.
    pub json: bool,
    /// Value of the tag `Annotator`.
    pub annotator: String,
}

/// Reason why an analysis ends early.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// The search cannot be prepared.
    #[error(transparent)]
    Setup(PoolError),
    /// The games cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, io::Error),
    /// A result cannot be written.
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
    /// The games would be overwritten.
    #[error("{0} is the input, so it cannot be the output")]
    SameFile(PathBuf),
    /// Games and pictures would be written to the same file.
    #[error("{0} cannot be both: give --out and --svg different files")]
    SameTarget(PathBuf),
    /// The input has no games.
    #[error("no games found")]
    Empty,
}

struct AnalysisOutput<'a> {
    options: &'a AnalyseOptions,
    /// File for the annotated games, opened at the first game. Without it they go to the sink,
    /// unless JSON does.
    file: Option<(BufWriter<File>, &'a Path)>,
    sink: &'a mut dyn FnMut(&str),
    pictures: usize,
    games: usize,
}

impl<'a> AnalysisOutput<'a> {
    fn new(
        options: &'a AnalyseOptions,
        sink: &'a mut dyn FnMut(&str),
    ) -> Result<Self, AnalyseError> {
        for target in [&options.out, &options.svg].into_iter().flatten() {
            if is_same_file(target, &options.games) {
                return Err(AnalyseError::SameFile(target.clone()));
            }
        }
        if let (Some(out), Some(svg)) = (&options.out, &options.svg)
            && (out == svg || is_same_file(out, svg))
        {
            return Err(AnalyseError::SameTarget(out.clone()));
        }
        Ok(Self { options, file: None, sink, pictures: 0, games: 0 })
    }

    /// Opens the file for the annotated games, once. It keeps its contents until the first game is
    /// written, so that an error or an interruption before that loses nothing.
    fn open(&mut self) -> Result<(), AnalyseError> {
        if let (Some(path), None) = (&self.options.out, &self.file) {
            let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
            let file = opened.map_err(|error| write_error(path, error))?;
            self.file = Some((BufWriter::new(file), path));
        }
        Ok(())
    }

    fn write_json(&mut self, kind: &'static str, record: &impl Serialize) {
        if self.options.json {
            (self.sink)(&json::line(kind, record));
        }
    }

    fn write_picture(
        &mut self,
        game: &PgnGame,
        analysis: &GameAnalysis,
    ) -> Result<(), AnalyseError> {
        let Some(path) = &self.options.svg else { return Ok(()) };
        self.pictures += 1;
        let path = numbered(path, self.pictures);
        fs::write(&path, picture::draw(game, analysis)).map_err(|error| write_error(&path, error))
    }

    fn write_game(&mut self, game: &PgnGame) -> Result<(), AnalyseError> {
        self.games += 1;
        match &mut self.file {
            Some((file, path)) => {
                let emptied = if self.games == 1 { empty(file.get_ref()) } else { Ok(()) };
                emptied
                    .and_then(|()| writeln!(file, "{game}"))
                    .and_then(|()| file.flush())
                    .map_err(|error| write_error(path, error))
            }
            None if self.options.json => Ok(()),
            None => {
                (self.sink)(&game.to_string());
                Ok(())
            }
        }
    }
}

/// Truncates a regular file; a device or a pipe has no contents to remove.
fn empty(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

fn write_error(path: &Path, error: io::Error) -> AnalyseError {
    AnalyseError::Write(path.to_owned(), error)
}

/// Analyses all games of a file. The monitor receives faults, tables of the players and progress.
/// Returns false if a game could not be read.
///
/// # Errors
/// If the search cannot be prepared, a file cannot be read or written, or there are no games.
pub fn run(
    options: &AnalyseOptions,
    sink: &mut dyn FnMut(&str),
    monitor: &mut dyn Monitor,
) -> Result<bool, AnalyseError> {
    let read_error = |error| AnalyseError::Read(options.games.clone(), error);
    let (input, size) = open(&options.games).map_err(read_error)?;
    let mut output = AnalysisOutput::new(options, sink)?;
    let mut analyser = Analyser::new(&options.setup).map_err(AnalyseError::Setup)?;
    let mut reader = Reader::new(input);
    let mut is_empty = true;
    let mut is_complete = true;
    loop {
        let before = reader.bytes_read();
        let next = reader.next();
        if next.is_none() && is_empty {
            return Err(AnalyseError::Empty);
        }
        is_empty = false;
        let mut game = match next {
            None => return Ok(is_complete),
            Some(Ok(game)) => game,
            Some(Err(error)) => {
                is_complete = false;
                monitor.message(&format!("error: {error}"));
                output.write_json("error", &ErrorRecord::from(&error));
                continue;
            }
        };
        output.open()?;
        for note in &game.notes {
            monitor.message(&format!("note: game {}, {note}", game.number));
        }
        let after = reader.bytes_read();
        let mut progress = |done: usize, all: usize| {
            let part = (after - before) as f64 * done as f64 / all as f64;
            let share = size.map(|size| (before as f64 + part) / size.max(1) as f64);
            monitor.progress(share, &format!("game {}, position {done} of {all}", game.number));
        };
        let analysis = analyse(&mut analyser, &game, &mut progress);
        output.write_json("game", &GameRecord::new(&game, &analysis));
        output.write_picture(&game, &analysis)?;
        monitor.message(&player_table(&game, &analysis));
        annotate(&mut game, &analysis, &options.annotator);
        output.write_game(&game)?;
    }
}

/// Opens the games and returns their size, if it is known.
fn open(path: &Path) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path)?;
    let facts = file.metadata()?;
    if facts.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let size = facts.is_file().then_some(facts.len());
    Ok((Box::new(file), size))
}

/// Returns `game.svg`, then `game-2.svg`, `game-3.svg` …
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_pictures_have_a_number() {
        let names = [1, 2].map(|number| numbered(Path::new("a/b.c.svg"), number));
        assert_eq!(names, [PathBuf::from("a/b.c.svg"), PathBuf::from("a/b.c-2.svg")]);
    }
}
