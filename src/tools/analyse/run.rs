//! Analysis of all games of some files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use crate::files;
use crate::pgn::{ErrorKind, PgnGame, Reader};
use crate::platform::is_same_file;
use crate::search::PoolError;
use crate::text::ShownPath;
use crate::tools::Monitor;
use crate::tools::analyser::{Analyser, SearchSetup};
use crate::tools::json;

use super::analysis::{GameAnalysis, analyse};
use super::annotate::annotate;
use super::picture;
use super::records::{ErrorRecord, GameRecord, Summary, player_table};
use super::sentences::add_words;

/// Input, search and output of an analysis.
#[derive(Clone, Debug)]
pub struct AnalyseOptions {
    /// Files of the games in their order; `-` for standard input.
    pub games: Vec<PathBuf>,
    /// Limits and resources of each search.
    pub setup: SearchSetup,
    /// File for the annotated games.
    pub out: Option<PathBuf>,
    /// File for the picture of the first game; later ones get a number in the name.
    pub svg: Option<PathBuf>,
    /// Adds sentences on mistakes and blunders.
    pub explain: bool,
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
    /// Standard input is named more than once.
    #[error("- is standard input, which can be read only once")]
    TwiceStandardInput,
    /// A result cannot be written.
    #[error("cannot write {}: {}", ShownPath(.0), .1)]
    Write(PathBuf, io::Error),
    /// The games would be overwritten.
    #[error("{} is the input, so it cannot be the output", ShownPath(.0))]
    SameFile(PathBuf),
    /// Games and pictures would be written to the same file.
    #[error("{} cannot be both: give --out and --svg different files", ShownPath(.0))]
    SameTarget(PathBuf),
    /// No file has a game.
    #[error("no games found")]
    Empty,
}

struct AnalysisOutput<'a> {
    options: &'a AnalyseOptions,
    /// File for the annotated games, opened at the first game. Without it they go to the sink,
    /// unless JSON does.
    out: Option<(BufWriter<File>, &'a Path)>,
    sink: &'a mut dyn FnMut(&str),
    monitor: &'a mut dyn Monitor,
    pictures: usize,
    summary: Summary,
}

impl<'a> AnalysisOutput<'a> {
    fn new(
        options: &'a AnalyseOptions,
        sink: &'a mut dyn FnMut(&str),
        monitor: &'a mut dyn Monitor,
    ) -> Result<Self, AnalyseError> {
        let games = || options.games.iter();
        for target in [&options.out, &options.svg].into_iter().flatten() {
            if games().any(|source| is_same_file(target, source)) {
                return Err(AnalyseError::SameFile(target.clone()));
            }
        }
        if let (Some(out), Some(svg)) = (&options.out, &options.svg)
            && (out == svg || is_same_file(out, svg))
        {
            return Err(AnalyseError::SameTarget(out.clone()));
        }
        if games().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err(AnalyseError::TwiceStandardInput);
        }
        let summary = Summary::default();
        Ok(Self { options, out: None, sink, monitor, pictures: 0, summary })
    }

    fn analyse_file(&mut self, path: &Path, analyser: &mut Analyser) -> Result<(), AnalyseError> {
        let file = path.to_string_lossy();
        let (input, size) = match files::open_stream(path) {
            Ok(opened) => opened,
            Err(error) => {
                self.summary.unread_files += 1;
                let message = format!("error: cannot read {}: {error}", ShownPath(path));
                self.monitor.message(&message);
                self.write_json("error", &ErrorRecord::of_file(&file, &error));
                return Ok(());
            }
        };
        // One file needs no name in each message.
        let several = self.options.games.len() > 1;
        let place = if several { format!("{}, ", ShownPath(path)) } else { String::new() };
        let mut reader = Reader::new(input);
        loop {
            let before = reader.bytes_read();
            let mut game = match reader.next() {
                None => return Ok(()),
                Some(Ok(game)) => game,
                Some(Err(error)) => {
                    match error.kind {
                        ErrorKind::Io(_) => self.summary.unread_files += 1,
                        _ => self.summary.refused += 1,
                    }
                    self.monitor.message(&format!("error: {place}{error}"));
                    self.write_json("error", &ErrorRecord::of_game(&file, &error));
                    continue;
                }
            };
            self.open()?;
            self.report_faults(&place, &game);
            let after = reader.bytes_read();
            let mut progress = |done: usize, all: usize| {
                let part = (after - before) as f64 * done as f64 / all as f64;
                let share = size.map(|size| (before as f64 + part) / size.max(1) as f64);
                let step = format!("{place}game {}, position {done} of {all}", game.number);
                self.monitor.progress(share, &step);
            };
            let mut analysis = analyse(analyser, &game, &mut progress);
            if self.options.explain {
                add_words(&game, &mut analysis);
            }
            self.write_json("game", &GameRecord::new(Some(&*file), &game, &analysis));
            self.write_picture(&game, &analysis)?;
            let word = if several { "game" } else { "Game" };
            let heading = format!("{place}{word} {}: ", game.number);
            self.monitor.message(&player_table(&heading, &game, &analysis));
            annotate(&mut game, &analysis, &self.options.annotator);
            self.write_game(&game)?;
        }
    }

    fn report_faults(&mut self, place: &str, game: &PgnGame) {
        for note in &game.notes {
            self.monitor.message(&format!("note: {place}game {}, {note}", game.number));
        }
        if let Some(error) = &game.cut {
            self.monitor.message(&format!("error: {place}{error}; the game ends there"));
        }
        self.summary.games += 1;
        self.summary.cut += usize::from(game.cut.is_some());
        self.summary.mended += usize::from(!game.notes.is_empty());
        self.summary.guessed += usize::from(game.notes.iter().any(|note| note.is_guess));
    }

    /// Reports the sums and returns whether all games were read as they were meant.
    fn finish(&mut self) -> Result<bool, AnalyseError> {
        let Summary { games, refused, unread_files, .. } = self.summary;
        if games + refused + unread_files == 0 {
            return Err(AnalyseError::Empty);
        }
        self.monitor.message(&self.summary.text());
        let summary = self.summary;
        self.write_json("analyse summary", &summary);
        Ok(summary.is_whole())
    }

    /// Opens the file for the annotated games, once. It keeps its contents until the first game is
    /// written, so that an error or an interruption before that loses nothing.
    fn open(&mut self) -> Result<(), AnalyseError> {
        if let (Some(path), None) = (&self.options.out, &self.out) {
            let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
            let file = opened.map_err(|error| write_error(path, error))?;
            self.out = Some((BufWriter::new(file), path));
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
        match &mut self.out {
            Some((file, path)) => {
                let emptied = if self.summary.games == 1 { empty(file.get_ref()) } else { Ok(()) };
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

/// Analyses all games of some files. The monitor receives faults, tables of the players, progress
/// and a summary. Returns false if a game was cut short, refused or guessed, or a file not read.
///
/// # Errors
/// If the search cannot be prepared, a result cannot be written, or there are no games.
pub fn run(
    options: &AnalyseOptions,
    sink: &mut dyn FnMut(&str),
    monitor: &mut dyn Monitor,
) -> Result<bool, AnalyseError> {
    let mut output = AnalysisOutput::new(options, sink, monitor)?;
    let mut analyser = Analyser::new(&options.setup).map_err(AnalyseError::Setup)?;
    for path in &options.games {
        output.analyse_file(path, &mut analyser)?;
    }
    output.finish()
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
