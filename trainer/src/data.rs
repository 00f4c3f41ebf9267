//! Reads training positions from shards of games.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};

use tabia::board::Board;
use tabia::datagen::{Damage, Game, KeepFilter, Shard, ShardBlock, ShardError};
use tabia::eval::network;
use tabia::text::ShownPath;
use tabia::types::Color;
use tabia::zobrist::Key;
use thiserror::Error;

use crate::checksum::{Checksum, checksum};
use crate::distillation::Distiller;
use crate::judge::Judge;
use crate::learner::share;
use crate::recipe::{Distillation, Games, LastStage, Positions, Recipe};
use crate::record::Record;
use crate::target::{TargetRule, chance};
use crate::unpacked::{self, Unpacked};

/// Training and test positions of a recipe.
#[derive(Default)]
pub struct DataSet {
    /// Labels in the order of the games, then distilled positions.
    pub training: Vec<Record>,
    /// Number of labels in `training`.
    pub labels: usize,
    /// Targets of the labels in the last stage, in their order; empty without one.
    pub last_targets: Vec<f32>,
    /// Test positions from held-out games.
    pub held_out: Vec<Record>,
    /// Second test set: positions from inside searches, none of them a training label.
    pub off_line: Vec<Record>,
    /// Third test set, the same for all recipes.
    pub judge: Option<Judge>,
    /// Number of duplicates left out.
    pub duplicates: u64,
}

