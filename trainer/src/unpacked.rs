//! Games of a shard without compression, kept beside it for the next training of the same games.
//!
//! A shard packs a ply into two bytes and needs the legal moves in order to unpack it, which takes
//! longer than everything else that is done with a game. These files have four bytes a ply and
//! can be deleted at any time.
//!
//! ```text
//! magic, checksum of the shard's blocks, checksum of the rest
//! number of blocks, for each block its number of words
//! games in words of 16 bits
//! ```
//!
//! All numbers have the byte order of the machine.

use std::fs;
use std::path::{Path, PathBuf};

use tabia::board::GameResult;
use tabia::datagen::{BackRanks, Damage, Ending, Game, Interior, Ply, ShardBlock, Verdict};
use tabia::files;
use tabia::types::{Move, Score};

use crate::checksum::{self, Checksum, checksum};

/// First number of a file. Read in another byte order, it is a different one.
const MAGIC: u64 = u64::from_le_bytes(*b"TABIAUN1");
const HEAD: usize = size_of::<u64>() + 2 * checksum::LENGTH;
/// Maximum size: sixteen times that of the largest shard.
const MAX_MIB: u64 = 1024;
/// Score of a ply without a label.
const NO_SCORE: i16 = i16::MIN;

/// Games of some blocks of a shard.
pub struct Unpacked {
    path: PathBuf,
    /// Checksum of the blocks.
    blocks: Checksum,
    /// True if the file has these blocks.
    is_kept: bool,
    /// For each block its games in words, or nothing as long as they are not known.
    words: Vec<Vec<u16>>,
}

impl Unpacked {
    /// Reads what is kept of these blocks of a shard.
    pub fn open(shard: &Path, blocks: &[ShardBlock<'_>]) -> Self {
        let path = shard.with_extension("games");
        let sum = checksum(blocks.iter().map(ShardBlock::payload));
        let kept = files::read(&path, MAX_MIB).ok().and_then(|bytes| parse(&bytes, sum));
        let is_kept = kept.is_some();
        let words = kept.unwrap_or_else(|| vec![Vec::new(); blocks.len()]);
        Self { path, blocks: sum, is_kept, words }
    }

    /// Returns the words of each block, for [`games`].
    pub fn words(&mut self) -> &mut [Vec<u16>] {
        &mut self.words
    }

    /// Keeps the games, which must all be known by now. If the file cannot be written, the next
    /// training unpacks the shard again.
    pub fn keep(&self) {
        let new = self.path.with_extension("games-new");
        if !self.is_kept
            && fs::write(&new, self.to_bytes()).and_then(|()| fs::rename(&new, &self.path)).is_err()
        {
            drop(fs::remove_file(&new));
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut body = (self.words.len() as u64).to_ne_bytes().to_vec();
        for words in &self.words {
            body.extend((words.len() as u64).to_ne_bytes());
        }
        for words in &self.words {
            body.extend_from_slice(bytemuck::cast_slice(words));
        }
        [head(self.blocks, &body), body].concat()
    }
}

/// Returns the games of a block and their words, by whichever is known.
///
/// # Errors
/// If the block does not decode.
pub fn games(block: &ShardBlock<'_>, words: &mut Vec<u16>) -> Result<Vec<Game>, Damage> {
    if words.is_empty() {
        let games = block.decode()?;
        games.iter().for_each(|game| write(game, words));
        return Ok(games);
    }
    let mut words = Words(words);
    Ok((0..block.games).map(|_| words.game().expect("the checksum is right")).collect())
}

fn head(blocks: Checksum, body: &[u8]) -> Vec<u8> {
    [&MAGIC.to_ne_bytes()[..], &blocks, &checksum([body])].concat()
}

/// Returns the words of each block; `None` if the file is damaged or of other blocks.
fn parse(bytes: &[u8], blocks: Checksum) -> Option<Vec<Vec<u16>>> {
    let (start, body) = bytes.split_at_checked(HEAD)?;
    if start != head(blocks, body) {
        return None;
    }
    let (count, rest) = body.split_first_chunk()?;
    let count = usize::try_from(u64::from_ne_bytes(*count)).ok()?;
    let (lengths, mut rest) = rest.split_at_checked(count.checked_mul(size_of::<u64>())?)?;
    let lengths: Vec<u64> = bytemuck::pod_collect_to_vec(lengths);
    let mut next = |length: u64| {
        let (words, after) = rest.split_at_checked(length as usize * size_of::<u16>())?;
        rest = after;
        Some(bytemuck::pod_collect_to_vec(words))
    };
    lengths.into_iter().map(&mut next).collect()
}

fn write(game: &Game, words: &mut Vec<u16>) {
    let Game { back_ranks, opening, plies, interior, verdict } = game;
    words.extend([back_ranks.white, back_ranks.black]);
    words.extend([verdict.result as u16, verdict.ending.number().into()]);
    words.extend([opening.len(), plies.len(), interior.len()].map(|length| length as u16));
    words.extend(opening.iter().map(|mv| mv.bits()));
    for ply in plies {
        let score = ply.score.map_or(NO_SCORE, |score| score.0 as i16);
        words.extend([ply.mv.bits(), score as u16]);
    }
    for Interior { ply, path, mv, score } in interior {
        words.extend([*ply as u16, mv.bits(), score.0 as u16, path.len() as u16]);
        words.extend(path.iter().map(|mv| mv.bits()));
    }
}

/// Words that are still to be read.
struct Words<'a>(&'a [u16]);

impl Words<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u16; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn moves(&mut self, count: u16) -> Option<Vec<Move>> {
        let (moves, rest) = self.0.split_at_checked(count.into())?;
        self.0 = rest;
        moves.iter().copied().map(Move::from_bits).collect()
    }

