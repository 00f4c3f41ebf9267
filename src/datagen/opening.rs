//! How games begin: random moves, so that no two games are alike and the engine meets positions that it would avoid.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::board::Board;
use crate::types::Move;

use super::adjudicate::verdict_by_rule;
use super::game::Arrays;
use super::options::GameOptions;

/// The chance of one game: the same numbers on every machine.
pub(super) struct Dice(ChaCha20Rng);

impl Dice {
    /// For the game of this number.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        let mut key = *b"--seed--Tabia: self-play games..";
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut stream = ChaCha20Rng::from_seed(key);
        stream.set_stream(game);
        Self(stream)
    }

    /// A number below `limit`, which is small: the bias is below one in ten million.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.0.next_u32()) * limit as u64) >> 32) as usize
    }
}

/// A beginning.
pub(super) struct Opening {
    pub(super) arrays: Arrays,
    pub(super) moves: Vec<Move>,
    /// The position after the moves.
    pub(super) board: Board,
}

/// Draws a beginning for the game of this number. `None` if the random moves have ended the game.
pub(super) fn draw(dice: &mut Dice, game: u64, options: &GameOptions) -> Option<Opening> {
    let arrays = if (dice.below(100) as u64) < options.chess960 {
        let number = dice.below(960) as u16;
        Arrays { white: number, black: number }
    } else {
        Arrays::STANDARD
    };
    let mut board = arrays.board();
    // Each side leaves the beginning with the move in half of the games.
    let moves = play_random(dice, &mut board, options.random_plies + game % 2)?;
    Some(Opening { arrays, moves, board })
}

/// Plays so many random moves. `None` if they end the game.
pub(super) fn play_random(dice: &mut Dice, board: &mut Board, plies: u64) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = board.legal_moves();
        let mv = *legal.get(dice.below(legal.len()))?;
        board.make_move(mv);
        moves.push(mv);
    }
    verdict_by_rule(board).is_none().then_some(moves)
}
