//! The folder that a run writes to, and where an earlier run of the same command ended.
//!
//! Shards are only ever added to, a block at a time, so whatever ends the program leaves whole blocks and perhaps the
//! beginning of one more. That is cut off, and the run goes on from there as if nothing had been. A shard that was taken
//! away is made again: the games come to where the next one begins, and that is taken up.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io, thread};

use super::game::Game;
use super::options::RunOptions;
use super::shard::{Damage, Shard, ShardHeader, encode_block};

/// The shards of one seed in a folder.
pub(super) struct ShardWriter {
    folder: PathBuf,
    /// The header of the next shard, but for its first game.
    header: ShardHeader,
    run: RunOptions,
    /// The shard being written, locked, and its size; `None` before the first.
    current: Option<(File, u64)>,
    /// Whether it has a block yet.
    has_block: bool,
    /// Shards begun.
    shards: u32,
    /// Games written.
    games: u64,
}

impl ShardWriter {
    /// Finds out what is in the folder, which is made if it is not there. What has to be cut off is told to `sink`.
    pub(super) fn open(
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
        };
        while writer.path(writer.shards).exists() {
            writer.take_up(sink)?;
        }
        Ok(writer)
    }

    /// Games that are there.
    pub(super) const fn games(&self) -> u64 {
        self.games
    }

    /// Shards that are there.
    pub(super) const fn shards(&self) -> u32 {
        self.shards
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("seed{}-{number:05}.tabia", self.run.seed))
    }

    fn header(&self) -> Vec<u8> {
        ShardHeader { first_game: self.games, ..self.header.clone() }.to_bytes()
    }

    /// Takes up the next shard that is there, and cuts off what is not whole, which only the last one may have.
    fn take_up(&mut self, sink: &mut dyn FnMut(&str)) -> Result<(), WriteError> {
        let path = self.path(self.shards);
        let is_last = !self.path(self.shards + 1).exists();
        let in_file = |error| WriteError::file(&path, error);
        let options = OpenOptions::new().read(true).write(true).open(&path);
        let mut file = lock(options.map_err(in_file)?, &path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(in_file)?;
        let header = self.header();
        let is_begun = bytes.len() < header.len() && header.starts_with(&bytes);
        let size = if is_begun && is_last {
            write_at(&mut file, 0, &header).map_err(in_file)?;
            self.has_block = false;
            header.len()
        } else if bytes.starts_with(&header) {
            let end = self.whole_blocks(bytes, &path, is_last, sink)?;
            file.set_len(end as u64).map_err(in_file)?;
            self.has_block = end > header.len();
            end
        } else {
            return Err(WriteError::OtherRun(path));
        };
        self.current = Some((file, size as u64));
        self.shards += 1;
        Ok(())
    }

    /// Counts the games of a shard as far as it is whole, and tells where that part ends. A last block that is smaller
    /// than the others, because the run was to end there, is left out if this one is to go on.
    fn whole_blocks(
        &mut self,
        bytes: Vec<u8>,
        path: &Path,
        is_last: bool,
        sink: &mut dyn FnMut(&str),
    ) -> Result<usize, WriteError> {
        let shard = Shard::from_bytes(bytes).map_err(|_| WriteError::OtherRun(path.to_owned()))?;
        let mut end = shard.size();
        let (mut last, mut damaged) = (None, None);
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
        let goes_on = is_last && self.games < self.run.games;
        if let Some(block) = last.filter(|block| u64::from(block.games) < self.run.block_games)
            && goes_on
        {
            self.games -= u64::from(block.games);
            end = block.start;
        }
        if let Some(damage) = damaged {
            let (path, bytes, next) = (path.display(), shard.size() - end, self.games);
            sink(&format!(
                "{path}: {damage}; the last {bytes} bytes are cut off, and game {next} is the next"
            ));
        }
        Ok(end)
    }

    /// Adds a block of games, to a new shard if the present one has no room for it.
    pub(super) fn write(&mut self, games: &[Game]) -> Result<(), WriteError> {
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

    fn begin_shard(&mut self) -> Result<(), WriteError> {
        let path = self.path(self.shards);
        let in_file = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists if path.exists() => WriteError::Exists(path.clone()),
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
}

fn write_at(file: &mut File, place: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    file.write_all(bytes)
}

/// Makes sure that no other run writes to the file while this one has it open. One that was just killed may take a
/// moment to let go of it.
fn lock(file: File, path: &Path) -> Result<File, WriteError> {
    const PATIENCE: Duration = Duration::from_millis(50);
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PATIENCE),
            // Some network drives know no locks: then it is for the user to run only one.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(WriteError::Locked(path.to_owned()))
}

/// Why games cannot be written.
#[derive(Debug)]
pub enum WriteError {
    /// The system refuses.
    File(PathBuf, io::Error),
    /// Another run writes to this shard now.
    Locked(PathBuf),
    /// This shard of the same seed was made by another version of the engine, or with other options.
    OtherRun(PathBuf),
    /// The shard to be begun is there already: one before it was missing, and has now been made.
    Exists(PathBuf),
    /// A shard is damaged, and there are more after it.
    Damaged(PathBuf, Damage),
}

impl WriteError {
    fn file(path: &Path, error: io::Error) -> Self {
        Self::File(path.to_owned(), error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Locked(path) => {
                write!(f, "{} is being written by another run", path.display())
            }
            Self::OtherRun(path) => write!(
                f,
                "{} was made by another version or with other options: take another seed or folder",
                path.display()
            ),
            Self::Exists(path) => write!(f, "{} is there already", path.display()),
            Self::Damaged(path, damage) => {
                write!(f, "{}: {damage}; move it away, and it is made again", path.display())
            }
        }
    }
}

impl std::error::Error for WriteError {}
