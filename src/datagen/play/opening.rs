//! Openings of random moves, so that games differ and reach positions that the engine would avoid.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::board::Board;
use crate::datagen::game::BackRanks;
use crate::datagen::options::GameOptions;
use crate::types::{Move, PieceType};

/// Random number generator of one game, the same on every machine.
pub(super) struct GameRng(ChaCha20Rng);

impl GameRng {
    pub(super) fn new(seed: u64, game: u64) -> Self {
        Self::keyed(*b"--seed--Tabia: self-play games..", seed, game)
    }

    /// Creates the generator that chooses interior labels below one ply.
    pub(super) fn for_interior(seed: u64, game: u64, ply: u64) -> Self {
        /// Distance between plies in the stream, in words of 32 bits.
        const WORDS: u128 = 1 << 16;
        let mut rng = Self::keyed(*b"--seed--Tabia: interior labels..", seed, game);
        rng.0.set_word_pos(u128::from(ply) * WORDS);
        rng
    }

    fn keyed(mut key: [u8; 32], seed: u64, game: u64) -> Self {
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut stream = ChaCha20Rng::from_seed(key);
        stream.set_stream(game);
        Self(stream)
    }

    /// Returns a number below `limit`, with a bias below one in ten million for small limits.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.0.next_u32()) * limit as u64) >> 32) as usize
    }
}

pub(super) struct Opening {
    pub(super) back_ranks: BackRanks,
    pub(super) moves: Vec<Move>,
    pub(super) board: Board,
}

/// Returns a random opening; `None` if its moves end the game.
pub(super) fn random(rng: &mut GameRng, game: u64, options: &GameOptions) -> Option<Opening> {
    let back_ranks = if (rng.below(100) as u64) < options.chess960 {
        let number = rng.below(Board::CHESS960_STARTS.into()) as u16;
        BackRanks { white: number, black: number }
    } else {
        BackRanks::STANDARD
    };
    let mut board = back_ranks.board();
    // Each side is to move after the opening in half of the games.
    let plies = options.random_plies + game % 2;
    let weights = if options.weighted_opening == 1 { WEIGHTS } else { UNIFORM };
    let moves = play_random(rng, &mut board, plies, &weights)?;
    Some(Opening { back_ranks, moves, board })
}

/// Relative frequency of random moves by kind of piece, pawn to king.
pub(super) type MoveWeights = [usize; PieceType::COUNT];
pub(super) const UNIFORM: MoveWeights = [1; PieceType::COUNT];
/// Weights that prefer development to early moves of the major pieces and the king.
const WEIGHTS: MoveWeights = [4, 4, 4, 2, 2, 1];

/// Plays and returns random moves; `None` if they end the game.
pub(super) fn play_random(
    rng: &mut GameRng,
    board: &mut Board,
    plies: u64,
    weights: &MoveWeights,
) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    for _ in 0..plies {
        let mv = random_move(rng, board, weights)?;
        board.make_move(mv);
        moves.push(mv);
    }
    board.outcome().is_none().then_some(moves)
}

/// Draws a legal move by weight; `None` at the end of the game, or if all weights are 0.
fn random_move(rng: &mut GameRng, board: &Board, weights: &MoveWeights) -> Option<Move> {
    let legal = board.legal_moves();
    let weight = |mv: Move| weights[board.moved_piece(mv).piece_type() as usize];
    let total: usize = legal.iter().map(|&mv| weight(mv)).sum();
    let mut place = rng.below(total);
    legal.into_iter().find(|&mv| match place.checked_sub(weight(mv)) {
        Some(rest) => {
            place = rest;
            false
        }
        None => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_change_how_often_a_kind_of_piece_moves() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2N w - - 0 1").expect("a position");
        let knight_moves = |weights: &MoveWeights| {
            let mut rng = GameRng::new(3, 0);
            let moves = (0..700).map(|_| random_move(&mut rng, &board, weights).expect("a move"));
            moves.filter(|&mv| board.moved_piece(mv).piece_type() == PieceType::Knight).count()
        };
        // Two knight moves and five king moves.
        assert!((150..250).contains(&knight_moves(&UNIFORM)));
        assert!((380..480).contains(&knight_moves(&WEIGHTS)));
    }
}
