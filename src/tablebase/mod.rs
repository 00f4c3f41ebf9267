//! Syzygy tablebases: exact results of all positions with few pieces.
//!
//! WDL tables hold results, including whether the fifty-move rule spoils a win. DTZ tables hold the
//! plies to the next capture or pawn move that keeps the result. No table has positions with
//! castling rights.
//!
//! Headers, offsets and symbols are checked, so a damaged file cannot cause a panic: a position
//! whose probe meets an error counts as unknown. The checksum is not compared, so a damaged block
//! may give a wrong value.
//!
//! Source: R. de Man, <https://github.com/syzygy1/tb>;
//! <https://www.chessprogramming.org/Syzygy_Bases>
//!
//! | file | contents |
//! |---|---|
//! | `material.rs` | material signature, which identifies the table |
//! | `table_file.rs`, `table.rs` | table file and its parts |
//! | `squares.rs`, `arrangement.rs` | index of a position |
//! | `compression.rs` | value at an index |
//! | `probe.rs` | result and distance of a position, with captures resolved |
//! | `ranking.rs` | result of each root move |
//! | `answer.rs` | a position with its moves, in words |

#![forbid(unsafe_code)]

mod answer;
mod arrangement;
mod compression;
mod material;
mod probe;
mod ranking;
mod squares;
mod table;
mod table_file;

pub use answer::TablebaseAnswer;
pub use ranking::KnownMove;
pub use table_file::TableFileError;

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::ops::Neg;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::board::Board;
use crate::platform;
use crate::text::ShownPath;
use crate::types::CastlingRights;
use material::Material;
use table::{Kind, Table};

/// Result with best play, from the side to move's point of view.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(i8)]
pub enum Wdl {
    /// A loss, also with the fifty-move rule.
    Loss = -2,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss = -1,
    /// Neither side can force a win.
    Draw = 0,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin = 1,
    /// A win, also with the fifty-move rule.
    Win = 2,
}

impl Wdl {
    /// All results from the worst to the best.
    pub const ALL: [Self; 5] =
        [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// Tables in a list of folders, each opened on first use and kept open.
///
/// A file that cannot be opened, for example because too many files are open, is tried again after
/// the next [`Self::take_errors`].
#[derive(Default)]
pub struct Tablebases {
    tables: HashMap<Material, TablePair>,
    largest: usize,
    errors: ErrorLog,
}

/// Errors of tables that were valid when the folders were opened.
#[derive(Default)]
struct ErrorLog {
    count: AtomicU64,
    first: Mutex<String>,
    /// Number of calls of [`Tablebases::take_errors`].
    taken: AtomicU64,
}

#[derive(Default)]
struct TablePair {
    wdl: Option<LazyTable>,
    dtz: Option<LazyTable>,
}

struct LazyTable {
    path: PathBuf,
    table: OnceLock<Table>,
    /// `ErrorLog::taken` plus one when opening failed last; 0 if it never did.
    failed: AtomicU64,
}

/// Summary of the tables found in the folders.
#[derive(Default, Debug)]
pub struct Inventory {
    /// Number of valid WDL tables.
    pub wdl: usize,
    /// Number of valid DTZ tables.
    pub dtz: usize,
    /// Largest number of pieces of a WDL table, including kings.
    pub largest: usize,
    /// Rejected folders and tables with the reason.
    pub rejected: Vec<(PathBuf, TableFileError)>,
}

/// Limits the time of the option: every folder is listed before the engine continues.
const MAX_FOLDERS: usize = 256;

impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wdl, dtz, largest, .. } = self;
        write!(f, "{wdl} WDL and {dtz} DTZ tables, up to {largest} pieces")
    }
}

impl Tablebases {
    /// Opens all tables in folders separated by `:` (by `;` on Windows) and checks their headers.
    /// Of several files of one table, the first valid one is used. Folders after the first 256 are
    /// rejected.
    pub fn open(folders: &str) -> (Self, Inventory) {
        let mut tables = Self::default();
        let mut inventory = Inventory::default();
        let folders = platform::split_paths(folders).filter(|path| !path.as_os_str().is_empty());
        for (index, folder) in folders.enumerate() {
            if index == MAX_FOLDERS {
                let reason =
                    format!("this folder and the rest are above the maximum of {index} folders");
                inventory.rejected.push((folder, std::io::Error::other(reason).into()));
                break;
            }
            if let Err(error) = tables.add_folder(&folder, &mut inventory) {
                inventory.rejected.push((folder, error.into()));
            }
        }
        inventory.largest = tables.largest;
        (tables, inventory)
    }

