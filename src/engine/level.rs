//! Playing less well than one can, at a level that the user sets.
//!
//! A level is a number of nodes, a few candidates and a *slack*. The nodes bound what is seen, as with a player who
//! calculates less far. Of the best moves seen, the candidates, the one played is drawn: each one's score gets a random
//! addition of less than the slack, and the greatest sum wins. So a move that looks worse than the best by the slack or
//! more is never played, one that looks a little worse often is, and the loss per move shrinks with the slack; there is
//! no dice that throws a piece away. A mate that is seen is given.
//!
//! The search begins with an empty table of its own, so that a move depends on the position with its game, the level and
//! the seed, and on nothing else, as long as the clock leaves time for the nodes.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::board::Board;
use crate::search::{Info, Limits, SearchOptions, SearchPool, TablebaseOptions};
use crate::types::Bound;

/// What is known of a rating.
#[derive(PartialEq, Eq, Debug)]
struct Anchor {
    elo: u32,
    /// Nodes searched for each move.
    nodes: u32,
    /// What a move played may look worse than the best one, in hundredths of a pawn.
    slack: u32,
    /// The moves that one is drawn from.
    candidates: u32,
}

/// The ratings that have numbers, in rising order; docs/levels.md tells how they were found. Between two of them the
/// numbers are interpolated.
const ANCHORS: &[Anchor] = &[
    Anchor { elo: 1000, nodes: 100, slack: 400, candidates: 12 },
    Anchor { elo: 1250, nodes: 500, slack: 200, candidates: 8 },
    Anchor { elo: 1500, nodes: 1_300, slack: 90, candidates: 6 },
    Anchor { elo: 1750, nodes: 4_200, slack: 45, candidates: 5 },
    Anchor { elo: 2000, nodes: 24_000, slack: 18, candidates: 3 },
    Anchor { elo: 2250, nodes: 160_000, slack: 6, candidates: 2 },
    Anchor { elo: 2500, nodes: 700_000, slack: 3, candidates: 2 },
];

/// The lowest rating to play at.
pub(super) const MIN_ELO: u32 = ANCHORS[0].elo;
/// The highest one.
pub(super) const MAX_ELO: u32 = ANCHORS[ANCHORS.len() - 1].elo;

/// The table of a level's search, in MiB: few nodes need little room, and it is emptied for each move.
const HASH_MIB: usize = 8;

impl Anchor {
    /// The numbers of any rating in the range; one outside counts as the nearest in it.
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

/// The level in use, if there is one, and what its search has found.
pub(super) struct Level {
    /// Whether the user wants weaker play.
    pub(super) is_on: bool,
    /// The rating to play at.
    pub(super) elo: u32,
    /// What the draws depend on, apart from the position.
    pub(super) seed: u32,
    /// Its own, from the first search at a level on.
    pool: Option<SearchPool>,
    /// The search going on, if it is one of ours.
    draw: Option<Draw>,
}

/// The moves to draw from, and what the draw depends on.
struct Draw {
    slack: u32,
    dice: ChaCha8Rng,
    /// The lines of the last depth, best first.
    lines: Vec<Info>,
}

impl Level {
    /// No level.
    pub(super) const fn new() -> Self {
        Self { is_on: false, elo: MAX_ELO, seed: 0, pool: None, draw: None }
    }

    /// Prepares a search at the level, if one is wanted for it: an analysis is made with full strength. Changes what is
    /// to be searched and how, and returns the threads that do it.
    pub(super) fn prepare(
        &mut self,
        board: &Board,
        limits: &mut Limits,
        options: &mut SearchOptions,
    ) -> Option<&mut SearchPool> {
        self.draw = None;
        if !self.is_on || limits.is_analysis() {
            return None;
        }
        let Anchor { nodes, slack, candidates, .. } = Anchor::at(self.elo);
        let nodes = nodes.into();
        limits.nodes = Some(limits.nodes.map_or(nodes, |wanted| wanted.min(nodes)));
        options.multi_pv = candidates as usize;
        options.tablebases = TablebaseOptions::default();
        // A position that comes up again in the game is another one, or a won game might go round in circles.
        let moment = board.key().0 ^ u64::from(board.fullmove_number());
        let dice = ChaCha8Rng::seed_from_u64(moment ^ u64::from(self.seed) << 32);
        self.draw = Some(Draw { slack, dice, lines: Vec::new() });
        let pool = self.pool.get_or_insert_with(small_pool);
        pool.clear();
        Some(pool)
    }

    /// Keeps a line that a search at the level has found; gives back that of any other search.
    pub(super) fn keep(&mut self, info: Info) -> Option<Info> {
        let Some(draw) = &mut self.draw else { return Some(info) };
        if info.multi_pv == 1 {
            draw.lines.clear();
        }
        if info.bound == Bound::Exact {
            draw.lines.push(info);
        }
        None
    }

    /// The line to play at the end of a search at the level, as the best one; `None` after any other search.
    pub(super) fn choose(&mut self) -> Option<Info> {
        let mut draw = self.draw.take()?;
        let winner = draw.winner()?;
        let mut line = draw.lines.swap_remove(winner);
        line.multi_pv = 1;
        Some(line)
    }
}

/// One thread with a small table.
fn small_pool() -> SearchPool {
    let mut pool = SearchPool::new(1);
    pool.set_hash(HASH_MIB).expect("a few megabytes can be had");
    pool
}

impl Draw {
    /// The index of the line to play; `None` if there is none.
    fn winner(&mut self) -> Option<usize> {
        if self.lines.first().is_some_and(|best| best.score.is_mate()) {
            return Some(0);
        }
        let slack = u64::from(self.slack.max(1));
        let mut addition = || (self.dice.next_u64() % slack) as i32;
        let sums = self.lines.iter().map(|line| line.score.0 + addition());
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
    fn anchors_rise_and_what_is_between_them_too() {
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

    /// How often each of these scores is chosen in a thousand draws.
    fn choices(slack: u32, scores: &[Score]) -> Vec<usize> {
        let lines: Vec<_> = scores.iter().enumerate().map(|(i, &s)| line(i + 1, s)).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let dice = ChaCha8Rng::seed_from_u64(seed);
            let mut draw = Draw { slack, dice, lines: lines.clone() };
            counts[draw.winner().expect("a line")] += 1;
        }
        counts
    }

    #[test]
    fn the_loss_is_less_than_the_slack() {
        let counts = choices(50, &[Score(20), Score(10), Score(-29), Score(-30)]);
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
        assert_eq!(counts[3], 0, "{counts:?}");
        assert_eq!(choices(0, &[Score(20), Score(20), Score(19)]), [1000, 0, 0]);
    }

    #[test]
    fn mates_are_given_and_avoided() {
        assert_eq!(choices(300, &[Score::mate_in(3), Score::mate_in(5), Score(900)])[0], 1000);
        assert_eq!(choices(300, &[Score(-900), Score::mated_in(4)]), [1000, 0]);
    }

    /// The first moves of a game against itself.
    fn game(elo: u32, seed: u32) -> Vec<String> {
        let mut level = Level { is_on: true, elo, seed, ..Level::new() };
        let mut board = Board::startpos();
        let mut moves = Vec::new();
        for _ in 0..12 {
            let mut request = SearchRequest::new(board.clone(), Limits::default());
            let SearchRequest { limits, options, .. } = &mut request;
            let pool = level.prepare(&board, limits, options).expect("the level is on");
            let (_, infos) = search::run(pool, request);
            assert!(infos.into_iter().all(|info| level.keep(info).is_none()));
            let line = level.choose().expect("the game goes on");
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
    fn analysis_is_left_alone() {
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
