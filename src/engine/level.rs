//! Play at a limited strength: `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A level has a number of nodes, a number of candidates and a *slack*. The search is limited to
//! the nodes and finds the candidates, as with MultiPV. Each candidate's score gets a random bonus
//! below the slack, and the highest sum is played. So the engine never plays a move that scores
//! worse than the best one by the slack or more. It always plays a mate that it finds.
//!
//! The search starts with an empty TT of its own. Its move depends only on the game, the level and
//! the seed, as long as the clock allows all nodes. Without a seed by the user, each game draws
//! one.

use std::hash::{BuildHasher as _, RandomState};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::board::Board;
use crate::search::{Info, Limits, PoolError, SearchOptions, SearchPool, TablebaseOptions};
use crate::types::Bound;

/// Parameters of a rating.
#[derive(PartialEq, Eq, Debug)]
struct Anchor {
    elo: u32,
    /// Nodes per move.
    nodes: u32,
    /// Upper bound on the loss of a move against the best one, in centipawns.
    slack: u32,
    /// Number of best moves to choose from.
    candidates: u32,
}

/// Calibrated ratings, ascending (docs/levels.md). Parameters in between are interpolated.
const ANCHORS: &[Anchor] = &[
    Anchor { elo: 1000, nodes: 100, slack: 400, candidates: 12 },
    Anchor { elo: 1250, nodes: 500, slack: 200, candidates: 8 },
    Anchor { elo: 1500, nodes: 1_300, slack: 90, candidates: 6 },
    Anchor { elo: 1750, nodes: 4_200, slack: 45, candidates: 5 },
    Anchor { elo: 2000, nodes: 24_000, slack: 18, candidates: 3 },
    Anchor { elo: 2250, nodes: 160_000, slack: 6, candidates: 2 },
    Anchor { elo: 2500, nodes: 700_000, slack: 3, candidates: 2 },
];

/// Lowest rating of `UCI_Elo`.
pub(super) const MIN_ELO: u32 = ANCHORS[0].elo;
/// Highest rating of `UCI_Elo`.
pub(super) const MAX_ELO: u32 = ANCHORS[ANCHORS.len() - 1].elo;

/// Value of `Skill Level` for full strength. Those below are evenly spread over the ratings.
pub(super) const MAX_SKILL: u32 = 20;

/// Size of the TT in MiB. It is small because it is cleared before each move.
const HASH_MIB: usize = 8;

impl Anchor {
    /// Interpolates the parameters of a rating, which is clamped to the range.
    fn at(elo: u32) -> Self {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = ANCHORS.iter().position(|anchor| anchor.elo > elo).unwrap_or(ANCHORS.len() - 1);
        let (low, high) = (&ANCHORS[above - 1], &ANCHORS[above]);
        let between = |low_value: u32, high_value: u32| {
            let weighted = low_value * (high.elo - elo) + high_value * (elo - low.elo);
            weighted / (high.elo - low.elo)
        };
        Self {
            elo,
            nodes: between(low.nodes, high.nodes),
            slack: between(low.slack, high.slack),
            candidates: between(low.candidates, high.candidates),
        }
    }
}

/// Options of limited strength, and the state of a search at a level.
pub(super) struct Level {
    /// Value of the option `UCI_LimitStrength`.
    pub(super) is_on: bool,
    /// Value of the option `UCI_Elo`.
    pub(super) elo: u32,
    /// Value of the option `Skill Level`, which other programs have. It counts while `is_on` is
    /// false.
    pub(super) skill: u32,
    /// Value of the option `Level Seed`; 0 for `game_seed`.
    pub(super) seed: u32,
    /// Seed drawn for this game.
    game_seed: u32,
    /// Search thread of the level, created by its first search.
    pool: Option<SearchPool>,
    /// Choice of the running search, if it is one at a level.
    choice: Option<Choice>,
}

