//! Writes the shards of a run to a folder, and resumes an earlier run of the same command.
//!
//! Blocks are only appended, so a killed run leaves at most one truncated block, which the next run
//! cuts off. A deleted shard is generated again, up to the start of the next one, which is then
//! resumed.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{io, thread};

use thiserror::Error;

use crate::datagen::game::Game;
use crate::datagen::options::RunOptions;
use crate::files;
use crate::text::ShownPath;

use super::shard::{Damage, MAX_FILE_MIB, Shard, ShardError, ShardHeader, encode_block};

/// Shards of one seed in a folder.
pub(crate) struct ShardWriter {
    folder: PathBuf,
    /// Header of the next shard, except for its first game.
    header: ShardHeader,
    run: RunOptions,
    /// Locked shard being written, and its size; `None` before the first.
    current: Option<(File, u64)>,
    /// False until the shard has a block, the first of which is written whatever its size.
    has_block: bool,
    shards: u32,
    games: u64,
    /// Number and first game of the next existing shard.
    next_shard: Option<(u32, u64)>,
}

impl ShardWriter {
    /// Opens or creates a folder and counts its shards and games. Reports cut-off bytes to `sink`.
    pub(crate) fn open(
        folder: &Path,
        header: ShardHeader,
        run: RunOptions,
        sink: &mut dyn FnMut(&str),
    ) -> Result<Self, WriteError> {
        fs::create_dir_all(folder).map_err(|error| WriteError::file(folder, error))?;
        let mut writer = Self {
            folder: folder.to_owned(),
            header,
            run,
            current: None,
            has_block: false,
            shards: 0,
            games: 0,
            next_shard: None,
        };
        while writer.path(writer.shards).exists() && writer.resume_shard(sink)? {}
        writer.next_shard = writer.find_next_shard();
        Ok(writer)
    }

    pub(crate) const fn games(&self) -> u64 {
        self.games
    }