    fn add_folder(&mut self, folder: &Path, inventory: &mut Inventory) -> std::io::Result<()> {
        let mut paths = fs::read_dir(folder)?
            .map(|file| Ok(file?.path()))
            .collect::<std::io::Result<Vec<PathBuf>>>()?;
        paths.sort();
        for path in paths {
            let Some((material, kind)) = parse_name(&path) else { continue };
            let entry = self.tables.entry(material).or_default();
            let (slot, count) = match kind {
                Kind::Wdl => (&mut entry.wdl, &mut inventory.wdl),
                Kind::Dtz => (&mut entry.dtz, &mut inventory.dtz),
            };
            if slot.is_some() {
                continue;
            }
            match Table::open(&path, material, kind) {
                Ok(_) => {
                    let (table, failed) = (OnceLock::new(), AtomicU64::new(0));
                    *slot = Some(LazyTable { path, table, failed });
                    *count += 1;
                    if kind == Kind::Wdl {
                        self.largest = self.largest.max(material.pieces());
                    }
                }
                Err(error) => inventory.rejected.push((path, error)),
            }
        }
        Ok(())
    }

    /// Returns the largest number of pieces of a WDL table, including kings; 0 without tables.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// Returns whether a table may contain the position: few enough pieces, no castling rights.
    pub fn may_have(&self, board: &Board, max_pieces: usize) -> bool {
        board.occupied().count() <= self.largest.min(max_pieces)
            && board.castling_rights() == CastlingRights::NONE
    }

    /// Queries the table for the material on the board; `None` if it is missing or fails.
    ///
    /// A table stays in use after an error, as other parts of it may be intact.
    fn query<T>(
        &self,
        board: &Board,
        kind: Kind,
        query: impl FnOnce(&Table) -> Result<T, TableFileError>,
    ) -> Option<T> {
        let material = Material::of(board);
        let pair_of = |material| Some((material, self.tables.get(&material)?));
        let (material, pair) = pair_of(material).or_else(|| pair_of(material.flipped()))?;
        let lazy = match kind {
            Kind::Wdl => pair.wdl.as_ref(),
            Kind::Dtz => pair.dtz.as_ref(),
        }?;
        let table = lazy.table.get().or_else(|| self.open_lazily(lazy, material, kind))?;
        query(table).map_err(|error| self.log_error(&lazy.path, &error)).ok()
    }

    /// Opens a table, unless that has failed since the errors were last taken: a search probes
    /// often.
    #[cold]
    fn open_lazily<'a>(
        &self,
        lazy: &'a LazyTable,
        material: Material,
        kind: Kind,
    ) -> Option<&'a Table> {
        let now = self.errors.taken.load(Relaxed) + 1;
        if lazy.failed.load(Relaxed) == now {
            return None;
        }
        match Table::open(&lazy.path, material, kind) {
            // If another thread was faster, its table stays.
            Ok(table) => Some(lazy.table.get_or_init(|| table)),
            Err(error) => {
                if lazy.failed.swap(now, Relaxed) == 0 {
                    self.log_error(&lazy.path, &error);
                }
                None
            }
        }
    }

    /// Counts an error, but formats only the first: a search can fail here very often.
    fn log_error(&self, path: &Path, error: &TableFileError) {
        if self.errors.count.fetch_add(1, Relaxed) == 0 {
            let message = format!("{}: {error}", ShownPath(path));
            log::warn!("tablebases: {message}");
            *self.first_error() = message;
        }
    }

    /// Returns the number of errors since the last call and the message of the first.
    pub fn take_errors(&self) -> Option<(u64, String)> {
        let mut first = self.first_error();
        self.errors.taken.fetch_add(1, Relaxed);
        let count = self.errors.count.swap(0, Relaxed);
        (count > 0).then(|| (count, std::mem::take(&mut *first)))
    }

    fn first_error(&self) -> MutexGuard<'_, String> {
        self.errors.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse_name(path: &Path) -> Option<(Material, Kind)> {
    let extension = path.extension()?.to_str()?;
    let kind = [Kind::Wdl, Kind::Dtz].into_iter().find(|kind| kind.extension() == extension)?;
    Some((Material::parse(path.file_stem()?.to_str()?)?, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_folders_are_rejected() {
        let of = |count| {
            let folders = std::env::join_paths(vec![Path::new("/none/such"); count]);
            Tablebases::open(folders.expect("no separator").to_str().expect("UTF-8")).1.rejected
        };
        assert_eq!(of(256).len(), 256);
        let rejected = of(10_000);
        let last = rejected[rejected.len() - 1].1.to_string();
        assert_eq!(rejected.len(), 257);
        assert!(last.contains("above the maximum of 256"), "{last}");
    }
}
