//! Play at limited strength: `UCI_LimitStrength`, `UCI_Elo` and `Skill Level` (docs/levels.md).
//!
//! A level limits the nodes of a MultiPV search, and hides from it what its player overlooks
//! (`oversight.rs`): these are the large errors. Each candidate's score gets a random bonus below
//! the *slack*, and the highest sum is played: these are the small errors. A move that returns the
//! piece moved last gets no bonus. A mate that is found is always played.
//!
//! The search starts with an empty TT of its own. Its move depends only on the game, the level and
//! the seed, as long as the clock allows all nodes.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::board::Board;
use crate::search::{Info, PoolError, SearchPool, SearchRequest, TablebaseOptions};
use crate::types::{Bound, Move, MoveKind, Score};

use super::oversight::{Attention, Sight};
use super::seed::random_seed;

/// Parameters of a rating.
#[derive(PartialEq, Eq, Debug)]
struct Anchor {
    elo: u32,
    nodes: u32,
    /// Upper bound on the loss against the best move that is seen, in units of the search.
    slack: u32,
    candidates: u32,
    /// Probability in permille of overlooking a move of weight 100.
    blindness: u32,
}

/// Calibrated ratings, ascending.
const ANCHORS: &[Anchor] = &[
    Anchor { elo: 500, nodes: 65, slack: 540, candidates: 18, blindness: 1_090 },
    Anchor { elo: 750, nodes: 130, slack: 330, candidates: 13, blindness: 870 },
    Anchor { elo: 1000, nodes: 265, slack: 215, candidates: 10, blindness: 680 },
    Anchor { elo: 1250, nodes: 780, slack: 120, candidates: 7, blindness: 505 },
    Anchor { elo: 1500, nodes: 2_000, slack: 76, candidates: 6, blindness: 365 },
    Anchor { elo: 1750, nodes: 2_550, slack: 53, candidates: 5, blindness: 202 },
    Anchor { elo: 2000, nodes: 7_800, slack: 24, candidates: 3, blindness: 85 },
    Anchor { elo: 2250, nodes: 24_000, slack: 14, candidates: 2, blindness: 0 },
    Anchor { elo: 2500, nodes: 65_000, slack: 5, candidates: 2, blindness: 0 },
    Anchor { elo: 2750, nodes: 120_000, slack: 3, candidates: 2, blindness: 0 },
    Anchor { elo: 3000, nodes: 560_000, slack: 1, candidates: 1, blindness: 0 },
];

pub(super) const MIN_ELO: u32 = ANCHORS[0].elo;
pub(super) const MAX_ELO: u32 = ANCHORS[ANCHORS.len() - 1].elo;

/// Value of `Skill Level` for full strength. Lower ones are evenly spread over the ratings.
pub(super) const MAX_SKILL: u32 = 20;

/// Size of the TT in MiB, small because it is cleared before each move.
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
            blindness: between(low.blindness, high.blindness),
        }
    }
}

pub(super) struct Level {
    pub(super) is_on: bool,
    pub(super) elo: u32,
    /// `Skill Level`, which counts while `is_on` is false.
    pub(super) skill: u32,
    /// `Level Seed`; 0 for `game_seed`.
    pub(super) seed: u32,
    game_seed: u32,
    /// Created by the first search at a level.
    pool: Option<SearchPool>,
    /// `None` if the running search has full strength.
    choice: Option<Choice>,
}

struct Choice {
    slack: u32,
    rng: ChaCha8Rng,
    /// Moves that return the piece moved last. They get no bonus, because people rarely change
    /// their mind at once.
    moves_back: Vec<Move>,
    /// Replies that the search leaves out, each with the root move before it.
    hidden_replies: HashSet<(Move, Move)>,
    /// PVs of the last depth, best first.
    lines: Vec<Info>,
}

impl Level {
    pub(super) fn new() -> Self {
        Self {
            is_on: false,
            elo: MAX_ELO,
            skill: MAX_SKILL,
            seed: 0,
            game_seed: random_seed() as u32,
            pool: None,
            choice: None,
        }
    }

    pub(super) fn new_game(&mut self) {
        self.game_seed = random_seed() as u32;
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

    /// Limits a search to the level and returns its pool, or the error of creating it. Returns
    /// `None` for full strength, which analysis always has.
    pub(super) fn prepare(
        &mut self,
        request: &mut SearchRequest,
    ) -> Option<Result<&mut SearchPool, PoolError>> {
        self.choice = None;
        if request.limits.is_analysis() {
            return None;
        }
        let Anchor { nodes, slack, candidates, blindness, .. } = Anchor::at(self.rating()?);
        let SearchRequest { board, limits, options, .. } = request;
        let nodes = nodes.into();
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        // The first iteration must end, since it finds all candidates.
        limits.is_strict = false;
        options.multi_pv = candidates as usize;
        options.tablebases = TablebaseOptions::default();
        // The slack was found with the network's scores.
        options.scales_eval = false;
        let seed = u64::from(if self.seed == 0 { self.game_seed } else { self.seed }) << 32;
        // The move number keeps repeated positions from getting the same choice without end.
        let moment = board.key().0 ^ u64::from(board.fullmove_number());
        let rng = ChaCha8Rng::seed_from_u64(moment ^ seed);
        if blindness > 0 {
            hide_moves(request, &Attention { blindness, seed });
        }
        let hidden_replies = request.hidden_replies.clone();
        let moves_back = moves_back(&request.board);
        self.choice = Some(Choice { slack, rng, moves_back, hidden_replies, lines: Vec::new() });
        Some(self.cleared_pool())
    }

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
        if info.bound == Bound::Exact {
            if info.multi_pv == 1 {
                choice.lines.clear();
            }
            choice.lines.push(info);
        }
        None
    }

