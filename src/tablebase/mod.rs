//! Syzygy tablebases: the results of all positions with few pieces.
//!
//! A WDL table tells who wins, and whether the fifty-move rule spoils it; a DTZ table how many plies it is to the next
//! capture or pawn move with which the result is kept. The reader trusts no byte of a file: whatever does not make
//! sense is an error, the position counts as unknown, and play goes on. Positions with castling rights are in no table.
//! Source: R. de Man, <https://github.com/syzygy1/tb>; <https://www.chessprogramming.org/Syzygy_Bases>
//!
//! | file | what |
//! |---|---|
//! | `material.rs` | which table has a position |
//! | `bytes.rs`, `table.rs` | a file and its parts |
//! | `squares.rs`, `arrangement.rs` | the number of a position |
//! | `compression.rs` | the value of a number |
//! | `probe.rs` | the result and the distance of a position, captures considered |
//! | `root.rs` | what each of a position's moves leads to |

mod arrangement;
mod bytes;
mod compression;
mod material;
mod probe;
mod root;
mod squares;
mod table;

pub use bytes::TableError;
pub use root::KnownMove;

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::ops::Neg;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::board::Board;
use crate::types::CastlingRights;
use material::Material;
use table::{Kind, Table};

/// A result with best play from both sides, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(i8)]
pub enum Wdl {
    /// Lost.
    Loss = -2,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won, but drawn by the fifty-move rule.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl Wdl {
    /// All results, the worst first.
    pub const ALL: [Self; 5] =
        [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];
}

impl Neg for Wdl {
    type Output = Self;

    /// The result for the other side.
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

/// The tables in some folders. A file is opened again when it is first needed, and then stays open.
#[derive(Default)]
pub struct Tablebases {
    tables: HashMap<Material, Entry>,
    largest: usize,
    troubles: Troubles,
}

/// What went wrong with tables that had been found good.
#[derive(Default)]
struct Troubles {
    count: AtomicU64,
    /// What it was the first time.
    first: Mutex<String>,
}

/// The two tables of some material.
#[derive(Default)]
struct Entry {
    wdl: Option<Lazy>,
    dtz: Option<Lazy>,
}

/// A table that is opened when it is needed; `None` inside for one that could not be opened again.
struct Lazy {
    path: PathBuf,
    table: OnceLock<Option<Table>>,
}

/// What was found in the folders.
#[derive(Default, Debug)]
pub struct Inventory {
    /// Good WDL tables.
    pub wdl: usize,
    /// Good DTZ tables.
    pub dtz: usize,
    /// The most pieces of a WDL table, kings included.
    pub largest: usize,
    /// Folders and tables that are of no use, with the reason.
    pub refused: Vec<(PathBuf, TableError)>,
}

impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wdl, dtz, largest, .. } = self;
        write!(f, "{wdl} WDL and {dtz} DTZ tables, up to {largest} pieces")
    }
}

impl Tablebases {
    /// The tables in the folders of a list as the system writes one: with `:` between them, or `;` on Windows. Every
    /// table is opened and checked once; where two folders have the same one, the first good one counts.
    pub fn open(folders: &str) -> (Self, Inventory) {
        let mut tables = Self::default();
        let mut inventory = Inventory::default();
        for folder in std::env::split_paths(folders).filter(|path| !path.as_os_str().is_empty()) {
            if let Err(error) = tables.add_folder(&folder, &mut inventory) {
                inventory.refused.push((folder, error.into()));
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
            let Some((material, kind)) = name_of(&path) else { continue };
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
                    *slot = Some(Lazy { path, table: OnceLock::new() });
                    *count += 1;
                    if kind == Kind::Wdl {
                        self.largest = self.largest.max(material.pieces());
                    }
                }
                Err(error) => inventory.refused.push((path, error)),
            }
        }
        Ok(())
    }

    /// The most pieces, kings included, of a position that some table may have; 0 without tables.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// Whether a table may have the position: few enough pieces, and no castling rights.
    pub fn may_have(&self, board: &Board, most_pieces: usize) -> bool {
        board.occupied().count() <= self.largest.min(most_pieces)
            && board.castling_rights() == CastlingRights::NONE
    }

    /// What the table for the pieces on the board answers; `None` if there is none or if it fails. A table that is
    /// damaged in one place may be good elsewhere.
    fn ask<T>(
        &self,
        board: &Board,
        kind: Kind,
        question: impl FnOnce(&Table) -> Result<T, TableError>,
    ) -> Option<T> {
        let material = Material::of(board);
        let of = |material| Some((material, self.tables.get(&material)?));
        let (material, entry) = of(material).or_else(|| of(material.flipped()))?;
        let lazy = match kind {
            Kind::Wdl => entry.wdl.as_ref(),
            Kind::Dtz => entry.dtz.as_ref(),
        }?;
        let note = |error| self.note_trouble(&lazy.path, &error);
        let open = || Table::open(&lazy.path, material, kind).map_err(note).ok();
        question(lazy.table.get_or_init(open).as_ref()?).map_err(note).ok()
    }

    /// Searches come here often when a table is damaged, so only the first trouble is put into words.
    fn note_trouble(&self, path: &Path, error: &TableError) {
        if self.troubles.count.fetch_add(1, Relaxed) == 0 {
            let trouble = format!("{}: {error}", path.display());
            log::warn!("tablebases: {trouble}");
            *self.first_trouble() = trouble;
        }
    }

    /// What went wrong since the last time this was asked: how often, and what it was the first time.
    pub fn take_troubles(&self) -> Option<(u64, String)> {
        let mut first = self.first_trouble();
        let count = self.troubles.count.swap(0, Relaxed);
        (count > 0).then(|| (count, std::mem::take(&mut *first)))
    }

    fn first_trouble(&self) -> MutexGuard<'_, String> {
        self.troubles.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which table a file is by its name.
fn name_of(path: &Path) -> Option<(Material, Kind)> {
    let extension = path.extension()?.to_str()?;
    let kind = [Kind::Wdl, Kind::Dtz].into_iter().find(|kind| kind.extension() == extension)?;
    Some((Material::parse(path.file_stem()?.to_str()?)?, kind))
}
