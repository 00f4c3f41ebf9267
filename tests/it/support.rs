//! Shared helpers: perft suites, random games, and folders of external files.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabia::board::Board;
use tabia::types::Move;

/// Returns a folder of external files, named by an environment variable or beside the project.
///
/// Without the folder the test is skipped.
pub(crate) fn folder_beside(variable: &str, beside: &str) -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(beside);
    let folder = env::var_os(variable).map_or_else(usual, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    report_skip(&format!("no folder {}; set {variable} to name one", folder.display()));
    None
}

/// Says why a test is skipped, on stderr in a way that no test runner captures.
pub(crate) fn report_skip(reason: &str) {
    io::stderr().write_all(format!("skipped: {reason}\n").as_bytes()).unwrap();
}

/// File names of the suites in `perft/`.
pub(crate) const SUITES: [&str; 3] = ["standard", "tricky", "chess960"];

/// A suite position with its counts as (depth, leaves), by ascending depth.
pub(crate) struct PerftCase {
    pub(crate) fen: String,
    pub(crate) counts: Vec<(u32, u64)>,
}

pub(crate) fn suite(name: &str) -> Vec<PerftCase> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("perft").join(name).with_extension("epd");
    let text = fs::read_to_string(&path).unwrap();
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines().filter(is_case).map(parse_case).collect()
}

fn parse_case(line: &str) -> PerftCase {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap().to_owned();
    let counts = fields
        .map(|field| field.strip_prefix('D').and_then(|rest| rest.split_once(' ')).unwrap())
        .map(|(depth, leaves)| (depth.parse().unwrap(), leaves.parse().unwrap()))
        .collect();
    PerftCase { fen, counts }
}

/// Returns a frame of Zstandard with this window descriptor. Each block has a size and its bytes,
/// which are a single one if the block repeats it.
pub(crate) fn zstandard<'a>(
    window: u8,
    blocks: impl IntoIterator<Item = (usize, &'a [u8])>,
) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0, window];
    for (size, bytes) in blocks {
        let is_repeated = bytes.len() < size;
        let header = (size << 3) | (usize::from(is_repeated) << 1);
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.extend_from_slice(bytes);
    }
    let last_block = [1, 0, 0];
    frame.extend_from_slice(&last_block);
    frame
}

pub(crate) struct TestRng(ChaCha8Rng);

impl TestRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.0.next_u32()) * limit as u64) >> 32) as usize
    }

    pub(crate) fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        if moves.is_empty() { None } else { Some(moves[self.below(moves.len())]) }
    }

    /// Returns a start position: the standard one, or a Chess960 position with different back
    /// ranks, so that the castling paths of the two sides differ.
    pub(crate) fn start(&mut self, chess960: bool) -> Board {
        if chess960 {
            Board::chess960_startpos(self.below(960) as u16, self.below(960) as u16)
        } else {
            Board::startpos()
        }
    }
}

/// Maximum length of a random game in plies; enough to reach bare endgames with promotions.
pub(crate) const GAME_PLIES: usize = 250;

/// Plays a random game and visits every position, until it ends or reaches the maximum length.
pub(crate) fn random_game(rng: &mut TestRng, chess960: bool, mut visit: impl FnMut(&mut Board)) {
    let mut board = rng.start(chess960);
    for _ in 0..GAME_PLIES {
        visit(&mut board);
        let Some(mv) = rng.choose(&board.legal_moves()) else { break };
        board.make_move(mv);
    }
}

/// Visits `count` positions of random games, half of them Chess960.
pub(crate) fn random_positions(seed: u64, count: usize, mut visit: impl FnMut(&mut Board)) {
    let mut rng = TestRng::new(seed);
    let mut left = count;
    let mut chess960 = false;
    while left > 0 {
        random_game(&mut rng, chess960, |board| {
            if left > 0 {
                visit(board);
                left -= 1;
            }
        });
        chess960 = !chess960;
    }
}