    /// Returns the PV to play after a search at the level; `None` after any other.
    pub(super) fn choose(&mut self) -> Option<Info> {
        let mut choice = self.choice.take()?;
        let winner = choice.winner()?;
        let mut line = choice.lines.swap_remove(winner);
        line.multi_pv = 1;
        if choice.has_hidden_replies(&line) {
            // A mate is not proven against replies that were not searched.
            line.score = line.score.min(Score::MAX_EVAL);
        }
        Some(line)
    }
}

/// Restricts a search to what a player sees.
fn hide_moves(request: &mut SearchRequest, attention: &Attention) {
    let SearchRequest { board, limits, .. } = request;
    let legal = board.legal_moves();
    let moves = if limits.search_moves.is_empty() { &legal[..] } else { &limits.search_moves };
    let Sight { moves, hidden_replies } = attention.sight(board, moves);
    limits.search_moves = moves;
    request.hidden_replies = hidden_replies;
}

/// Returns the quiet moves that return the piece moved last to where it came from, unless it took
/// something or is attacked: then people return too.
fn moves_back(board: &Board) -> Vec<Move> {
    let mut earlier = board.clone();
    for _ in 0..2 {
        if earlier.last_target().is_none() {
            return Vec::new();
        }
        earlier.unmake_move();
    }
    let is_back = |mv: &Move| {
        let (from, to) = (mv.from(), mv.to());
        mv.kind() == MoveKind::Plain
            && earlier.piece_on(from).is_none()
            && earlier.piece_on(to) == board.piece_on(from)
            && !board.threats().contains(from)
    };
    board.legal_moves().into_iter().filter(is_back).collect()
}

impl Choice {
    fn has_hidden_replies(&self, line: &Info) -> bool {
        self.hidden_replies.iter().any(|&(mv, _)| line.pv.first() == Some(&mv))
    }

