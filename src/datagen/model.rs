//! What the range coder is told about games: the one walk that writes and reads them.
//!
//! A move is coded as a row of questions, "is it this one?", over the legal moves in the order of `order.rs`; how likely
//! a yes is depends on the kind of the move and on how many are left. A score is coded as its distance from a guess made
//! of the last two scores. docs/data-format.md has every detail.

use crate::board::Board;
use crate::types::{Move, Score};

use super::coder::{Coder, Context, Decoder, Encoder};
use super::game::{Arrays, Ending, Game, GameResult, Ply, Verdict};
use super::order::{self, CLASSES, Recent};

/// The bits of the number of random plies, and how many numbers of searched plies there are.
const OPENING_BITS: u32 = 5;
const PLY_COUNTS: u32 = 2048;
/// Numbers of moves left are told apart by their size in bits, up to this.
const LEFT_STEPS: usize = 5;
/// Beyond this a score speaks of mate, and says nothing about the other side's.
const MATES: i32 = 31_000;
/// The widest distance of a score from its guess, in bits.
const WIDEST: u32 = 17;
/// How far apart the last two scores were, and how large the guess is.
const SPREADS: usize = 8;
const LEVELS: usize = 5;

/// These bytes are no game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct NoGame;

/// Games as bytes.
///
/// # Panics
/// If a game is none: an illegal move, or more plies than can be coded.
pub(super) fn encode(games: &[Game]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut model = Model::new();
    for game in games {
        let coded = model.code(&mut encoder, game);
        assert!(coded.as_ref() == Ok(game), "a game consists of legal moves");
    }
    encoder.finish()
}

/// The games of these bytes, which hold `count` of them and nothing else.
pub(super) fn decode(bytes: &[u8], count: u32) -> Result<Vec<Game>, NoGame> {
    let mut decoder = Decoder::new(bytes);
    let mut model = Model::new();
    let mut games = Vec::new();
    for _ in 0..count {
        games.push(model.code(&mut decoder, &Game::empty())?);
        if decoder.is_overdrawn() {
            return Err(NoGame);
        }
    }
    if decoder.is_complete() { Ok(games) } else { Err(NoGame) }
}

/// All contexts, as learnt from the games so far.
struct Model {
    standard: Context,
    same_arrays: Context,
    opening: [Context; 1 << OPENING_BITS],
    result: [Context; 4],
    /// By result.
    ending: [[Context; 8]; 3],
    /// Whether this move is the one: `[class][moves left]`.
    moves: Box<[[Context; LEFT_STEPS]; CLASSES]>,
    scores: ScoreContexts,
}

struct ScoreContexts {
    /// The bits of the distance: `[spread][level]`.
    width: [[[Context; 32]; LEVELS]; SPREADS],
    /// Whether the score lies below the guess: `[spread][which of the last two scores was higher]`.
    sign: [[Context; 3]; SPREADS],
    /// The two bits after the distance's leading one: `[width]`.
    leading: [[Context; 4]; WIDEST as usize + 1],
}

impl Model {
    fn new() -> Self {
        // Before anything is learnt, a move is the one with a probability of two in three times the number of moves.
        let by_left: [Context; LEFT_STEPS] =
            std::array::from_fn(|step| Context::new((65_536 - 65_536 / (3 << step)) as u16));
        Self {
            standard: Context::EVEN,
            same_arrays: Context::EVEN,
            opening: [Context::EVEN; 1 << OPENING_BITS],
            result: [Context::EVEN; 4],
            ending: [[Context::EVEN; 8]; 3],
            moves: Box::new([by_left; CLASSES]),
            scores: ScoreContexts {
                width: [[[Context::EVEN; 32]; LEVELS]; SPREADS],
                sign: [[Context::EVEN; 3]; SPREADS],
                leading: [[Context::EVEN; 4]; WIDEST as usize + 1],
            },
        }
    }

    /// Codes a game. For a decoder `given` may be any.
    fn code<C: Coder>(&mut self, coder: &mut C, given: &Game) -> Result<Game, NoGame> {
        let arrays = self.code_arrays(coder, given.arrays);
        let random = coder.tree(&mut self.opening, OPENING_BITS, given.opening.len() as u32);
        let plies = coder.uniform(PLY_COUNTS, given.plies.len() as u32);
        let verdict = self.code_verdict(coder, given.verdict)?;
        let mut game = Game { arrays, opening: Vec::new(), plies: Vec::new(), verdict };
        let mut board = arrays.board();
        let mut recent = [None; 2];
        for index in 0..random as usize {
            let mv = code_random_move(coder, &board, recent, given.opening.get(index).copied())?;
            board.make_move(mv);
            recent = [Some(mv), recent[0]];
            game.opening.push(mv);
        }
        let mut scores = [None; 2];
        for index in 0..plies as usize {
            let given = given.plies.get(index);
            let mv = self.code_move(coder, &board, recent, given.map(|ply| ply.mv))?;
            let score = given.map_or(0, |ply| ply.score.0);
            let score = self.scores.code(coder, scores, score)?;
            board.make_move(mv);
            recent = [Some(mv), recent[0]];
            scores = [Some(score), scores[0]];
            game.plies.push(Ply { mv, score: Score(score) });
        }
        Ok(game)
    }