impl DataSet {
    /// Reads the games of a recipe from a folder of shards. `teacher` is the network of its
    /// distillation; `progress` gets the number of games read.
    pub fn read(
        recipe: &Recipe,
        teacher: Option<&network::Parameters>,
        folder: &Path,
        threads: usize,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, DataSetError> {
        let mut collector = Collector {
            recipe,
            distiller: teacher.and_then(|teacher| Distiller::new(recipe, teacher)),
            threads,
            seen: Seen::new(threads),
            data: Self::default(),
            distilled: Vec::new(),
            games: 0,
        };
        if let Some(games) = &recipe.off_line {
            collector.read_off_line(games, folder)?;
        }
        recipe.games.iter().try_for_each(|games| collector.read(games, folder, progress))?;
        let Collector { mut data, mut distilled, seen, .. } = collector;
        drop(seen);
        data.labels = data.training.len();
        // Not more than that: by itself the vector would double.
        data.training.reserve_exact(distilled.len());
        data.training.append(&mut distilled);
        Ok(data)
    }

    /// Returns the checksum of all positions with their targets.
    pub fn checksum(&self) -> Checksum {
        let parts = [&self.training[..], &self.held_out, &self.off_line];
        let lengths = parts.map(|part| part.len() as u64);
        let records = parts.map(bytemuck::cast_slice::<Record, u8>);
        let last_targets = bytemuck::cast_slice(&self.last_targets);
        let others = [bytemuck::cast_slice(&lengths), last_targets];
        checksum(others.into_iter().chain(records))
    }
}

/// Counts the games of a seed in a folder, up to the number in the recipe or the first gap.
pub fn count(games: &Games, folder: &Path) -> Result<u64, DataSetError> {
    let mut found = 0;
    let end = for_each_shard(games, folder, |_, blocks| {
        found = blocks.last().map_or(found, end_of);
        Ok(())
    });
    match end {
        // An interrupted run leaves these. `tabia datagen` resumes it, or names the fault.
        Err(DataSetError::Gap(..) | DataSetError::Shard(..)) => Ok(found),
        end => end,
    }
}

/// Visits the shards of a seed in order: their paths, and their intact blocks up to the last game
/// needed. Returns the number of games found.
fn for_each_shard(
    games: &Games,
    folder: &Path,
    mut visit: impl FnMut(&Path, &[ShardBlock<'_>]) -> Result<(), Damage>,
) -> Result<u64, DataSetError> {
    let shard_path = |number: u32| folder.join(format!("seed{}-{number:05}.tabia", games.seed));
    let mut next = 0;
    for number in 0.. {
        let path = shard_path(number);
        if next >= games.count || !path.exists() {
            break;
        }
        // Checked before reading: a shard that is followed by another one is complete.
        let is_last = !shard_path(number + 1).exists();
        let shard = Shard::open(&path).map_err(|error| DataSetError::Shard(path.clone(), error))?;
        if let Some(field) = games.mismatch(&shard.header) {
            return Err(DataSetError::Mismatch(path, field));
        }
        if shard.header.first_game != next {
            return Err(DataSetError::Gap(path, next));
        }
        let damaged = |damage| DataSetError::Damaged(path.clone(), damage);
        let mut blocks: Vec<ShardBlock<'_>> = Vec::new();
        for block in shard.blocks() {
            match block {
                Ok(block) if next < games.count => {
                    blocks.push(block);
                    next = end_of(&block);
                }
                // The last block of a shard that is still being written may be truncated.
                Err(damage) if next < games.count && !is_last => return Err(damaged(damage)),
                _ => break,
            }
        }
        visit(&path, &blocks).map_err(damaged)?;
    }
    Ok(next.min(games.count))
}

fn demand_all(games: &Games, found: u64, folder: &Path) -> Result<(), DataSetError> {
    if found == games.count {
        return Ok(());
    }
    let (seed, games) = (games.seed, games.count);
    Err(DataSetError::Missing { folder: folder.to_owned(), seed, found, games })
}

fn filter(wanted: &Positions) -> KeepFilter {
    KeepFilter { min_ply: wanted.min_ply, max_score: wanted.max_score, ..KeepFilter::default() }
}

fn end_of(block: &ShardBlock<'_>) -> u64 {
    block.first_game + u64::from(block.games)
}

/// Blocks that are read before their positions are taken.
const BLOCKS_AT_ONCE: usize = 256;

/// A label with its key and its target in the last stage, which is not used without one.
type Keyed = (Key, Record, f32);

/// Positions of a block of games.
#[derive(Default)]
struct BlockPositions {
    labels: Vec<Keyed>,
    /// For each game the end of its labels, and whether it is held out.
    games: Vec<(usize, bool)>,
    distilled: Vec<Record>,
    /// Distilled positions to test on.
    distilled_held_out: Vec<Record>,
}

struct Collector<'a> {
    recipe: &'a Recipe,
    distiller: Option<Distiller<'a>>,
    threads: usize,
    seen: Seen,
    data: DataSet,
    distilled: Vec<Record>,
    /// Number of games read, of all seeds.
    games: u64,
}

impl Collector<'_> {
    fn read(
        &mut self,
        games: &Games,
        folder: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), DataSetError> {
        let before = self.games;
        let found = for_each_shard(games, folder, |shard, blocks| {
            let mut unpacked = Unpacked::open(shard, blocks);
            let words = unpacked.words().chunks_mut(BLOCKS_AT_ONCE);
            for (blocks, words) in blocks.chunks(BLOCKS_AT_ONCE).zip(words) {
                self.read_blocks(blocks, words, games, before)?;
                self.games = before + blocks.last().map_or(0, end_of).min(games.count);
                progress(self.games);
            }
            unpacked.keep();
            Ok(())
        })?;
        demand_all(games, found, folder)
    }

    /// Reads the off-line test set. Comes first, so that training leaves out its positions.
    fn read_off_line(&mut self, games: &Games, folder: &Path) -> Result<(), DataSetError> {
        let (filter, scale) = (filter(&self.recipe.positions), self.recipe.training.scale);
        let found = for_each_shard(games, folder, |_, blocks| {
            for block in blocks {
                for (_, game) in (block.first_game..games.count).zip(block.decode()?) {
                    game.for_each_interior_label(|label| {
                        if filter.keeps(label) && self.seen.insert(label.board.key()) {
                            let target = chance(label.score, scale) as f32;
                            self.data.off_line.push(Record::new(label.board, target));
                        }
                    });
                }
            }
            Ok(())
        })?;
        demand_all(games, found, folder)
    }

    /// Collects the positions of some blocks with their words. `before` is the number of games of
    /// earlier seeds.
    fn read_blocks(
        &mut self,
        blocks: &[ShardBlock<'_>],
        words: &mut [Vec<u16>],
        games: &Games,
        before: u64,
    ) -> Result<(), Damage> {
        let mut found: Vec<Result<BlockPositions, Damage>> =
            blocks.iter().map(|_| Ok(BlockPositions::default())).collect();
        let this = &*self;
        let jobs = blocks.iter().zip(words).zip(&mut found);
        share(&mut vec![(); self.threads], jobs, |_, ((block, words), found)| {
            *found = unpacked::games(block, words)
                .map(|decoded| this.positions(block, decoded, games, before));
        });
        let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
        self.take(found);
        Ok(())
    }

    fn positions(
        &self,
        block: &ShardBlock<'_>,
        decoded: Vec<Game>,
        games: &Games,
        before: u64,
    ) -> BlockPositions {
        let every = self.recipe.positions.held_out;
        let mut found = BlockPositions::default();
        for (number, game) in (block.first_game..games.count).zip(decoded) {
            let is_held_out = number % every == every - 1;
            if !self.is_alone() {
                add_labels(&mut found.labels, self.recipe, games, number, &game);
            }
            found.games.push((found.labels.len(), is_held_out));
            // Those of held-out games are tested on only if there are no labels.
            if let Some(distiller) = &self.distiller
                && (!is_held_out || self.is_alone())
            {
                let part =
                    if is_held_out { &mut found.distilled_held_out } else { &mut found.distilled };
                part.extend(distiller.positions(&game, games.seed, number, before + number));
            }
        }
        found
    }

    /// Returns whether training uses only distilled positions.
    fn is_alone(&self) -> bool {
        self.recipe.distillation.as_ref().is_some_and(Distillation::is_alone)
    }

    /// Takes the positions of some blocks, without duplicate labels.
    fn take(&mut self, blocks: Vec<BlockPositions>) {
        let mut duplicates = self.seen.duplicates(&blocks).into_iter().peekable();
        let mut index = 0;
        for BlockPositions { labels, games, distilled, distilled_held_out } in blocks {
            let mut labels = labels.into_iter();
            let mut start = 0;
            for (end, is_held_out) in games {
                for (_, record, last_target) in labels.by_ref().take(end - start) {
                    if duplicates.next_if_eq(&index).is_some() {
                        self.data.duplicates += 1;
                    } else if is_held_out {
                        self.data.held_out.push(record);
                    } else {
                        self.data.training.push(record);
                        if self.recipe.last_stage.is_some() {
                            self.data.last_targets.push(last_target);
                        }
                    }
                    index += 1;
                }
                start = end;
            }
            self.distilled.extend(distilled);
            self.data.held_out.extend(distilled_held_out);
        }
    }
}

/// Keys of the positions so far, in sets that threads share out. A set that grows needs room for a
/// second one, so there are many.
struct Seen {
    sets: Vec<HashSet<Key, BuildHasherDefault<KeyHasher>>>,
    threads: usize,
}

impl Seen {
    const SETS: usize = 64;

    fn new(threads: usize) -> Self {
        let sets = (0..Self::SETS).map(|_| HashSet::default()).collect();
        Self { sets, threads: threads.clamp(1, Self::SETS) }
    }

    /// Returns the set of a key, by bits that no set uses for its own order.
    const fn set_of(key: Key) -> usize {
        (key.0 >> 48) as usize % Self::SETS
    }

    /// Adds a key and returns whether it is new.
    fn insert(&mut self, key: Key) -> bool {
        self.sets[Self::set_of(key)].insert(key)
    }

    /// Adds the keys of all labels. Returns the indices of those that were there before.
    fn duplicates(&mut self, blocks: &[BlockPositions]) -> Vec<usize> {
        let per_thread = Self::SETS.div_ceil(self.threads);
        let mut found = vec![Vec::new(); self.threads];
        let jobs = self.sets.chunks_mut(per_thread).zip(&mut found).enumerate();
        share(&mut vec![(); self.threads], jobs, |_, (thread, (sets, found))| {
            let labels = blocks.iter().flat_map(|block| &block.labels);
            for (index, &(key, ..)) in labels.enumerate() {
                let set = Self::set_of(key).checked_sub(thread * per_thread);
                if let Some(set) = set.and_then(|set| sets.get_mut(set))
                    && !set.insert(key)
                {
                    found.push(index);
                }
            }
        });
        let mut found = found.concat();
        found.sort_unstable();
        found
    }
}

/// Returns a key itself as its hash: keys are random numbers.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("a key is one u64");
    }
}

