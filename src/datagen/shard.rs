//! The file of games: a header that says how they were made, then blocks of games, each with a checksum.
//! docs/data-format.md describes every byte.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::bytes::{Bytes, crc32};
use super::game::Game;
use super::model;
use super::options::GameOptions;

const MAGIC: &[u8; 8] = b"TABIADAT";
/// Magic, version and length, which no header is without.
const FIXED: usize = 12;
const CHECKSUM: usize = size_of::<u32>();
/// The length of the payload, the number of games, the number of plies.
const BLOCK_HEAD: usize = 12;
/// No file larger than this is read, in bytes: an endless one must not fill the memory.
const MAX_FILE: u64 = 64 << 20;
/// No block has more games than this: the largest that `--block-games` allows.
const MAX_BLOCK_GAMES: u32 = 4096;

/// Version of the format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Version {
    /// Every ply after the opening is a label. Read, but no longer written.
    One = 1,
    /// Each ply says whether it is a label, and labels may have interior labels.
    Two = 2,
}

impl Version {
    /// The version that is written.
    pub const NEWEST: Self = Self::Two;

    fn from_number(number: u16) -> Result<Self, ShardError> {
        match number {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            _ => Err(ShardError::Version(number)),
        }
    }

    /// Returns the number of options in a header of this version, the first of the table.
    const fn options(self) -> usize {
        match self {
            Self::One => GameOptions::VERSION_1,
            Self::Two => GameOptions::TABLE.len(),
        }
    }
}

/// How the games of a shard were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardHeader {
    /// Version of the format.
    pub version: Version,
    /// The SHA-256 of the file of the network that evaluated; zeros for the hand-written evaluation there was before.
    pub net: [u8; 32],
    /// The number that all chance came from.
    pub seed: u64,
    /// The number of the shard's first game.
    pub first_game: u64,
    /// How games went.
    pub options: GameOptions,
    /// The version of the engine, its commit included.
    pub engine: String,
}

impl ShardHeader {
    /// The header as it stands in the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let engine = self.engine.as_bytes();
        let engine = &engine[..engine.len().min(1000)];
        let mut body: Vec<u8> = Vec::new();
        body.extend(self.net);
        body.extend(self.seed.to_le_bytes());
        body.extend(self.first_game.to_le_bytes());
        let options = &GameOptions::TABLE[..self.version.options()];
        body.extend((options.len() as u16).to_le_bytes());
        body.extend(options.iter().flat_map(|spec| spec.get(self.options).to_le_bytes()));
        body.extend((engine.len() as u16).to_le_bytes());
        body.extend(engine);
        let length = (FIXED + body.len() + CHECKSUM) as u16;
        let mut bytes =
            [&MAGIC[..], &(self.version as u16).to_le_bytes(), &length.to_le_bytes()].concat();
        bytes.extend(body);
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header at the beginning of a shard, and tells how long it is.
    ///
    /// # Errors
    /// If there is none, or if it is of another version, cut short or damaged.
    pub fn parse(bytes: &[u8]) -> Result<(Self, usize), ShardError> {
        let mut fixed = Bytes(bytes);
        if fixed.slice(MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(ShardError::NotAShard);
        }
        let version = Version::from_number(fixed.u16().ok_or(ShardError::Header)?)?;
        let length = usize::from(fixed.u16().ok_or(ShardError::Header)?);
        let (summed, sum) = Bytes(bytes)
            .slice(length)
            .and_then(<[u8]>::split_last_chunk::<CHECKSUM>)
            .ok_or(ShardError::Header)?;
        if crc32(summed) != u32::from_le_bytes(*sum) {
            return Err(ShardError::Header);
        }
        let body = summed.get(FIXED..).ok_or(ShardError::Header)?;
        let header = Self::parse_body(version, Bytes(body)).ok_or(ShardError::Header)?;
        Ok((header, length))
    }

    fn parse_body(version: Version, mut body: Bytes<'_>) -> Option<Self> {
        let net = body.array()?;
        let (seed, first_game) = (body.u64()?, body.u64()?);
        let count = body.u16()?;
        let mut options = GameOptions::default();
        if usize::from(count) != version.options() {
            return None;
        }
        for spec in &GameOptions::TABLE[..version.options()] {
            spec.set(&mut options, body.u64()?).ok()?;
        }
        if version == Version::One {
            options = options.version_1();
        }
        let length = body.u16()?;
        let engine = String::from_utf8_lossy(body.slice(length.into())?).into_owned();
        body.0.is_empty().then_some(Self { version, net, seed, first_game, options, engine })
    }
}

