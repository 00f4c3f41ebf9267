//! Model of a game for the range coder. One walk both encodes and decodes.
//!
//! A move is coded as yes/no decisions over the legal moves in the order of `order.rs`. The
//! probability of a yes depends on the class of the move and on the number of moves left. A score
//! is coded as its distance from a prediction by the last two scores. docs/data-format.md has every
//! detail.

use crate::board::{Board, GameResult};
use crate::datagen::game::{BackRanks, Ending, Game, Interior, Ply, Verdict};
use crate::types::{Color, Move, Score};

use super::Version;
use super::coder::{Coder, Context, Decoder, Encoder};
use super::order::{self, CLASSES, Recent};

/// Bits of the number of random plies.
const OPENING_BITS: u32 = 5;
/// The number of plies after the opening is below this.
const PLY_COUNTS: u32 = 2048;
/// Bits of the result.
const RESULT_BITS: u32 = 2;
/// Bits of the ending.
const ENDING_BITS: u32 = 3;
/// Contexts for the number of moves left, by its logarithm to base two.
const LEFT_STEPS: usize = 5;
/// Contexts for the flag of a label, by the unlabelled plies before it.
const GAPS: usize = 16;
/// Contexts for the flag that a path continues, by its length.
const PATH_STEPS: usize = 8;
/// Largest number of moves in a path.
const MAX_PATH: usize = 256;
/// Largest number of interior labels of one label.
const MAX_INTERIOR: usize = 64;

/// Largest score of either sign: a mate in no plies.
const MAX_SCORE: i32 = 32_000;
/// Scores of at least this size are mates, which do not help to predict the next score.
///
/// The format has a limit of its own, because [`Score::MIN_MATE`] depends on the search's maximum
/// depth. No score lies between the two.
const MATES: i32 = 31_000;
const _: () = assert!(MAX_SCORE == Score::MATE.0);
const _: () = assert!(MATES > Score::TABLEBASE.0 && MATES <= Score::MIN_MATE.0);
/// Bits of a width, the number of bits of a score's distance from its prediction.
const WIDTH_BITS: u32 = 5;
/// Largest width that the format allows. Valid scores need at most 16 bits (64 000).
const MAX_WIDTH: u32 = 17;
/// Bits of a distance, after the leading one, that have contexts.
const LEADING_BITS: u32 = 2;
/// Classes of the difference between the last two scores.
const SPREADS: usize = 8;
/// Orders of the last two scores.
const ORDERS: usize = 3;
/// Classes of the prediction's size.
const LEVELS: usize = 5;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct InvalidGame;

pub(super) fn encode(games: &[Game]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut model = Model::new(Version::NEWEST);
    for game in games {
        let fits = game.plies.len() < PLY_COUNTS as usize
            && model.code(&mut encoder, game).as_ref() == Ok(game);
        assert!(fits, "the game fits the format: legal moves, counts within its limits");
    }
    encoder.finish()
}

/// Decodes bytes that hold `count` games and nothing else.
pub(super) fn decode(bytes: &[u8], count: u32, version: Version) -> Result<Vec<Game>, InvalidGame> {
    let mut decoder = Decoder::new(bytes);
    let mut model = Model::new(version);
    let mut games = Vec::new();
    for _ in 0..count {
        games.push(model.code(&mut decoder, &Game::empty())?);
        if decoder.has_read_past_end() {
            return Err(InvalidGame);
        }
    }
    if decoder.is_complete() { Ok(games) } else { Err(InvalidGame) }
}

struct Model {
    version: Version,
    is_chess960: Context,
    back_ranks_differ: Context,
    opening: [Context; 1 << OPENING_BITS],
    result: [Context; 1 << RESULT_BITS],
    /// Indexed by result.
    ending: [[Context; 1 << ENDING_BITS]; GameResult::ALL.len()],
    /// Contexts of the moves played.
    played: MoveContexts,
    /// Contexts of the moves of interior labels: those of their paths, and their best moves.
    inside: MoveContexts,
    /// Bit that is 1 for a labelled ply: `[unlabelled plies before it]`.
    label: [Context; GAPS],
    /// Bit that is 1 if one more interior label follows: `[how many came before]`.
    more_interior: [Context; 2],
    /// Bit that is 1 if the path into the tree continues: `[its length]`.
    longer_path: [Context; PATH_STEPS],
    scores: ScoreContexts,
    interior_scores: ScoreContexts,
}

/// Contexts of the decision whether a move was played: `[class][moves left]`.
type MoveContexts = Box<[[Context; LEFT_STEPS]; CLASSES]>;

