//! Analysis of all games of a file.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use crate::pgn::{Game, Reader};
use crate::tools::analyser::{Analyser, SearchSetup, SetupError};
use crate::tools::json;
use crate::tools::monitor::Monitor;

use super::annotate::annotate;
use super::game::analyse;
use super::picture;
use super::report::{ErrorRecord, GameRecord, player_table};

/// Input, search and output of an analysis.
#[derive(Clone, Debug)]
pub struct AnalyseOptions {
    /// File of the games; `-` for standard input.
    pub games: PathBuf,
    /// Limits and resources of the search of each position.
    pub setup: SearchSetup,
    /// File for the annotated games.
    pub out: Option<PathBuf>,
    /// File for the picture of the first game; the others have their number in the name.
    pub svg: Option<PathBuf>,
    /// Sends JSON lines to the sink instead of the annotated games.
    pub json: bool,
    /// Value of the tag `Annotator`.
    pub annotator: String,
}

/// Reason why an analysis ends early.
#[derive(Debug)]
pub enum AnalyseError {
    /// The search cannot be prepared.
    Setup(SetupError),
    /// The games cannot be read.
    Read(PathBuf, io::Error),
    /// A result cannot be written.
    Write(PathBuf, io::Error),
    /// The games would be overwritten.
    SameFile(PathBuf),
}

impl fmt::Display for AnalyseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Self::SameFile(path) => {
                write!(f, "{} is read, it cannot be written too", path.display())
            }
        }
    }
}

impl std::error::Error for AnalyseError {}

/// Receiver of the annotated games: a file, else the sink, else nothing.
enum Output<'a> {
    File(BufWriter<File>, PathBuf),
    Sink(&'a mut dyn FnMut(&str)),
    None,
}

impl Output<'_> {
    fn write(&mut self, game: &Game) -> Result<(), AnalyseError> {
        match self {
            Self::File(file, path) => writeln!(file, "{game}")
                .and_then(|()| file.flush())
                .map_err(|error| AnalyseError::Write(path.clone(), error)),
            Self::Sink(sink) => {
                sink(&game.to_string());
                Ok(())
            }
            Self::None => Ok(()),
        }
    }
}

/// Analyses all games of a file. The sink receives the annotated games, or with `json` the JSON
/// lines; the monitor receives faults, the tables of players and the progress.
///
/// Returns false if a game could not be read.
///
/// # Errors
/// If the search cannot be prepared, or a file cannot be read or written.
pub fn run(
    options: &AnalyseOptions,
    sink: &mut dyn FnMut(&str),
    monitor: &mut dyn Monitor,
) -> Result<bool, AnalyseError> {
    let read_error = |error| AnalyseError::Read(options.games.clone(), error);
    let (input, size) = open(&options.games).map_err(read_error)?;
    for target in [&options.out, &options.svg].into_iter().flatten() {
        if is_same_file(target, &options.games) {
            return Err(AnalyseError::SameFile(target.clone()));
        }
    }
    let mut json_sink = None;
    let mut output = match &options.out {
        Some(path) => {
            let file = File::create(path);
            let file = file.map_err(|error| AnalyseError::Write(path.clone(), error))?;
            json_sink = options.json.then_some(sink);
            Output::File(BufWriter::new(file), path.clone())
        }
        None if options.json => {
            json_sink = Some(sink);
            Output::None
        }
        None => Output::Sink(sink),
    };
    let mut analyser = Analyser::new(&options.setup).map_err(AnalyseError::Setup)?;
    let mut reader = Reader::new(input);
    let mut is_complete = true;
    let mut pictures = 0;
    loop {
        let before = reader.bytes_read();
        let mut game = match reader.next() {
            None => break,
            Some(Ok(game)) => game,
            Some(Err(error)) => {
                is_complete = false;
                monitor.message(&format!("error: {error}"));
                if let Some(sink) = &mut json_sink {
                    sink(&json::line(&ErrorRecord::from(&error)));
                }
                continue;
            }
        };
        for note in &game.notes {
            monitor.message(&format!("note: game {}, {note}", game.number));
        }
        let after = reader.bytes_read();
        let number = game.number;
        let mut progress = |done: usize, all: usize| {
            let part = (after - before) as f64 * done as f64 / all as f64;
            let share = size.map(|size| (before as f64 + part) / size.max(1) as f64);
            monitor.progress(share, &format!("game {number}, position {done} of {all}"));
        };
        let analysis = analyse(&mut analyser, &game, &mut progress);
        if let Some(sink) = &mut json_sink {
            sink(&json::line(&GameRecord::new(&game, &analysis)));
        }
        if let Some(path) = &options.svg {
            pictures += 1;
            let path = numbered(path, pictures);
            std::fs::write(&path, picture::draw(&game, &analysis))
                .map_err(|error| AnalyseError::Write(path, error))?;
        }
        monitor.message(&player_table(&game, &analysis));
        annotate(&mut game, &analysis, &options.annotator);
        output.write(&game)?;
    }
    Ok(is_complete)
}

/// Opens the games. Returns their size too, if it is known.
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

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Returns the path of a picture: `game.svg`, then `game-2.svg`, `game-3.svg` …
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
