//! Inspects Tabia's self-play games and converts them for other trainers.
//!
//! The games are in *shards*, the files of `tabia datagen`; docs/data.md explains the tools. Damage
//! in a shard is reported, and everything before it counts.

mod chances;
mod export;
mod histogram;
mod stats;
mod verify;
mod view;

pub use chances::chances;
pub use export::{ExportFormat, bullet_record, export, viri_record};
pub use stats::stats;
pub use verify::verify;
pub use view::{pgn, view};

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabia::datagen::{Damage, Game, Shard, ShardError};

/// Reason why a tool failed.
#[derive(Debug)]
pub enum DataError {
    /// The file is not a readable shard.
    Shard(PathBuf, ShardError),
    /// The exported file cannot be written.
    Export(PathBuf, io::Error),
    /// The file to export to is a shard.
    WouldReplaceShard(PathBuf),
    /// The shard has no readable game of this number.
    NoGame {
        /// Path of the shard.
        path: PathBuf,
        /// Number of the game in its run.
        game: u64,
        /// Damage that may hide the game.
        damage: Option<Damage>,
    },
    /// The game has plies without a score; viriformat needs one for each ply.
    NotDense(PathBuf, u64),
    /// A result occurs in too few positions to fit a model.
    TooFewGames,
    /// The report cannot be written.
    Output(io::Error),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shard(path, error) => write!(f, "{} {error}", path.display()),
            Self::Export(path, error) => write!(f, "{}: {error}", path.display()),
            Self::WouldReplaceShard(path) => {
                write!(f, "{} is a shard of games and is not replaced", path.display())
            }
            Self::NoGame { path, game, damage } => {
                write!(f, "{} has no readable game {game}", path.display())?;
                damage.map_or(Ok(()), |damage| write!(f, ": {damage}"))
            }
            Self::NotDense(path, game) => write!(
                f,
                "{}: game {game} has plies without a score, but viriformat needs one for each; \
                 export it as bulletformat",
                path.display()
            ),
            Self::TooFewGames => f.write_str("there are too few games to fit a model"),
            Self::Output(error) => write!(f, "cannot write the report: {error}"),
        }
    }
}

impl std::error::Error for DataError {}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn open(path: &Path) -> Result<Shard, DataError> {
    Shard::open(path).map_err(|error| DataError::Shard(path.to_owned(), error))
}

/// Reason why [`for_each_game`] ended early.
enum Stopped {
    Damage(Damage),
    Error(DataError),
}

impl From<Damage> for Stopped {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

/// Visits the games of a shard. If it is damaged, reports that to `out` and returns `false`.
fn for_each_game(
    path: &Path,
    shard: &Shard,
    out: &mut dyn Write,
    mut visit: impl FnMut(u64, &Game) -> Result<(), DataError>,
) -> Result<bool, DataError> {
    match shard.for_each_game(|number, game| visit(number, &game).map_err(Stopped::Error)) {
        Ok(()) => Ok(true),
        Err(Stopped::Damage(damage)) => {
            writeln!(out, "{}: {damage}", path.display())?;
            Ok(false)
        }
        Err(Stopped::Error(error)) => Err(error),
    }
}