struct ScoreContexts {
    /// Number of bits of the distance: `[spread][level]`.
    width: [[[Context; 1 << WIDTH_BITS]; LEVELS]; SPREADS],
    /// Bit that is 1 for a score below the prediction: `[spread][order of the last two scores]`.
    sign: [[Context; ORDERS]; SPREADS],
    /// The two bits after the leading one of the distance: `[width]`.
    leading: [[Context; 1 << LEADING_BITS]; MAX_WIDTH as usize + 1],
}

/// The last two scores from White's point of view, the latest first.
type LastScores = [Option<i32>; 2];

/// Converts a score of the side to move to White's point of view, or back.
fn flip_unless_white(board: &Board, score: i32) -> i32 {
    if board.side_to_move() == Color::White { score } else { -score }
}

impl Model {
    fn new(version: Version) -> Self {
        Self {
            version,
            is_chess960: Context::EVEN,
            back_ranks_differ: Context::EVEN,
            opening: [Context::EVEN; 1 << OPENING_BITS],
            result: [Context::EVEN; 1 << RESULT_BITS],
            ending: [[Context::EVEN; 1 << ENDING_BITS]; GameResult::ALL.len()],
            played: new_move_contexts(),
            inside: new_move_contexts(),
            label: [Context::EVEN; GAPS],
            more_interior: [Context::EVEN; 2],
            longer_path: [Context::EVEN; PATH_STEPS],
            scores: ScoreContexts::new(),
            interior_scores: ScoreContexts::new(),
        }
    }

    /// Encodes `given`, or decodes a game and ignores `given`. Returns the game coded.
    fn code<C: Coder>(&mut self, coder: &mut C, given: &Game) -> Result<Game, InvalidGame> {
        let back_ranks = self.code_back_ranks(coder, given.back_ranks);
        let random = coder.tree(&mut self.opening, OPENING_BITS, given.opening.len() as u32);
        let plies = coder.uniform(PLY_COUNTS, given.plies.len() as u32);
        let verdict = self.code_verdict(coder, given.verdict)?;
        let mut game = Game { back_ranks, verdict, ..Game::empty() };
        let mut replay = Replay { board: back_ranks.board(), recent: [None; 2] };
        for index in 0..random as usize {
            let mv = code_random_move(coder, &replay, given.opening.get(index).copied())?;
            replay.make_move(mv);
            game.opening.push(mv);
        }
        let mut walk = Walk { replay, scores: [None; 2], gap: 0 };
        for _ in 0..plies {
            self.code_ply(coder, &mut walk, given, &mut game)?;
        }
        Ok(game)
    }

    /// Codes the next ply of `game`: its move, whether it is a label, and what a label has.
    fn code_ply<C: Coder>(
        &mut self,
        coder: &mut C,
        walk: &mut Walk,
        given: &Game,
        game: &mut Game,
    ) -> Result<(), InvalidGame> {
        let given_ply = given.plies.get(game.plies.len());
        let given_move = given_ply.map(|ply| ply.mv);
        let mv = code_move(&mut self.played, coder, &walk.replay, given_move)?;
        let given_score = given_ply.and_then(|ply| ply.score).map(|score| score.0);
        let score = self.code_label(coder, walk, given_score)?;
        game.plies.push(Ply { mv, score: score.map(Score) });
        if score.is_some() && self.version != Version::One {
            self.code_interior_labels(coder, walk, given, game)?;
        }
        walk.replay.make_move(mv);
        Ok(())
    }

    /// Codes whether the position is a label and, if it is one, its score. Returns that score.
    fn code_label<C: Coder>(
        &mut self,
        coder: &mut C,
        walk: &mut Walk,
        given: Option<i32>,
    ) -> Result<Option<i32>, InvalidGame> {
        let is_label = self.version == Version::One
            || coder.bit(&mut self.label[walk.gap.min(GAPS - 1)], given.is_some());
        walk.gap += 1;
        if !is_label {
            return Ok(None);
        }
        let last = walk.scores_at(&walk.replay.board);
        let score = self.scores.code(coder, last, given.unwrap_or(0))?;
        let for_white = flip_unless_white(&walk.replay.board, score);
        walk.scores = [Some(for_white), walk.scores[0]];
        walk.gap = 0;
        Ok(Some(score))
    }

    /// Codes the interior labels of the last ply of `game`, which is a label.
    fn code_interior_labels<C: Coder>(
        &mut self,
        coder: &mut C,
        walk: &Walk,
        given: &Game,
        game: &mut Game,
    ) -> Result<(), InvalidGame> {
        let ply = game.plies.len() - 1;
        let start = given.interior.partition_point(|interior| interior.ply < ply);
        let mut left = given.interior[start..].iter().take_while(|interior| interior.ply == ply);
        for number in 0..=MAX_INTERIOR {
            let next = left.next();
            if !coder.bit(&mut self.more_interior[number.min(1)], next.is_some()) {
                return Ok(());
            }
            let interior = self.code_interior(coder, walk, ply, next)?;
            game.interior.push(interior);
        }
        Err(InvalidGame)
    }