    fn winner(&mut self) -> Option<usize> {
        if self.lines.first().is_some_and(|best| best.score.is_mate()) {
            return Some(0);
        }
        let slack = u64::from(self.slack.max(1));
        let Self { lines, rng, moves_back, .. } = self;
        let sums = lines.iter().map(|line| {
            let bonus = (rng.next_u64() % slack) as i32;
            let is_back = line.pv.first().is_some_and(|mv| moves_back.contains(mv));
            line.score.0 + if is_back { 0 } else { bonus }
        });
        sums.enumerate().max_by_key(|&(index, sum)| (sum, std::cmp::Reverse(index))).map(|(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{self, Limits};

    #[test]
    fn strength_rises_with_the_rating() {
        for pair in ANCHORS.windows(2) {
            assert!(pair[0].elo < pair[1].elo);
            assert!(pair[0].nodes < pair[1].nodes && pair[0].slack > pair[1].slack);
            assert!(pair[0].blindness >= pair[1].blindness);
        }
        let levels: Vec<_> = (MIN_ELO..=MAX_ELO).map(Anchor::at).collect();
        assert!(levels.is_sorted_by(|a, b| {
            a.nodes <= b.nodes
                && a.slack >= b.slack
                && a.candidates >= b.candidates
                && a.blindness >= b.blindness
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

    fn empty_choice(slack: u32, rng: ChaCha8Rng) -> Choice {
        let moves_back = Vec::new();
        Choice { slack, rng, moves_back, hidden_replies: HashSet::new(), lines: Vec::new() }
    }

    fn choices(slack: u32, scores: &[Score]) -> Vec<usize> {
        let lines: Vec<_> = scores.iter().enumerate().map(|(i, &s)| line(i + 1, s)).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let rng = ChaCha8Rng::seed_from_u64(seed);
            let mut choice = Choice { lines: lines.clone(), ..empty_choice(slack, rng) };
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
    fn a_move_back_gets_no_bonus() {
        let (back, other) = (line(1, Score(20)), line(1, Score(19)));
        let moves_back = vec![back.pv[0]];
        let other =
            Info { pv: std::iter::once(Move::from_bits(1).expect("not zero")).collect(), ..other };
        let mut choice = Choice {
            moves_back,
            lines: vec![back, other],
            ..empty_choice(50, ChaCha8Rng::seed_from_u64(0))
        };
        let backs = (0..1000).filter(|_| choice.winner() == Some(0)).count();
        assert!((1..100).contains(&backs), "{backs}: only where the other's bonus is 0 or 1");
    }

    /// Returns the position after some moves.
    fn after(fen: &str, moves: &str) -> Board {
        let mut board = Board::from_fen(fen).expect("legal");
        for mv in moves.split_whitespace() {
            board.make_move(board.parse_move(mv).expect("legal"));
        }
        board
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_back_return_the_piece_moved_last() {
        let moves = |fen, moves| {
            let moves = moves_back(&after(fen, moves));
            moves.iter().map(|mv| format!("{}{}", mv.from(), mv.to())).collect::<Vec<_>>()
        };
        assert_eq!(moves(START, "g1f3 g8f6"), ["f3g1"]);
        assert_eq!(moves(START, "g1f3 g8f6 b1c3"), ["f6g8"]);
        // The opponent has taken another piece in between.
        assert_eq!(moves(START, "e2e4 g8f6 g1f3 f6e4"), ["f3g1"]);
        // Castling that exchanges king and rook is a move too.
        assert_eq!(moves("5krn/8/8/8/8/8/8/1N2K3 w g - 0 1", "b1c3 f8g8"), ["c3b1"]);
        for (fen, text) in [
            (START, ""),
            (START, "g1f3"),
            (START, "e2e4 e7e5"),
            // The knight has taken a pawn, or is attacked.
            (START, "g1f3 e7e5 f3e5 a7a6"),
            (START, "g1f3 e7e5 f3h4 g7g5 h4f3 g5g4"),
            // A pawn has become the queen, a rook stood where the king could go.
            ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q h8h7"),
            ("k7/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1 a8b8"),
            // The piece has been taken.
            ("4k3/8/8/8/8/1n6/8/3RK3 w - - 0 1", "d1d2 b3d2"),
        ] {
            assert_eq!(moves(fen, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_search_at_a_level_knows_the_moves_back() {
        let mut level = Level { is_on: true, elo: 1000, ..Level::new() };
        let board = after(START, "g1f3 g8f6");
        let moves = moves_back(&board);
        let mut request = SearchRequest::new(board, Limits::default());
        level.prepare(&mut request).expect("a level").expect("enough memory");
        assert_eq!(level.choice.expect("a choice").moves_back, moves);
    }

    #[test]
    fn found_mates_are_played_and_avoided() {
        assert_eq!(choices(300, &[Score::mate_in(3), Score::mate_in(5), Score(900)])[0], 1000);
        assert_eq!(choices(300, &[Score(-900), Score::mated_in(4)]), [1000, 0]);
    }

    #[test]
    fn a_bound_does_not_replace_the_last_line() {
        let mut level = Level::new();
        level.choice = Some(empty_choice(1, ChaCha8Rng::seed_from_u64(0)));
        assert!(level.keep(line(1, Score(20))).is_none());
        let bound = Info { bound: Bound::Upper, ..line(1, Score(5)) };
        assert!(level.keep(bound).is_none());
        assert_eq!(level.choose().expect("a line").score, Score(20));
    }

    #[test]
    fn a_mate_is_announced_only_if_all_replies_were_searched() {
        let mate = line(1, Score::mate_in(3));
        let (mv, reply) = (mate.pv[0], Move::from_bits(1).expect("not zero"));
        for (hidden_replies, announced) in [
            (HashSet::new(), Score::mate_in(3)),
            (HashSet::from([(reply, mv)]), Score::mate_in(3)),
            (HashSet::from([(mv, reply)]), Score::MAX_EVAL),
        ] {
            let mut level = Level::new();
            let choice = empty_choice(1, ChaCha8Rng::seed_from_u64(0));
            level.choice = Some(Choice { hidden_replies, ..choice });
            assert!(level.keep(mate.clone()).is_none());
            assert_eq!(level.choose().expect("a line").score, announced);
        }
    }

    #[test]
    fn only_levels_below_2250_overlook_moves() {
        for (elo, overlooks) in [(500, true), (2000, true), (2250, false), (MAX_ELO, false)] {
            let mut level = Level { is_on: true, elo, seed: 1, ..Level::new() };
            let mut request = SearchRequest::new(Board::startpos(), Limits::default());
            assert!(level.prepare(&mut request).is_some());
            let moves = request.limits.search_moves;
            assert_eq!(!moves.is_empty(), overlooks, "{elo}");
            assert!(moves.iter().all(|mv| request.board.legal_moves().contains(mv)));
        }
    }

    #[test]
    fn analysis_has_full_strength() {
        let mut level = Level { is_on: true, ..Level::new() };
        for limits in [
            Limits { infinite: true, ..Limits::default() },
            Limits { mate: Some(3), ..Limits::default() },
        ] {
            let mut request = SearchRequest::new(Board::startpos(), limits);
            assert!(level.prepare(&mut request).is_none());
            assert!(request.limits.nodes.is_none() && request.options.multi_pv == 1);
        }
        assert!(level.keep(line(1, Score(20))).is_some() && level.choose().is_none());
    }
}
