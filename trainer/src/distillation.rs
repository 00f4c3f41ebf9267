//! Distilled positions, whose target is the evaluation of another network, the *teacher*.
//!
//! A position is a random ply of a game, then a few random legal moves. It often has a hanging
//! piece, like most positions that a search evaluates.
//!
//! Source: Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural Network",
//! <https://arxiv.org/abs/1503.02531>

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use tabia::board::Board;
use tabia::datagen::Game;
use tabia::eval::network;
use tabia::types::Move;

use crate::maths::sigmoid;
use crate::recipe::{Distillation, Recipe, Training};
use crate::record::Record;

/// Attempts to draw a position that is neither in check nor the end of a game.
const ATTEMPTS: usize = 8;

/// Draws positions from games and evaluates them with the teacher.
pub struct Distiller<'a> {
    options: &'a Distillation,
    teacher: &'a network::Parameters,
    seed: u64,
    scale: u32,
    games: u64,
}

impl<'a> Distiller<'a> {
    /// Creates the distiller of a recipe, if it has a teacher.
    pub fn new(recipe: &'a Recipe, teacher: &'a network::Parameters) -> Option<Self> {
        let options = recipe.distillation.as_ref()?;
        let games = recipe.games.iter().map(|games| games.count).sum();
        let Training { seed, scale, .. } = recipe.training;
        Some(Self { options, teacher, seed, scale, games })
    }

    /// Returns the positions of game `number` of a seed. `place` is its index among all games.
    pub fn positions(&self, game: &Game, seed: u64, number: u64, place: u64) -> Vec<Record> {
        let mut rng = self.rng(seed, number);
        let mut plies: Vec<usize> = match game.plies.len() {
            0 => Vec::new(),
            plies => (0..self.count(place)).map(|_| below(&mut rng, plies)).collect(),
        };
        plies.sort_unstable();
        let mut records = Vec::with_capacity(plies.len());
        let mut board = game.after_opening();
        for (index, ply) in game.plies.iter().enumerate() {
            let end = plies.partition_point(|drawn| *drawn <= index);
            let start = plies.partition_point(|drawn| *drawn < index);
            for _ in start..end {
                records.extend(self.draw(&mut board, &mut rng));
            }
            board.make_move(ply.mv);
        }
        records
    }

    /// Returns the number of positions of a game: two games differ by at most one.
    fn count(&self, place: u64) -> u64 {
        let before = |place: u64| {
            (u128::from(self.options.positions) * u128::from(place) / u128::from(self.games)) as u64
        };
        before(place + 1) - before(place)
    }

    fn rng(&self, seed: u64, number: u64) -> ChaCha8Rng {
        let mut key = *b"................Tabia: distilled";
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(number);
        rng
    }

    /// Draws a position a few random moves away; `None` if all attempts fail. Restores the board.
    fn draw(&self, board: &mut Board, rng: &mut ChaCha8Rng) -> Option<Record> {
        for _ in 0..ATTEMPTS {
            let wanted = below(rng, self.options.moves as usize + 1);
            let mut made = 0;
            while made < wanted {
                let Some(mv) = self.random_move(board, rng) else { break };
                board.make_move(mv);
                made += 1;
            }
            let fits = made == wanted && !board.in_check() && board.has_legal_move();
            let record = fits.then(|| self.record(board));
            (0..made).for_each(|_| board.unmake_move());
            if record.is_some() {
                return record;
            }
        }
        None
    }

    fn random_move(&self, board: &Board, rng: &mut ChaCha8Rng) -> Option<Move> {
        let mut moves = board.legal_moves();
        let is_noisy_only = f64::from(rng.next_u32()) < self.options.captures * 4_294_967_296.0;
        let is_noisy = |mv: &Move| mv.is_capture() || mv.is_promotion();
        if is_noisy_only && moves.iter().any(is_noisy) {
            moves.retain(|mv| is_noisy(mv));
        }
        if moves.is_empty() {
            return None;
        }
        // By their order, so that the result does not depend on move generation.
        let index = below(rng, moves.len());
        Some(*moves.select_nth_unstable_by_key(index, |mv| mv.bits()).1)
    }

    fn record(&self, board: &Board) -> Record {
        let score = self.teacher.evaluate(board).0;
        Record::new(board, sigmoid(f64::from(score) / f64::from(self.scale)) as f32)
    }
}

/// Draws a number below `limit`, with a bias of at most `limit` / 2³².
fn below(rng: &mut ChaCha8Rng, limit: usize) -> usize {
    ((u64::from(rng.next_u32()) * limit as u64) >> 32) as usize
}