    /// Codes path, best move and score of an interior label. Its prediction is the score of the
    /// label whose search reached the position.
    fn code_interior<C: Coder>(
        &mut self,
        coder: &mut C,
        walk: &Walk,
        ply: usize,
        given: Option<&Interior>,
    ) -> Result<Interior, InvalidGame> {
        let mut replay = walk.replay.clone();
        let mut path = Vec::new();
        let given_path = given.map_or(&[][..], |interior| &interior.path);
        loop {
            let given_step = given_path.get(path.len()).copied();
            let step = code_move(&mut self.inside, coder, &replay, given_step)?;
            replay.make_move(step);
            path.push(step);
            let context = &mut self.longer_path[path.len().min(PATH_STEPS) - 1];
            if !coder.bit(context, path.len() < given_path.len()) {
                break;
            }
            if path.len() == MAX_PATH {
                return Err(InvalidGame);
            }
        }
        let given_move = given.map(|interior| interior.mv);
        let mv = code_move(&mut self.inside, coder, &replay, given_move)?;
        let [label, _] = walk.scores_at(&replay.board);
        let given_score = given.map_or(0, |interior| interior.score.0);
        let score = self.interior_scores.code(coder, [label, None], given_score)?;
        Ok(Interior { ply, path, mv, score: Score(score) })
    }

    fn code_back_ranks<C: Coder>(&mut self, coder: &mut C, given: BackRanks) -> BackRanks {
        if !coder.bit(&mut self.is_chess960, given != BackRanks::STANDARD) {
            return BackRanks::STANDARD;
        }
        let starts = Board::CHESS960_STARTS.into();
        let white = coder.uniform(starts, given.white.into()) as u16;
        let differ = coder.bit(&mut self.back_ranks_differ, given.black != given.white);
        let black = if differ { coder.uniform(starts, given.black.into()) as u16 } else { white };
        BackRanks { white, black }
    }

    fn code_verdict<C: Coder>(
        &mut self,
        coder: &mut C,
        given: Verdict,
    ) -> Result<Verdict, InvalidGame> {
        let number = coder.tree(&mut self.result, RESULT_BITS, given.result as u32) as usize;
        let result = *GameResult::ALL.get(number).ok_or(InvalidGame)?;
        let given_ending = u32::from(given.ending.number());
        let ending = coder.tree(&mut self.ending[number], ENDING_BITS, given_ending);
        Ok(Verdict { result, ending: Ending::ALL[ending as usize] })
    }
}

#[derive(Clone)]
struct Replay {
    board: Board,
    recent: Recent,
}

impl Replay {
    fn make_move(&mut self, mv: Move) {
        self.board.make_move(mv);
        self.recent = [Some(mv), self.recent[0]];
    }
}

struct Walk {
    replay: Replay,
    scores: LastScores,
    /// Unlabelled plies since the last label, or since the opening.
    gap: usize,
}

impl Walk {
    /// Returns the last two scores from the point of view of the side to move.
    fn scores_at(&self, board: &Board) -> [Option<i32>; 2] {
        self.scores.map(|for_white| for_white.map(|score| flip_unless_white(board, score)))
    }
}

/// The probability of a yes is at first 2 / (3 · left), where `left` is the number of moves left,
/// rounded down to a power of two and at most 32.
fn new_move_contexts() -> MoveContexts {
    let by_left: [Context; LEFT_STEPS] =
        std::array::from_fn(|step| Context::new((65_536 - 65_536 / (3 << step)) as u16));
    Box::new([by_left; CLASSES])
}

fn code_move<C: Coder>(
    contexts: &mut MoveContexts,
    coder: &mut C,
    replay: &Replay,
    given: Option<Move>,
) -> Result<Move, InvalidGame> {
    let ranked = order::rank(&replay.board, replay.recent);
    // The last move needs no decision.
    let (last, others) = ranked.split_last().ok_or(InvalidGame)?;
    for (index, candidate) in others.iter().enumerate() {
        let left = ranked.len() - index;
        let step = (left.ilog2() as usize).min(LEFT_STEPS) - 1;
        let context = &mut contexts[candidate.class][step];
        if coder.bit(context, given == Some(candidate.mv)) {
            return Ok(candidate.mv);
        }
    }
    Ok(last.mv)
}