/// The block of these games, of which there is at least one.
///
/// # Panics
/// If a game has an illegal move, or if there are too many.
pub fn encode_block(games: &[Game]) -> Vec<u8> {
    assert!(games.len() <= MAX_BLOCK_GAMES as usize, "too many games for a block");
    let payload = model::encode(games);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let mut bytes = Vec::with_capacity(BLOCK_HEAD + payload.len() + CHECKSUM);
    for number in [payload.len(), games.len(), plies] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(payload);
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

/// A file of games.
pub struct Shard {
    /// How they were made.
    pub header: ShardHeader,
    bytes: Vec<u8>,
    /// The length of the header.
    start: usize,
}

impl Shard {
    /// Reads a file; the blocks are not looked at yet.
    ///
    /// # Errors
    /// If it cannot be read, or if it is no shard.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(ShardError::Unreadable)?;
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(ShardError::Unreadable)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(ShardError::NotAShard);
        }
        Self::from_bytes(bytes)
    }

    /// The shard of these bytes; the blocks are not looked at yet.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ShardError> {
        let (header, start) = ShardHeader::parse(&bytes)?;
        Ok(Self { header, bytes, start })
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The blocks, as far as they are whole; what comes last may be the damage that hides the rest.
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks {
            bytes: &self.bytes,
            at: self.start,
            next_game: self.header.first_game,
            version: self.header.version,
        }
    }

    /// Shows every game with its number. What was damaged, and everything behind it, is left out.
    ///
    /// # Errors
    /// The damage, after all games before it were shown; or whatever `visit` ends with.
    pub fn for_each_game<E: From<Damage>>(
        &self,
        mut visit: impl FnMut(u64, Game) -> Result<(), E>,
    ) -> Result<(), E> {
        for block in self.blocks() {
            let block = block?;
            for (index, game) in block.decode()?.into_iter().enumerate() {
                visit(block.first_game.wrapping_add(index as u64), game)?;
            }
        }
        Ok(())
    }
}

/// A block whose checksum is right.
#[derive(Copy, Clone, Debug)]
pub struct Block<'a> {
    /// The number of its first game.
    pub first_game: u64,
    /// How many games there are in it.
    pub games: u32,
    /// Number of plies after the openings of all its games.
    pub plies: u32,
    /// Where it begins in the file.
    pub start: usize,
    /// Where it ends in the file.
    pub end: usize,
    payload: &'a [u8],
    version: Version,
}

impl Block<'_> {
    /// Its games.
    ///
    /// # Errors
    /// If no games are coded like this, which a right checksum makes all but impossible.
    pub fn decode(&self) -> Result<Vec<Game>, Damage> {
        let damage = Damage { at: self.start, kind: DamageKind::NoGames };
        let games = model::decode(self.payload, self.games, self.version).map_err(|_| damage)?;
        let plies: usize = games.iter().map(|game| game.plies.len()).sum();
        if plies == self.plies as usize { Ok(games) } else { Err(damage) }
    }
}

/// The blocks of a shard.
pub struct Blocks<'a> {
    bytes: &'a [u8],
    at: usize,
    next_game: u64,
    version: Version,
}

impl<'a> Blocks<'a> {
    /// The block that begins where we are.
    fn block(&self) -> Result<Block<'a>, DamageKind> {
        let rest = &self.bytes[self.at..];
        let mut bytes = Bytes(rest);
        let mut number = || bytes.u32().ok_or(DamageKind::Truncated);
        let (length, games, plies) = (number()? as usize, number()?, number()?);
        if games == 0 || games > MAX_BLOCK_GAMES {
            return Err(DamageKind::Checksum);
        }
        let payload = bytes.slice(length).ok_or(DamageKind::Truncated)?;
        let sum = bytes.u32().ok_or(DamageKind::Truncated)?;
        if crc32(&rest[..BLOCK_HEAD + length]) != sum {
            return Err(DamageKind::Checksum);
        }
        let end = self.at + BLOCK_HEAD + length + CHECKSUM;
        let (first_game, start, version) = (self.next_game, self.at, self.version);
        Ok(Block { first_game, games, plies, start, end, payload, version })
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.bytes.len() {
            return None;
        }
        let found = self.block().map_err(|kind| Damage { at: self.at, kind });
        match &found {
            Ok(block) => {
                self.at = block.end;
                self.next_game = self.next_game.wrapping_add(block.games.into());
            }
            // Where the next block would begin cannot be known.
            Err(_) => self.at = self.bytes.len(),
        }
        Some(found)
    }
}

/// Where a shard cannot be read any further.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The first byte of the block concerned.
    pub at: usize,
    /// What is wrong with it.
    pub kind: DamageKind,
}

/// What is wrong with a block.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DamageKind {
    /// The file ends before it does.
    Truncated,
    /// Its bytes are not those that were written.
    Checksum,
    /// The bytes code no games.
    NoGames,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DamageKind::Truncated => "is cut short",
            DamageKind::Checksum => "is damaged",
            DamageKind::NoGames => "codes no games",
        };
        write!(f, "the block at byte {} {what}", self.at)
    }
}

impl std::error::Error for Damage {}

/// Why a file is no shard.
#[derive(Debug)]
pub enum ShardError {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It does not begin like one, or is far too large.
    NotAShard,
    /// It is of a version not known here.
    Version(u16),
    /// Its header is cut short or damaged.
    Header,
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::NotAShard => f.write_str("is no shard of games"),
            Self::Version(version) => {
                let newest = Version::NEWEST as u16;
                write!(f, "has version {version} of the format; this program reads 1 to {newest}")
            }
            Self::Header => f.write_str("has a header that is cut short or damaged"),
        }
    }
}

impl std::error::Error for ShardError {}
