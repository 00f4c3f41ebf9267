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

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabia::datagen::{Damage, Game, Shard, ShardError};
use tabia::text::{self, ShownPath};
use thiserror::Error;

/// Reason why a tool failed.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file is not a readable shard.
    #[error("{} {}", ShownPath(.0), .1)]
    Shard(PathBuf, ShardError),
    /// The exported file cannot be written.
    #[error("{}: {}", ShownPath(.0), .1)]
    Export(PathBuf, io::Error),
    /// The file to export to is a shard.
    #[error("{} is a shard of games and is not replaced", ShownPath(.0))]
    WouldReplaceShard(PathBuf),
    /// The shard has no readable game of this number.
    #[error(
        "{} has no readable game {game}{}",
        ShownPath(path),
        .damage.map_or(String::new(), |damage| format!(": {damage}"))
    )]
    NoGame {
        /// Path of the shard.
        path: PathBuf,
        /// Number of the game in its run.
        game: u64,
        /// Damage that may hide the game.
        damage: Option<Damage>,
    },
    /// The game has plies without a score; viriformat needs one for each ply.
    #[error(
        "{}: game {} has plies without a score, but viriformat needs one for each; \
         export it as bulletformat",
        ShownPath(.0),
        .1
    )]
    NotDense(PathBuf, u64),
    /// A result occurs in too few positions to fit a model.
    #[error("there are too few games to fit a model")]
    TooFewGames,
    /// The report cannot be written.
    #[error("cannot write the report: {0}")]
    Output(#[from] io::Error),
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
            writeln!(out, "{}: {damage}", ShownPath(path))?;
            Ok(false)
        }
        Err(Stopped::Error(error)) => Err(error),
    }
}

/// Formats the share of a part in the whole: `12.5 %`. The share of nothing is zero.
fn percent(part: u64, whole: u64) -> String {
    text::percent(part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_zero() {
        assert_eq!([percent(0, 0), percent(1, 8)], ["0.0 %", "12.5 %"]);
    }
}