fn code_random_move<C: Coder>(
    coder: &mut C,
    replay: &Replay,
    given: Option<Move>,
) -> Result<Move, InvalidGame> {
    let ranked = order::rank(&replay.board, replay.recent);
    if ranked.is_empty() {
        return Err(InvalidGame);
    }
    let given_place = ranked.iter().position(|candidate| Some(candidate.mv) == given);
    let place = coder.uniform(ranked.len() as u32, given_place.unwrap_or(0) as u32);
    Ok(ranked[place as usize].mv)
}

impl ScoreContexts {
    fn new() -> Self {
        Self {
            width: [[[Context::EVEN; 1 << WIDTH_BITS]; LEVELS]; SPREADS],
            sign: [[Context::EVEN; ORDERS]; SPREADS],
            leading: [[Context::EVEN; 1 << LEADING_BITS]; MAX_WIDTH as usize + 1],
        }
    }

    /// Codes a score. `last` has the two before it, the latest first. All are from the view of the
    /// score's side to move.
    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        last: [Option<i32>; 2],
        given: i32,
    ) -> Result<i32, InvalidGame> {
        let Prediction { score: predicted, spread, order } = Prediction::new(last);
        let level = match predicted.abs() {
            0 => 0,
            1..64 => 1,
            64..256 => 2,
            256..1024 => 3,
            _ => 4,
        };
        let distance = (given - predicted).unsigned_abs();
        let given_width = u32::BITS - distance.leading_zeros();
        let width = coder.tree(&mut self.width[spread][level], WIDTH_BITS, given_width);
        if width > MAX_WIDTH {
            return Err(InvalidGame);
        }
        if width == 0 {
            return Ok(predicted);
        }
        let is_below = coder.bit(&mut self.sign[spread][order], given < predicted);
        let distance = self.code_distance(coder, width, distance) as i32;
        let score = if is_below { predicted - distance } else { predicted + distance };
        if score.abs() <= MAX_SCORE { Ok(score) } else { Err(InvalidGame) }
    }

    /// Codes the bits of a distance below its leading one: two adaptive bits, then equally likely
    /// ones.
    fn code_distance<C: Coder>(&mut self, coder: &mut C, width: u32, given: u32) -> u32 {
        let rest = width - 1;
        let adaptive = rest.min(LEADING_BITS);
        let plain = rest - adaptive;
        let mask = |bits: u32| (1_u32 << bits) - 1;
        let contexts = &mut self.leading[width as usize];
        let high = coder.tree(contexts, adaptive, given >> plain & mask(adaptive));
        let low = coder.uniform(1 << plain, given & mask(plain));
        (1 << adaptive | high) << plain | low
    }
}

struct Prediction {
    score: i32,
    /// Size of the difference between the last two scores, in factors of two. The last class is for
    /// missing and mate scores.
    spread: usize,
    /// 0 if the two scores are equal, missing or mates; 1 if the earlier one is higher, 2 if the
    /// later one is.
    order: usize,
}

impl Prediction {
    fn new([last, earlier]: [Option<i32>; 2]) -> Self {
        match (last, earlier) {
            (Some(last), Some(earlier)) if last.abs() < MATES && earlier.abs() < MATES => {
                let spread = (u32::BITS - (last.abs_diff(earlier) / 4).leading_zeros()) as usize;
                let order = if earlier > last { 1 } else { usize::from(earlier < last) * 2 };
                Self { score: (last + earlier) >> 1, spread: spread.min(SPREADS - 2), order }
            }
            _ => Self { score: last.unwrap_or(0), spread: SPREADS - 1, order: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    #[should_panic(expected = "the game fits the format")]
    fn a_game_with_too_many_plies_is_not_encoded() {
        let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        let plies = vec![Ply { mv, score: None }; PLY_COUNTS as usize];
        encode(&[Game { plies, ..Game::empty() }]);
    }

    #[test]
    fn scores_of_every_size_round_trip() {
        let scores = [0, 1, -1, 2, -35, 900, -900, 31_990, -31_991, 31_992, 32_000, -32_000, 0];
        let mut encoder = Encoder::new();
        let mut contexts = ScoreContexts::new();
        let mut last = [None; 2];
        for score in scores {
            assert_eq!(contexts.code(&mut encoder, last, score), Ok(score));
            last = [Some(score), last[0]];
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut contexts = ScoreContexts::new();
        let mut last = [None; 2];
        for score in scores {
            assert_eq!(contexts.code(&mut decoder, last, 0), Ok(score));
            last = [Some(score), last[0]];
        }
        assert!(decoder.is_complete());
    }
}