/// Adds the labels of a game.
fn add_labels(kept: &mut Vec<Keyed>, recipe: &Recipe, games: &Games, number: u64, game: &Game) {
    let wanted = &recipe.positions;
    let filter = filter(wanted);
    let rule = TargetRule {
        result_weight: games.result_weight.unwrap_or(wanted.result_weight),
        lambda: wanted.lambda,
        scale: recipe.training.scale,
        score_ends: games.score_ends,
    };
    let first = rule.targets(game);
    let last = match recipe.last_stage {
        Some(LastStage { lambda, result_weight, .. }) => {
            let lambda = lambda.unwrap_or(rule.lambda);
            let result_weight = result_weight.unwrap_or(rule.result_weight);
            TargetRule { lambda, result_weight, ..rule }.targets(game)
        }
        None => first.clone(),
    };
    let mut targets = first.into_iter().zip(last);
    let mut slots = Slots::new(games.every, number);
    game.for_each_label(|label| {
        let (target, last) = targets.next().expect("there is a target for each label");
        if slots.takes(label.ply, filter.keeps(label)) && keeps_men(wanted, label.board) {
            kept.push((label.board.key(), Record::new(label.board, target), last));
        }
    });
    game.for_each_interior_label(|label| {
        if wanted.interior && filter.keeps(label) && keeps_men(wanted, label.board) {
            let target = chance(label.score, rule.scale) as f32;
            kept.push((label.board.key(), Record::new(label.board, target), target));
        }
    });
}

