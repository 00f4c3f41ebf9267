//! Compares two networks on *fresh* games, from which neither has learnt.

use tabia::datagen::{Damage, DamageKind, Game, KeepFilter, Shard, ShardBlock};

use super::statistics::Estimate;
use super::{GROUPS, MenGroup, Scorer};
use crate::learner::share;
use crate::target::{TargetRule, chance};

/// Score that stands for a chance of sigmoid(1), of networks and labels alike.
const SCALE: u32 = 160;
/// λ-returns, as the newest recipes have them at first, but without results of games.
const RULE: TargetRule =
    TargetRule { result_weight: 0.0, lambda: 0.7, scale: SCALE, score_ends: true };

/// Change from an old network to a new one. Standard errors allow for labels of one game that are
/// alike.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Change {
    /// Number of labels.
    pub labels: usize,
    /// Mean squared difference between the chances of the old network and the targets.
    pub old_loss: f64,
    /// By how much that of the new network is larger.
    pub difference: Estimate,
    /// Mean squared difference between the chances of the two networks.
    pub moved: f64,
    /// Slope of (target − old) on (new − old): with 1 no step farther or back is better, with 1/2
    /// the new network is as good as the old one. Not a number if the two are the same.
    pub slope: Estimate,
}

/// The change on all labels, and by groups of men.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct FreshComparison {
    /// Number of games.
    pub games: usize,
    /// In the order of [`GROUPS`].
    pub groups: [Change; GROUPS.len()],
    /// On all labels.
    pub all: Change,
}

/// Returns the whole blocks of a shard, which may still be written.
///
/// # Errors
/// If a block is damaged in another way than by missing its end.
pub fn whole_blocks(shard: &Shard) -> Result<Vec<ShardBlock<'_>>, Damage> {
    let is_whole = |block: &Result<_, Damage>| {
        !matches!(block, Err(Damage { kind: DamageKind::Truncated, .. }))
    };
    shard.blocks().filter(is_whole).collect()
}

/// Sums over the labels of a game. *o*, *n* and *t* are the chances of the old network, of the new
/// network and of the target.
#[derive(Copy, Clone, Default)]
struct Sums {
    labels: f64,
    /// (o − t)².
    old: f64,
    /// (n − t)² − (o − t)².
    difference: f64,
    /// (n − o)².
    moved: f64,
    /// (n − o) (t − o).
    product: f64,
}

/// Sums by groups of men.
type GameSums = [Sums; GROUPS.len()];

impl FreshComparison {
    /// Compares two networks on the games of some blocks.
    ///
    /// # Errors
    /// If a block does not decode to games.
    pub fn of(
        blocks: &[ShardBlock<'_>],
        old: &Scorer<'_>,
        new: &Scorer<'_>,
        threads: usize,
    ) -> Result<Self, Damage> {
        let mut found = vec![Ok(Vec::new()); blocks.len()];
        let jobs = blocks.iter().zip(&mut found);
        share(&mut vec![(); threads], jobs, |(), (block, found)| {
            *found = sums_of_block(block, old, new);
        });
        let games: Vec<GameSums> =
            found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let in_group = |group: usize| games.iter().map(|game| game[group]).collect::<Vec<_>>();
        let whole = |game: &GameSums| game.iter().copied().fold(Sums::default(), Sums::plus);
        Ok(Self {
            games: games.len(),
            groups: [0, 1, 2, 3, 4].map(|group| Change::of(&in_group(group))),
            all: Change::of(&games.iter().map(whole).collect::<Vec<_>>()),
        })
    }
}

fn sums_of_block(
    block: &ShardBlock<'_>,
    old: &Scorer<'_>,
    new: &Scorer<'_>,
) -> Result<Vec<GameSums>, Damage> {
    Ok(block.decode()?.iter().map(|game| sums_of_game(game, old, new)).collect())
}

fn sums_of_game(game: &Game, old: &Scorer<'_>, new: &Scorer<'_>) -> GameSums {
    let mut sums = GameSums::default();
    let mut targets = RULE.targets(game).into_iter().map(f64::from);
    game.for_each_label(|label| {
        let target = targets.next().expect("there is a target for each label");
        if KeepFilter::default().keeps(label) {
            let [old, new] = [old, new].map(|network| chance(network.score(label.board), SCALE));
            let group = &mut sums[MenGroup::of(label.board)];
            *group = group.plus(Sums::of(old, new, target));
        }
    });
    sums
}

impl Sums {
    fn of(old: f64, new: f64, target: f64) -> Self {
        Self {
            labels: 1.0,
            old: (old - target).powi(2),
            difference: (new - target).powi(2) - (old - target).powi(2),
            moved: (new - old).powi(2),
            product: (new - old) * (target - old),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            labels: self.labels + other.labels,
            old: self.old + other.old,
            difference: self.difference + other.difference,
            moved: self.moved + other.moved,
            product: self.product + other.product,
        }
    }
}

impl Change {
    fn of(games: &[Sums]) -> Self {
        let column = |value: fn(&Sums) -> f64| games.iter().map(value).collect::<Vec<_>>();
        let [labels, moved] = [column(|sums| sums.labels), column(|sums| sums.moved)];
        let mean = |values: &[f64]| values.iter().sum::<f64>() / labels.iter().sum::<f64>();
        Self {
            labels: labels.iter().sum::<f64>() as usize,
            old_loss: mean(&column(|sums| sums.old)),
            difference: Estimate::ratio(&column(|sums| sums.difference), &labels),
            moved: mean(&moved),
            slope: Estimate::ratio(&column(|sums| sums.product), &moved),
        }
    }
}