/// Random choice among the candidates.
struct Choice {
    slack: u32,
    rng: ChaCha8Rng,
    /// PVs of the last depth, best first.
    lines: Vec<Info>,
}

impl Level {
    /// Creates the state at full strength.
    pub(super) fn new() -> Self {
        Self {
            is_on: false,
            elo: MAX_ELO,
            skill: MAX_SKILL,
            seed: 0,
            game_seed: random_seed(),
            pool: None,
            choice: None,
        }
    }

    /// Draws the seed of a new game.
    pub(super) fn new_game(&mut self) {
        self.game_seed = random_seed();
    }

    /// Returns the rating to play at; `None` for full strength.
    fn rating(&self) -> Option<u32> {
        if self.is_on {
            Some(self.elo)
        } else {
            (self.skill < MAX_SKILL)
                .then(|| MIN_ELO + (MAX_ELO - MIN_ELO) * self.skill / (MAX_SKILL - 1))
        }
    }

    /// Limits a search to the level and returns the pool to search with. Returns `None` if the
    /// search has full strength, as analysis always has.
    ///
    /// # Errors
    /// If there is no room for the pool. The search may use another one.
    pub(super) fn prepare(
        &mut self,
        board: &Board,
        limits: &mut Limits,
        options: &mut SearchOptions,
    ) -> Option<Result<&mut SearchPool, PoolError>> {
        self.choice = None;
        if limits.is_analysis() {
            return None;
        }
        let Anchor { nodes, slack, candidates, .. } = Anchor::at(self.rating()?);
        let nodes = nodes.into();
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        // The first iteration finds all candidates.
        limits.is_strict = false;
        options.multi_pv = candidates as usize;
        options.tablebases = TablebaseOptions::default();
        // With the move number, a repeated position gets another choice: no endless repetition.
        let moment = board.key().0 ^ u64::from(board.fullmove_number());
        let seed = if self.seed == 0 { self.game_seed } else { self.seed };
        let rng = ChaCha8Rng::seed_from_u64(moment ^ (u64::from(seed) << 32));
        self.choice = Some(Choice { slack, rng, lines: Vec::new() });
        Some(self.cleared_pool())
    }

    /// Returns the pool of the level, with an empty TT.
    fn cleared_pool(&mut self) -> Result<&mut SearchPool, PoolError> {
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => SearchPool::with_hash(1, HASH_MIB)?,
        };
        let pool = self.pool.insert(pool);
        pool.clear();
        Ok(pool)
    }

    /// Keeps a PV of a search at the level. Returns the PV of any other search.
    pub(super) fn keep(&mut self, info: Info) -> Option<Info> {
        let Some(choice) = &mut self.choice else { return Some(info) };
        if info.multi_pv == 1 {
            choice.lines.clear();
        }
        if info.bound == Bound::Exact {
            choice.lines.push(info);
        }
        None
    }

    /// Chooses the PV to play at the end of a search at the level. Returns `None` after any other
    /// search.
    pub(super) fn choose(&mut self) -> Option<Info> {
        let mut choice = self.choice.take()?;
        let winner = choice.winner()?;
        let mut line = choice.lines.swap_remove(winner);
        line.multi_pv = 1;
        Some(line)
    }
}

/// Returns a seed that differs from game to game.
fn random_seed() -> u32 {
    RandomState::new().hash_one(0) as u32
}