/// Filters by men. With few men the key decides: equal positions are all kept or all left out.
fn keeps_men(wanted: &Positions, board: &Board) -> bool {
    let is_alone = |color| board.colors(color).count() == 1;
    let has_few = board.occupied().count() <= wanted.few_men;
    (wanted.lone_kings || !Color::ALL.into_iter().any(is_alone))
        && (!has_few || board.key().0.is_multiple_of(wanted.few_men_keep))
}

/// Thins out the labels of a game. A slot begins at each ply with (game + ply) mod `every` = 0 and
/// gives its first kept label. One that began before the first label gives none.
struct Slots {
    every: u64,
    game: u64,
    last: Option<u64>,
    /// True until the slot has given its label.
    is_due: bool,
}

impl Slots {
    const fn new(every: u64, game: u64) -> Self {
        Self { every, game, last: None, is_due: false }
    }

    /// Returns whether the label is taken. Must be called for all labels in order.
    fn takes(&mut self, ply: usize, is_kept: bool) -> bool {
        let place = self.game % self.every + ply as u64;
        let slot = place / self.every;
        self.is_due |= match self.last {
            Some(last) => last != slot,
            None => place.is_multiple_of(self.every),
        };
        self.last = Some(slot);
        let takes = self.is_due && is_kept;
        self.is_due &= !takes;
        takes
    }
}

