//! Shard: a file of games with a header and blocks, each with a checksum (docs/data-format.md).

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::datagen::game::Game;
use crate::datagen::options::GameOptions;
use crate::files;

use super::bytes::Bytes;
use super::{Version, model};

const MAGIC: &[u8; 8] = b"TABIADAT";
/// Length of magic, version and header length.
const FIXED: usize = 12;
const CHECKSUM: usize = size_of::<u32>();
/// Lengths of payload, games and plies, four bytes each.
const BLOCK_HEAD: usize = 12;
/// Maximum size of a shard in MiB, above that of `--shard-kib`.
pub(super) const MAX_FILE_MIB: u64 = 64;
/// Maximum length of the engine's version; the rest is cut off.
const MAX_ENGINE_BYTES: usize = 1000;
/// Largest number of games in a block, also the limit of `--block-games`.
const MAX_BLOCK_GAMES: u32 = 4096;

/// Header: origin of the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardHeader {
    /// Version of the format.
    pub version: Version,
    /// SHA-256 of the network's file; zeros for the former hand-written evaluation.
    pub net: [u8; 32],
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of the shard's first game.
    pub first_game: u64,
    /// Options of the games.
    pub options: GameOptions,
    /// Version of the engine, with its commit.
    pub engine: String,
}

impl ShardHeader {
    /// Returns the bytes of the header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let engine = &self.engine.as_bytes()[..self.engine.len().min(MAX_ENGINE_BYTES)];
        let mut body: Vec<u8> = Vec::new();
        body.extend(self.net);
        body.extend(self.seed.to_le_bytes());
        body.extend(self.first_game.to_le_bytes());
        let options = &GameOptions::TABLE[..self.version.option_count()];
        body.extend((options.len() as u16).to_le_bytes());
        body.extend(options.iter().flat_map(|spec| spec.get(self.options).to_le_bytes()));
        body.extend((engine.len() as u16).to_le_bytes());
        body.extend(engine);
        let length = (FIXED + body.len() + CHECKSUM) as u16;
        let mut bytes =
            [&MAGIC[..], &(self.version as u16).to_le_bytes(), &length.to_le_bytes()].concat();
        bytes.extend(body);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Parses the header of a shard. Returns it and its length.
    pub fn parse(bytes: &[u8]) -> Result<(Self, usize), ShardError> {
        let mut fixed = Bytes(bytes);
        if fixed.slice(MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(ShardError::NotAShard);
        }
        let number = fixed.u16().ok_or(ShardError::Header)?;
        let version = Version::from_number(number).ok_or(ShardError::Version(number))?;
        let length = usize::from(fixed.u16().ok_or(ShardError::Header)?);
        let (summed, sum) = Bytes(bytes)
            .slice(length)
            .and_then(<[u8]>::split_last_chunk::<CHECKSUM>)
            .ok_or(ShardError::Header)?;
        if crc32fast::hash(summed) != u32::from_le_bytes(*sum) {
            return Err(ShardError::Header);
        }
        let body = summed.get(FIXED..).ok_or(ShardError::Header)?;
        let header = Self::parse_body(version, Bytes(body)).ok_or(ShardError::Header)?;
        Ok((header, length))
    }

    fn parse_body(version: Version, mut body: Bytes<'_>) -> Option<Self> {
        let net = body.array()?;
        let seed = body.u64()?;
        let first_game = body.u64()?;
        let count = body.u16()?;
        let mut options = GameOptions::default();
        if usize::from(count) != version.option_count() {
            return None;
        }
        for spec in &GameOptions::TABLE[..version.option_count()] {
            spec.set(&mut options, body.u64()?).ok()?;
        }
        if version == Version::One {
            options = options.version_1();
        }
        let length = body.u16()?;
        let engine = String::from_utf8_lossy(body.slice(length.into())?);
        let engine = engine.replace(char::is_control, "\u{fffd}");
        body.0.is_empty().then_some(Self { version, net, seed, first_game, options, engine })
    }
}