    fn code_arrays<C: Coder>(&mut self, coder: &mut C, given: Arrays) -> Arrays {
        if !coder.bit(&mut self.standard, given != Arrays::STANDARD) {
            return Arrays::STANDARD;
        }
        let white = coder.uniform(960, given.white.into()) as u16;
        let differ = coder.bit(&mut self.same_arrays, given.black != given.white);
        let black = if differ { coder.uniform(960, given.black.into()) as u16 } else { white };
        Arrays { white, black }
    }

    fn code_verdict<C: Coder>(&mut self, coder: &mut C, given: Verdict) -> Result<Verdict, NoGame> {
        let number = coder.tree(&mut self.result, 2, given.result as u32) as usize;
        let result = *GameResult::ALL.get(number).ok_or(NoGame)?;
        let ending = coder.tree(&mut self.ending[number], 3, given.ending as u32);
        Ok(Verdict { result, ending: Ending::ALL[ending as usize] })
    }

    fn code_move<C: Coder>(
        &mut self,
        coder: &mut C,
        board: &Board,
        recent: Recent,
        given: Option<Move>,
    ) -> Result<Move, NoGame> {
        let ranked = order::rank(board, recent);
        let (last, others) = ranked.split_last().ok_or(NoGame)?;
        for (index, candidate) in others.iter().enumerate() {
            let left = ranked.len() - index;
            let step = (left.ilog2() as usize).min(LEFT_STEPS) - 1;
            let context = &mut self.moves[candidate.class][step];
            if coder.bit(context, given == Some(candidate.mv)) {
                return Ok(candidate.mv);
            }
        }
        Ok(last.mv)
    }
}

/// Codes a random move: every legal one is equally likely.
fn code_random_move<C: Coder>(
    coder: &mut C,
    board: &Board,
    recent: Recent,
    given: Option<Move>,
) -> Result<Move, NoGame> {
    let ranked = order::rank(board, recent);
    if ranked.is_empty() {
        return Err(NoGame);
    }
    let place = ranked.iter().position(|candidate| Some(candidate.mv) == given);
    let place = coder.uniform(ranked.len() as u32, place.unwrap_or(0) as u32);
    Ok(ranked[place as usize].mv)
}

impl ScoreContexts {
    /// Codes a score. `last` are those before it in the game, the opponent's first, each from its own side's view.
    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        last: [Option<i32>; 2],
        given: i32,
    ) -> Result<i32, NoGame> {
        let Guess { score: guess, spread, order } = Guess::new(last);
        let level = match guess.abs() {
            0 => 0,
            1..64 => 1,
            64..256 => 2,
            256..1024 => 3,
            _ => 4,
        };
        let distance = (given - guess).unsigned_abs();
        let width = u32::BITS - distance.leading_zeros();
        let width = coder.tree(&mut self.width[spread][level], 5, width);
        if width > WIDEST {
            return Err(NoGame);
        }
        if width == 0 {
            return Ok(guess);
        }
        let is_below = coder.bit(&mut self.sign[spread][order], given < guess);
        let distance = self.code_distance(coder, width, distance) as i32;
        let score = if is_below { guess - distance } else { guess + distance };
        if score.abs() <= Score::MATE.0 { Ok(score) } else { Err(NoGame) }
    }

    /// Codes what follows the leading one of a distance of so many bits: two bits that are learnt, the rest plain.
    fn code_distance<C: Coder>(&mut self, coder: &mut C, width: u32, given: u32) -> u32 {
        let rest = width - 1;
        let learnt = rest.min(2);
        let plain = rest - learnt;
        let mask = |bits: u32| (1_u32 << bits) - 1;
        let contexts = &mut self.leading[width as usize];
        let high = coder.tree(contexts, learnt, given >> plain & mask(learnt));
        let low = coder.uniform(1 << plain, given & mask(plain));
        (1 << learnt | high) << plain | low
    }
}

/// What the next score is expected to be.
struct Guess {
    score: i32,
    /// How far apart the two scores are that it is made of, in steps of a factor of two; the last step without two.
    spread: usize,
    /// 0 if the two are equal or not there, 1 if the own one is higher, 2 if the opponent's is.
    order: usize,
}

impl Guess {
    fn new([last, own]: [Option<i32>; 2]) -> Self {
        let last = last.map(|score| -score);
        match (last, own) {
            (Some(last), Some(own)) if last.abs() < MATES && own.abs() < MATES => {
                let spread = (u32::BITS - (last.abs_diff(own) / 4).leading_zeros()) as usize;
                let order = if own > last { 1 } else { usize::from(own < last) * 2 };
                Self { score: (last + own) >> 1, spread: spread.min(SPREADS - 2), order }
            }
            _ => Self { score: last.unwrap_or(0), spread: SPREADS - 1, order: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_every_size_come_back() {
        let scores = [0, 1, -1, 2, -35, 900, -900, 31_990, -31_991, 31_992, 32_000, -32_000, 0];
        let mut encoder = Encoder::new();
        let mut contexts = Model::new().scores;
        let mut last = [None; 2];
        for score in scores {
            assert_eq!(contexts.code(&mut encoder, last, score), Ok(score));
            last = [Some(score), last[0]];
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut contexts = Model::new().scores;
        let mut last = [None; 2];
        for score in scores {
            assert_eq!(contexts.code(&mut decoder, last, 0), Ok(score));
            last = [Some(score), last[0]];
        }
        assert!(decoder.is_complete());
    }
}
