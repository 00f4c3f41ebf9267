//! What can be done with shards: count, check, show, learn what scores mean, and hand over to other programs.
//!
//! Each tool hands its lines to a sink and stops early when a flag is set. It says whether all went well: damage in a
//! file is told in a line, and everything before it counts.

mod chances;
mod export;
mod histogram;
mod san;
mod stats;
mod verify;
mod view;

pub use chances::chances;
pub use export::{ExportFormat, bullet_record, export, viri_record};
pub use stats::stats;
pub use verify::verify;
pub use view::{pgn, view};

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Damage, Game, KeepFilter, Shard, ShardError};

/// The list of tools and their options, a line for each.
pub fn help() -> Vec<String> {
    let usual = KeepFilter::default();
    let [bullet, viri] = ExportFormat::ALL.map(ExportFormat::name);
    let export = format!("export FILE … --format {bullet}|{viri} --out FILE");
    let (min_ply, max_score) = (usual.min_ply.to_string(), usual.max_score.to_string());
    let tools = [
        ("stats FILE …", "games, results, endings, bytes, spread over scores, pieces and plies"),
        ("verify FILE …", "replay every game"),
        ("view FILE GAME", "a game as PGN"),
        (&export, "write them for other programs"),
    ];
    let options = [
        ("--min-ply N", &*min_ply, "the first ply of a game that is kept"),
        ("--max-score N", &max_score, "the largest score that is kept, of either sign"),
        ("--with-checks", "", "keep positions in check"),
        ("--with-noisy", "", "keep positions whose best move takes or promotes"),
    ];
    let mut text = vec!["data TOOL …: looks into shards of games".to_owned(), String::new()];
    text.extend(tools.map(|(tool, what)| format!("  {tool:<62} {what}")));
    text.extend([
        String::new(),
        format!("  {:<16} {:>8}  of stats and export", "option", "default"),
    ]);
    text.extend(options.map(|(flag, usual, what)| format!("  {flag:<16} {usual:>8}  {what}")));
    text
}

/// Why a tool cannot do its work on a file.
#[derive(Debug)]
pub enum DataError {
    /// It is no shard.
    Shard(PathBuf, ShardError),
    /// It cannot be written.
    Write(PathBuf, io::Error),
    /// It is a shard itself, whose games would be lost.
    Games(PathBuf),
    /// It has no game of this number.
    NoGame(PathBuf, u64),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shard(path, error) => write!(f, "{} {error}", path.display()),
            Self::Write(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Games(path) => {
                write!(f, "{} is a shard of games and is not replaced", path.display())
            }
            Self::NoGame(path, number) => {
                write!(f, "{} has no game {number} that can be read", path.display())
            }
        }
    }
}

impl std::error::Error for DataError {}

fn open(path: &Path) -> Result<Shard, DataError> {
    Shard::open(path).map_err(|error| DataError::Shard(path.to_owned(), error))
}

/// Why a walk over games ended early.
enum Stopped {
    /// The file is damaged.
    Damage(Damage),
    /// There is nothing more to do here.
    Enough,
    /// The result cannot be written.
    Io(io::Error),
}

impl From<Damage> for Stopped {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

/// Shows every game of a shard, until `stop` is set or `visit` fails. Whether the shard was read to its end; damage is
/// told to `sink`.
fn walk(
    path: &Path,
    shard: &Shard,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
    mut visit: impl FnMut(u64, &Game) -> io::Result<()>,
) -> io::Result<bool> {
    let end = shard.for_each_game(|number, game| {
        if stop.load(Relaxed) {
            return Err(Stopped::Enough);
        }
        visit(number, &game).map_err(Stopped::Io)
    });
    match end {
        Ok(()) => Ok(true),
        Err(Stopped::Enough) => Ok(false),
        Err(Stopped::Io(error)) => Err(error),
        Err(Stopped::Damage(damage)) => {
            sink(&format!("{}: {damage}", path.display()));
            Ok(false)
        }
    }
}