    fn game(&mut self) -> Option<Game> {
        let [white, black, result, ending, opening, plies, interior] = self.take()?;
        Some(Game {
            back_ranks: BackRanks { white, black },
            verdict: Verdict {
                result: *GameResult::ALL.get(usize::from(result))?,
                ending: *Ending::ALL.get(usize::from(ending))?,
            },
            opening: self.moves(opening)?,
            plies: (0..plies).map(|_| self.ply()).collect::<Option<_>>()?,
            interior: (0..interior).map(|_| self.interior()).collect::<Option<_>>()?,
        })
    }

    fn ply(&mut self) -> Option<Ply> {
        let [mv, score] = self.take()?;
        let is_label = score as i16 != NO_SCORE;
        let score = is_label.then_some(Score((score as i16).into()));
        Some(Ply { mv: Move::from_bits(mv)?, score })
    }

    fn interior(&mut self) -> Option<Interior> {
        let [ply, mv, score, length] = self.take()?;
        Some(Interior {
            ply: ply.into(),
            path: self.moves(length)?,
            mv: Move::from_bits(mv)?,
            score: Score((score as i16).into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use tabia::board::Termination;
    use tabia::types::{MoveKind, Square};

    use super::*;

    #[test]
    fn every_field_of_a_game_is_kept() {
        let push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        let capture = Move::new(Square::E4, Square::D5, MoveKind::Capture);
        let label = |ply, score| Interior {
            ply,
            path: vec![capture, push],
            mv: capture,
            score: Score(score),
        };
        let game = Game {
            back_ranks: BackRanks { white: 959, black: 0 },
            opening: vec![push, capture, push],
            plies: vec![
                Ply { mv: push, score: None },
                Ply { mv: capture, score: Some(Score::MATE) },
                Ply { mv: push, score: Some(-Score::MATE) },
            ],
            interior: vec![label(1, -350), label(2, 31)],
            verdict: Verdict {
                result: GameResult::BlackWins,
                ending: Ending::Rule(Termination::FiftyMoves),
            },
        };
        let games = [game.clone(), Game { interior: Vec::new(), ..game.clone() }, game];
        let mut words = Vec::new();
        games.iter().for_each(|game| write(game, &mut words));
        let mut rest = Words(&words);
        assert_eq!(games.each_ref().map(|_| rest.game().expect("complete")), games);
        assert!(rest.0.is_empty());
        // A word less is missed somewhere.
        let mut rest = Words(&words[..words.len() - 1]);
        assert!((0..games.len()).map(|_| rest.game()).any(|game| game.is_none()));
    }
}