    pub(crate) const fn shards(&self) -> u32 {
        self.shards
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("seed{}-{number:05}.tabia", self.run.seed))
    }

    fn header(&self) -> Vec<u8> {
        ShardHeader { first_game: self.games, ..self.header.clone() }.to_bytes()
    }

    /// Resumes the next existing shard. Only the last may have a truncated block, which is cut off.
    /// Returns false if games before the shard are missing: a run was killed that generated the
    /// shard before it again.
    fn resume_shard(&mut self, sink: &mut dyn FnMut(&str)) -> Result<bool, WriteError> {
        let path = self.path(self.shards);
        let is_last = !self.path(self.shards + 1).exists();
        let in_file = |error| WriteError::file(&path, error);
        let opened = files::open_with(&path, OpenOptions::new().read(true).write(true));
        let mut file = lock(opened.map_err(in_file)?, &path)?;
        let bytes = files::read_open(&file, MAX_FILE_MIB).map_err(in_file)?;
        let header = self.header();
        let is_begun = bytes.len() < header.len() && header.starts_with(&bytes);
        let size = if is_begun {
            write_at(&mut file, 0, &header).map_err(in_file)?;
            self.has_block = false;
            header.len()
        } else if bytes.starts_with(&header) {
            let end = self.intact_blocks(bytes, &path, is_last, sink)?;
            file.set_len(end as u64).map_err(in_file)?;
            self.has_block = end > header.len();
            end
        } else if self.is_later_shard(&bytes) {
            return Ok(false);
        } else if let Err(ShardError::NotAShard | ShardError::Header) = ShardHeader::parse(&bytes) {
            return Err(WriteError::Header(path));
        } else {
            return Err(WriteError::OtherRun(path));
        };
        self.current = Some((file, size as u64));
        self.shards += 1;
        Ok(true)
    }

    /// Returns whether the bytes are a shard of this run that begins after the next game.
    fn is_later_shard(&self, bytes: &[u8]) -> bool {
        ShardHeader::parse(bytes).is_ok_and(|(found, _)| {
            let first_game = found.first_game;
            first_game > self.games && found == ShardHeader { first_game, ..self.header.clone() }
        })
    }

    /// Counts the games in the intact blocks and returns the offset of their end. Drops the short
    /// last block of an earlier run if this run is longer.
    fn intact_blocks(
        &mut self,
        bytes: Vec<u8>,
        path: &Path,
        is_last: bool,
        sink: &mut dyn FnMut(&str),
    ) -> Result<usize, WriteError> {
        let shard = Shard::from_bytes(bytes).map_err(|_| WriteError::OtherRun(path.to_owned()))?;
        let mut end = shard.size();
        let mut last = None;
        let mut damaged = None;
        for block in shard.blocks() {
            match block {
                Ok(block) => {
                    self.games += u64::from(block.games);
                    last = Some(block);
                }
                Err(damage) if is_last => {
                    end = damage.at;
                    damaged = Some(damage);
                }
                Err(damage) => return Err(WriteError::Damaged(path.to_owned(), damage)),
            }
        }
        let continues = is_last && self.games < self.run.games;
        if let Some(block) = last.filter(|block| u64::from(block.games) < self.run.block_games)
            && continues
        {
            self.games -= u64::from(block.games);
            end = block.start;
        }
        if let Some(damage) = damaged {
            sink(&format!(
                "{}: {damage}; the last {} bytes are cut off, and the run resumes at game {}",
                ShownPath(path),
                shard.size() - end,
                self.games
            ));
        }
        Ok(end)
    }

    /// Appends a block of games, to a new shard if the current one has no room.
    pub(crate) fn write(&mut self, games: &[Game]) -> Result<(), WriteError> {
        self.check_room(games.len() as u64)?;
        let block = encode_block(games);
        let limit = self.run.shard_kib << 10;
        let has_room = |size: u64| size + block.len() as u64 <= limit || !self.has_block;
        if !self.current.as_ref().is_some_and(|(_, size)| has_room(*size)) {
            self.begin_shard()?;
        }
        let path = self.path(self.shards - 1);
        let (file, size) = self.current.as_mut().expect("a shard was begun");
        write_at(file, *size, &block).map_err(|error| WriteError::file(&path, error))?;
        *size += block.len() as u64;
        self.has_block = true;
        self.games += games.len() as u64;
        Ok(())
    }

    /// Returns an error if the next existing shard begins within this many more games.
    fn check_room(&self, games: u64) -> Result<(), WriteError> {
        match self.next_shard {
            Some((number, first_game)) if first_game < self.games + games => {
                let path = self.path(number);
                let may_go_on = number == self.shards && first_game == self.games;
                Err(if may_go_on { WriteError::Exists(path) } else { WriteError::NoRoom(path) })
            }
            _ => Ok(()),
        }
    }

    /// Returns number and first game of the first existing shard after those counted.
    fn find_next_shard(&self) -> Option<(u32, u64)> {
        let number_of = |name: OsString| {
            let number = name.to_str()?.strip_prefix(&format!("seed{}-", self.run.seed))?;
            number.strip_suffix(".tabia")?.parse().ok()
        };
        let files = fs::read_dir(&self.folder).ok()?.filter_map(Result::ok);
        let numbers = files.filter_map(|file| number_of(file.file_name()));
        let number = numbers.filter(|&number| number >= self.shards).min()?;
        Some((number, Shard::open(&self.path(number)).ok()?.header.first_game))
    }

    fn begin_shard(&mut self) -> Result<(), WriteError> {
        let path = self.path(self.shards);
        let in_file = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists if path.exists() => self.existing_shard(&path),
            _ => WriteError::file(&path, error),
        };
        let new = OpenOptions::new().write(true).create_new(true).open(&path).map_err(in_file)?;
        let mut file = lock(new, &path)?;
        let header = self.header();
        write_at(&mut file, 0, &header).map_err(in_file)?;
        self.current = Some((file, header.len() as u64));
        self.has_block = false;
        self.shards += 1;
        Ok(())
    }

    /// Returns the error for an existing next shard, which the run can resume only if it begins
    /// with the next game.
    fn existing_shard(&self, path: &Path) -> WriteError {
        let bytes = files::read(path, MAX_FILE_MIB).unwrap_or_default();
        if self.is_later_shard(&bytes) {
            WriteError::NoRoom(path.to_owned())
        } else {
            WriteError::Exists(path.to_owned())
        }
    }
}

fn write_at(file: &mut File, place: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    file.write_all(bytes)
}

/// Locks a file against other runs. Retries, as the lock of a killed run may linger.
fn lock(file: File, path: &Path) -> Result<File, WriteError> {
    const PATIENCE: Duration = Duration::from_millis(50);
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PATIENCE),
            // Some network drives have no locks: there the user must start only one run.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(WriteError::Locked(path.to_owned()))
}

/// Reason why games cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file cannot be accessed.
    #[error("{}: {}", ShownPath(.0), .1)]
    File(PathBuf, io::Error),
    /// Another run is writing to this shard.
    #[error("{} is being written by another run", ShownPath(.0))]
    Locked(PathBuf),
    /// This shard comes from another version of the engine or other options.
    #[error(
        "{} comes from another version or other options: choose another seed or folder",
        ShownPath(.0)
    )]
    OtherRun(PathBuf),
    /// The file does not begin with the header of a shard. A power failure leaves zeros.
    #[error("{} has a damaged header; delete it to have its games generated again", ShownPath(.0))]
    Header(PathBuf),
    /// The next shard exists: one before it was missing and has now been generated.
    #[error("{} already exists", ShownPath(.0))]
    Exists(PathBuf),
    /// The games before this shard do not fit into the one that was missing.
    #[error(
        "the games before {} do not fit: give the --shard-kib and --block-games of its run",
        ShownPath(.0)
    )]
    NoRoom(PathBuf),
    /// A shard is damaged, and more follow it.
    #[error("{}: {}; move it away to have it generated again", ShownPath(.0), .1)]
    Damaged(PathBuf, Damage),
}

impl WriteError {
    fn file(path: &Path, error: io::Error) -> Self {
        Self::File(path.to_owned(), error)
    }
}