/// Reason why the positions of a recipe cannot be read.
#[derive(Debug, Error)]
pub enum DataSetError {
    /// Fewer games than the recipe needs.
    #[error(
        "only {found} of the {games} games of seed {seed} are in {}: `build` plays the others",
        ShownPath(folder)
    )]
    Missing {
        /// Folder of the shards.
        folder: PathBuf,
        /// Seed of the games.
        seed: u64,
        /// Number of games found.
        found: u64,
        /// Number in the recipe.
        games: u64,
    },
    /// The file is not a shard.
    #[error("{} {}", ShownPath(.0), .1)]
    Shard(PathBuf, ShardError),
    /// A header field differs from the recipe.
    #[error("{}: header field '{}' differs from the recipe", ShownPath(.0), .1)]
    Mismatch(PathBuf, &'static str),
    /// The shard does not begin with the next game.
    #[error("{} does not begin with game {}", ShownPath(.0), .1)]
    Gap(PathBuf, u64),
    /// The shard is damaged.
    #[error("{}: {}", ShownPath(.0), .1)]
    Damaged(PathBuf, Damage),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_the_control_characters_of_paths() {
        let missing = DataSetError::Missing { folder: "a\x1b".into(), seed: 1, found: 0, games: 2 };
        assert!(missing.to_string().contains(r"are in a\u{1b}: "), "{missing}");
    }

    #[test]
    fn positions_are_left_out_by_their_men() {
        let board = |fen: &str| Board::from_fen(fen).expect("a position");
        let default = Positions::default();
        let lone = board("8/2k5/8/8/8/5K2/8/Q7 b - - 0 1");
        assert!(keeps_men(&default, &lone));
        assert!(!keeps_men(&Positions { lone_kings: false, ..default.clone() }, &lone));
        // Two kings and two pawns, the white pawn on a2 to g6.
        let few = Positions { few_men: 4, few_men_keep: 3, lone_kings: false, ..default };
        let squares = (0..40).filter(|square| square % 8 != 7);
        let pawns = squares.map(|square| {
            let (rank, file) = (square / 8 + 2, square % 8);
            let mut ranks = vec!["8".to_owned(); 8];
            (ranks[0], ranks[7]) = ("4k3".to_owned(), "4K3".to_owned());
            ranks[3] = "7p".to_owned();
            ranks[8 - rank] = match (rank, file) {
                (5, 0) => "P6p".to_owned(),
                (5, 6) => "6Pp".to_owned(),
                (5, file) => format!("{file}P{}p", 6 - file),
                (_, 0) => "P7".to_owned(),
                (_, file) => format!("{file}P{}", 7 - file),
            };
            board(&format!("{} w - - 0 1", ranks.join("/")))
        });
        let boards: Vec<Board> = pawns.collect();
        let kept = boards.iter().filter(|board| keeps_men(&few, board)).count();
        assert!((5..25).contains(&kept), "{kept} of {}", boards.len());
        let more = Positions { few_men: 3, ..few };
        assert!(boards.iter().all(|board| keeps_men(&more, board)));
    }

    /// Returns the labels taken from plies 8 to 20, where all but 14 and 15 are kept.
    fn chosen(every: u64, number: u64) -> Vec<usize> {
        let mut slots = Slots::new(every, number);
        (8..=20).filter(|&ply| slots.takes(ply, ply != 14 && ply != 15)).collect()
    }

    #[test]
    fn a_slot_gives_its_first_kept_ply() {
        assert_eq!(chosen(1, 5), [8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20]);
        assert_eq!(chosen(4, 0), [8, 12, 16, 20]);
        assert_eq!(chosen(4, 1), [11, 16, 19]);
        // The slot from ply 14 gives 16, the one from 18 gives 18.
        assert_eq!(chosen(4, 6), [10, 16, 18]);
        assert_eq!(chosen(100, 90), [10]);
    }
}