/// Encodes games, at least one, as a block of the newest version.
///
/// # Panics
/// If there are too many games, or if one has an illegal move or too many plies or labels.
pub fn encode_block(games: &[Game]) -> Vec<u8> {
    assert!(games.len() <= MAX_BLOCK_GAMES as usize, "too many games for a block");
    let payload = model::encode(games);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let mut bytes = Vec::with_capacity(BLOCK_HEAD + payload.len() + CHECKSUM);
    for number in [payload.len(), games.len(), plies] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(payload);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Shard in memory.
pub struct Shard {
    /// Header: origin of the games.
    pub header: ShardHeader,
    bytes: Vec<u8>,
    /// Length of the header in bytes.
    start: usize,
}

impl Shard {
    /// Reads a file and parses its header, but no block yet.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        Self::from_bytes(files::read(path, MAX_FILE_MIB).map_err(ShardError::Io)?)
    }

    /// Parses the header, but no block yet.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ShardError> {
        let (header, start) = ShardHeader::parse(&bytes)?;
        Ok(Self { header, bytes, start })
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the blocks. Damage is the last item.
    pub fn blocks(&self) -> ShardBlocks<'_> {
        ShardBlocks {
            bytes: &self.bytes,
            at: self.start,
            next_game: self.header.first_game,
            version: self.header.version,
        }
    }

    /// Calls `visit` with each game and its number, up to the first damage.
    ///
    /// # Errors
    /// The damage, after the games before it, or an error of `visit`.
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

/// A block with a valid checksum.
#[derive(Copy, Clone, Debug)]
pub struct ShardBlock<'a> {
    /// Number of its first game.
    pub first_game: u64,
    /// Number of games.
    pub games: u32,
    /// Plies after the openings of all its games.
    pub plies: u32,
    /// Offset of its first byte in the file.
    pub start: usize,
    /// Offset of its end in the file.
    pub end: usize,
    payload: &'a [u8],
    version: Version,
}

impl<'a> ShardBlock<'a> {
    /// Returns the games in the form in which they are stored.
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Decodes the games.
    ///
    /// # Errors
    /// If the payload is invalid, which is very unlikely with a valid checksum.
    pub fn decode(&self) -> Result<Vec<Game>, Damage> {
        let damage = Damage { at: self.start, kind: DamageKind::NoGames };
        let games = model::decode(self.payload, self.games, self.version).map_err(|_| damage)?;
        let plies: usize = games.iter().map(|game| game.plies.len()).sum();
        if plies == self.plies as usize { Ok(games) } else { Err(damage) }
    }
}

/// Iterator over the blocks of a shard.
pub struct ShardBlocks<'a> {
    bytes: &'a [u8],
    at: usize,
    next_game: u64,
    version: Version,
}

impl<'a> ShardBlocks<'a> {
    fn block(&self) -> Result<ShardBlock<'a>, DamageKind> {
        let rest = &self.bytes[self.at..];
        let mut bytes = Bytes(rest);
        let mut number = || bytes.u32().ok_or(DamageKind::Truncated);
        let length = number()? as usize;
        let games = number()?;
        let plies = number()?;
        if games == 0 || games > MAX_BLOCK_GAMES {
            return Err(DamageKind::Checksum);
        }
        let payload = bytes.slice(length).ok_or(DamageKind::Truncated)?;
        let sum = bytes.u32().ok_or(DamageKind::Truncated)?;
        if crc32fast::hash(&rest[..BLOCK_HEAD + length]) != sum {
            return Err(DamageKind::Checksum);
        }
        Ok(ShardBlock {
            first_game: self.next_game,
            games,
            plies,
            start: self.at,
            end: self.at + BLOCK_HEAD + length + CHECKSUM,
            payload,
            version: self.version,
        })
    }
}

impl<'a> Iterator for ShardBlocks<'a> {
    type Item = Result<ShardBlock<'a>, Damage>;

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
            // The start of the next block is unknown.
            Err(_) => self.at = self.bytes.len(),
        }
        Some(found)
    }
}

/// Damage in a shard, whose rest cannot be read.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
#[error("the block at byte {at} {kind}")]
pub struct Damage {
    /// Offset of the damaged block.
    pub at: usize,
    /// Kind of damage.
    pub kind: DamageKind,
}

/// Kind of damage in a block.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum DamageKind {
    /// The file ends within the block.
    #[error("is truncated")]
    Truncated,
    /// The checksum is wrong.
    #[error("is damaged")]
    Checksum,
    /// The payload does not decode to games.
    #[error("does not decode to games")]
    NoGames,
}

/// Reason why a file is not a shard.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The magic number is missing.
    #[error("is not a shard of games")]
    NotAShard,
    /// The version is not supported.
    #[error(
        "has format version {0}; this program reads 1 to {newest}",
        newest = Version::NEWEST as u16
    )]
    Version(u16),
    /// The header is truncated or damaged.
    #[error("has a truncated or damaged header")]
    Header,
}
