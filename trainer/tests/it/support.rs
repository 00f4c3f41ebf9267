//! Positions and recipes for tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use sha2::{Digest, Sha256};
use tabia::board::Board;
use tabia::eval::network::SCALE;
use tabia::types::{Color, Move, PieceType};
use tabia_trainer::data::DataSet;
use tabia_trainer::log::LogRow;
use tabia_trainer::maths::sigmoid;
use tabia_trainer::model::ModelParameters;
use tabia_trainer::recipe::{Recipe, hex};
use tabia_trainer::record::Record;
use tabia_trainer::train::Watcher;

/// Recipe section of the games in [`known_games`], which come from
/// `tabia datagen --seed 9 --games 16 --nodes 200` with the engine of this commit.
pub(crate) const KNOWN_GAMES: &str = "[[games]]
    engine = '72a1a587ac03f1694d99169a83868be3ce0dc6b7'
    net = '7cc2503dfb0e08edbcc0ad9d3bdd799b7832ffd2ad9086b4b47d296bf32f9270'
    seed = 9
    count = 16
    options = { nodes = 200 }
";

/// Returns a folder with a copy of their shard: reading the games keeps a file beside it.
pub(crate) fn known_games() -> Folder {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::new(&format!("games-{}", COPIES.fetch_add(1, Ordering::Relaxed)));
    let name = "seed9-00000.tabia";
    let shard = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("games").join(name);
    fs::copy(shard, folder.0.join(name)).unwrap();
    folder
}

/// Returns the positions of every fifth move of random games.
pub(crate) fn boards(count: usize, seed: u64) -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut boards = Vec::new();
    let mut board = Board::startpos();
    while boards.len() < count {
        let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
        // Sorted, so that the result does not depend on move generation.
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

/// Returns the material balance for the side to move.
pub(crate) fn material(board: &Board) -> i32 {
    let side = |color: Color| {
        let values = [100, 300, 320, 500, 900, 0];
        let count = |kind: PieceType| board.pieces_of(color, kind).count() as i32;
        PieceType::ALL.into_iter().zip(values).map(|(kind, value)| count(kind) * value).sum::<i32>()
    };
    side(board.side_to_move()) - side(!board.side_to_move())
}

pub(crate) fn material_records(boards: &[Board]) -> Vec<Record> {
    let record = |board: &Board| {
        Record::new(board, sigmoid(f64::from(material(board)) / f64::from(SCALE)) as f32)
    };
    boards.iter().map(record).collect()
}

/// Returns random positions with the material balance as target, and 500 to test on.
pub(crate) fn material_data(training: usize) -> DataSet {
    let mut training_records = material_records(&boards(training + 500, 1));
    let held_out = training_records.split_off(training);
    DataSet { training: training_records, labels: training, held_out, ..DataSet::default() }
}

/// Returns the SHA-256 of all positions with their targets.
pub(crate) fn sha256(data: &DataSet) -> String {
    let mut sum = Sha256::new();
    for part in [&data.training, &data.held_out] {
        sum.update((part.len() as u64).to_le_bytes());
        sum.update(bytemuck::cast_slice::<Record, u8>(part));
    }
    sum.update(bytemuck::cast_slice::<Record, u8>(&data.off_line));
    hex(&sum.finalize())
}

/// Returns a recipe for a small network; its games are not used.
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

pub(crate) fn drawn(recipe: &Recipe) -> ModelParameters {
    ModelParameters::random(recipe.network, recipe.training.seed)
}

pub(crate) struct Nobody;

impl Watcher for Nobody {
    fn begin(&mut self, _: u64, _: u64) {}
    fn step(&mut self, _: f64, _: f64) {}
    fn row(&mut self, _: &LogRow) {}
}

/// Temporary folder, removed when dropped.
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
        // Errors can be ignored: the system clears temporary files.
        drop(fs::remove_dir_all(&self.0));
    }
}