impl Choice {
    /// Returns the index of the PV to play, if there is one.
    fn winner(&mut self) -> Option<usize> {
        if self.lines.first().is_some_and(|best| best.score.is_mate()) {
            return Some(0);
        }
        let slack = u64::from(self.slack.max(1));
        let mut bonus = || (self.rng.next_u64() % slack) as i32;
        let sums = self.lines.iter().map(|line| line.score.0 + bonus());
        sums.enumerate().max_by_key(|&(index, sum)| (sum, std::cmp::Reverse(index))).map(|(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search;
    use crate::search::SearchRequest;
    use crate::types::Score;

    #[test]
    fn strength_rises_with_the_rating() {
        for pair in ANCHORS.windows(2) {
            assert!(pair[0].elo < pair[1].elo);
            assert!(pair[0].nodes < pair[1].nodes && pair[0].slack > pair[1].slack);
        }
        let levels: Vec<_> = (MIN_ELO..=MAX_ELO).map(Anchor::at).collect();
        assert!(levels.is_sorted_by(|a, b| {
            a.nodes <= b.nodes && a.slack >= b.slack && a.candidates >= b.candidates
        }));
        assert!(ANCHORS.iter().all(|anchor| Anchor::at(anchor.elo) == *anchor));
        assert_eq!(Anchor::at(0), ANCHORS[0]);
        assert_eq!(Anchor::at(9999), ANCHORS[ANCHORS.len() - 1]);
    }

    fn line(multi_pv: usize, score: Score) -> Info {
        let mut pool = SearchPool::new(1);
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let (_, infos) = search::run(&mut pool, SearchRequest::new(Board::startpos(), limits));
        Info { multi_pv, score, ..infos[0].clone() }
    }

    /// Counts how often each of these scores is chosen, with 1000 seeds.
    fn choices(slack: u32, scores: &[Score]) -> Vec<usize> {
        let lines: Vec<_> = scores.iter().enumerate().map(|(i, &s)| line(i + 1, s)).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let rng = ChaCha8Rng::seed_from_u64(seed);
            let mut choice = Choice { slack, rng, lines: lines.clone() };
            counts[choice.winner().expect("a line")] += 1;
        }
        counts
    }

    #[test]
    fn the_loss_is_below_the_slack() {
        let counts = choices(50, &[Score(20), Score(10), Score(-29), Score(-30)]);
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
        assert_eq!(counts[3], 0, "{counts:?}");
        assert_eq!(choices(0, &[Score(20), Score(20), Score(19)]), [1000, 0, 0]);
    }

    #[test]
    fn found_mates_are_played_and_avoided() {
        assert_eq!(choices(300, &[Score::mate_in(3), Score::mate_in(5), Score(900)])[0], 1000);
        assert_eq!(choices(300, &[Score(-900), Score::mated_in(4)]), [1000, 0]);
    }

    /// Plays the first moves of a game against itself.
    fn game(elo: u32, seed: u32) -> Vec<String> {
        let mut level = Level { is_on: true, elo, seed, ..Level::new() };
        let mut board = Board::startpos();
        let mut moves = Vec::new();
        for _ in 0..12 {
            let mut request = SearchRequest::new(board.clone(), Limits::default());
            let SearchRequest { limits, options, .. } = &mut request;
            let pool = level
                .prepare(&board, limits, options)
                .expect("the level is on")
                .expect("a small pool");
            let (_, infos) = search::run(pool, request);
            assert!(infos.into_iter().all(|info| level.keep(info).is_none()));
            let line = level.choose().expect("a PV");
            assert!(line.multi_pv == 1 && level.choose().is_none());
            moves.push(line.pv[0].display(false).to_string());
            board.make_move(line.pv[0]);
        }
        moves
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        assert_eq!(game(1500, 7), game(1500, 7));
        assert_ne!(game(1500, 7), game(1500, 8));
        assert_ne!(game(1500, 7), game(1700, 7));
    }

    #[test]
    fn analysis_has_full_strength() {
        let mut level = Level { is_on: true, ..Level::new() };
        let mut options = SearchOptions::default();
        for mut limits in [
            Limits { infinite: true, ..Limits::default() },
            Limits { mate: Some(3), ..Limits::default() },
        ] {
            assert!(level.prepare(&Board::startpos(), &mut limits, &mut options).is_none());
            assert!(limits.nodes.is_none() && options.multi_pv == 1);
        }
        assert!(level.keep(line(1, Score(20))).is_some() && level.choose().is_none());
    }
}
