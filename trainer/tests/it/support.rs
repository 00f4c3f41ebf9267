//! Positions and recipes to test with.

use std::path::PathBuf;
use std::{env, fs, process};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use tabia::board::Board;
use tabia::eval::network::SCALE;
use tabia::types::{Color, Move, PieceType};
use tabia_trainer::data::DataSet;
use tabia_trainer::log::Row;
use tabia_trainer::maths::sigmoid;
use tabia_trainer::model::Parameters;
use tabia_trainer::recipe::Recipe;
use tabia_trainer::record::Record;
use tabia_trainer::train::Watcher;

/// Positions of games of random moves, every fifth of each game.
pub(crate) fn boards(count: usize, seed: u64) -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut boards = Vec::new();
    let mut board = Board::startpos();
    while boards.len() < count {
        let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
        // In an order that does not depend on how moves are generated.
        moves.sort_unstable_by_key(|mv| mv.bits());
        if moves.is_empty() || board.fullmove_number() > 80 {
            board = Board::startpos();
            continue;
        }
        board.make_move(moves[rng.next_u32() as usize % moves.len()]);
        if board.fullmove_number().is_multiple_of(5) {
            boards.push(board.clone());
        }
    }
    boards
}

/// The material of the side to move less that of its opponent, in hundredths of a pawn.
pub(crate) fn material(board: &Board) -> i32 {
    let side = |color: Color| {
        let worth = [100, 300, 320, 500, 900, 0];
        let count = |kind: PieceType| board.pieces_of(color, kind).count() as i32;
        PieceType::ALL.into_iter().zip(worth).map(|(kind, worth)| count(kind) * worth).sum::<i32>()
    };
    side(board.side_to_move()) - side(!board.side_to_move())
}

/// Records of these positions, to learn their material.
pub(crate) fn material_records(boards: &[Board]) -> Vec<Record> {
    let record = |board: &Board| {
        Record::new(board, sigmoid(f64::from(material(board)) / f64::from(SCALE)) as f32)
    };
    boards.iter().map(record).collect()
}

/// A data set of so many random positions to learn material from, and some to test on.
pub(crate) fn material_data(training: usize) -> DataSet {
    let mut training_records = material_records(&boards(training + 500, 1));
    let held_out = training_records.split_off(training);
    let off_line = Vec::new();
    DataSet { training: training_records, labels: training, held_out, off_line, duplicates: 0 }
}

/// A recipe for a small network and a short run; its games are of no matter.
pub(crate) fn small_recipe(epochs: u64) -> Recipe {
    Recipe::parse(&format!(
        "[[games]]
        engine = '0000000000000000000000000000000000000000'
        seed = 1
        count = 1
        [network]
        hidden = 64
        buckets = 4
        [training]
        seed = 5
        epochs = {epochs}
        batch = 512
        rate = 0.003
        final_rate = 0.00001
        warm_up = 10"
    ))
    .unwrap()
}

/// The start that a recipe's seed draws.
pub(crate) fn drawn(recipe: &Recipe) -> Parameters {
    Parameters::random(recipe.network, recipe.training.seed)
}

/// Nobody looks.
pub(crate) struct Nobody;

impl Watcher for Nobody {
    fn begin(&mut self, _: u64, _: u64) {}
    fn step(&mut self, _: f64, _: f64) {}
    fn row(&mut self, _: &Row) {}
}

/// A folder of its own for a test, removed in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("tabia-trainer-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it, and the system clears this place anyway.
        drop(fs::remove_dir_all(&self.0));
    }
}
