//! Makes the positions of the judge: chooses them from games and asks the engines.

use std::collections::HashSet;
use std::path::PathBuf;

use tabia::board::{Board, FenStyle};
use tabia::datagen::{Damage, Game, KeepFilter, Shard};
use tabia::types::Color;
use tabia::zobrist::Key;

use super::engine::{Engine, EngineError};
use super::positions::{GROUPS, JudgePosition, MenGroup};

/// Nodes of Stockfish's search of a position.
pub const NODES: u64 = 30_000;

/// The engines that give the numbers, as they name themselves.
pub struct Engines {
    akimbo: Engine,
    viridithas: Engine,
    stockfish: Engine,
}

impl Engines {
    /// Starts the programs akimbo, Viridithas and Stockfish.
    pub fn start([akimbo, viridithas, stockfish]: [&PathBuf; 3]) -> Result<Self, EngineError> {
        Ok(Self {
            akimbo: Engine::start(akimbo, "akimbo 0.8.0")?,
            viridithas: Engine::start(viridithas, "Viridithas 10.0.0-dev")?,
            stockfish: Engine::start(stockfish, "Stockfish 15.1")?,
        })
    }

    /// Returns a position with its evaluations and, if wanted, Stockfish's score.
    pub fn ask(&mut self, board: Board, with_score: bool) -> Result<JudgePosition, EngineError> {
        let fen = board.fen(FenStyle::Standard);
        let evaluations = [self.akimbo.evaluate(&fen)?, self.viridithas.evaluate(&fen)?];
        let score = match with_score {
            true => Some(self.stockfish.search(&fen, NODES)?),
            false => None,
        };
        Ok(JudgePosition { board, evaluations, score })
    }
}

/// Positions of games, at most one of each, until each group of men has as many as wanted.
pub struct Chooser {
    wanted: usize,
    chosen: [Vec<Board>; GROUPS.len()],
    seen: HashSet<Key>,
    games: u64,
}

impl Chooser {
    /// Creates a chooser of this number of positions for each group.
    pub fn new(wanted: usize) -> Self {
        Self { wanted, chosen: Default::default(), seen: HashSet::new(), games: 0 }
    }

    /// Chooses from the games of a shard, in order, and returns whether all positions are there.
    ///
    /// # Errors
    /// If the shard is damaged before that.
    pub fn read(&mut self, shard: &Shard) -> Result<bool, Damage> {
        for block in shard.blocks() {
            for game in block?.decode()? {
                if self.is_complete() {
                    return Ok(true);
                }
                self.take(&game);
            }
        }
        Ok(self.is_complete())
    }

    /// Returns the number of games that were read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the positions by groups of men, each group in the order of the games.
    pub fn into_groups(self) -> [Vec<Board>; GROUPS.len()] {
        self.chosen
    }

    fn is_complete(&self) -> bool {
        self.chosen.iter().all(|boards| boards.len() >= self.wanted)
    }

    /// Takes a position of a game for the group that has fewest, if the game has any. The group
    /// does not depend on the game: a game of its own choice would give endings where it has them,
    /// and openings where it was short.
    fn take(&mut self, game: &Game) {
        self.games += 1;
        let smallest = (0..GROUPS.len()).min_by_key(|&group| self.chosen[group].len());
        let group = smallest.expect("there are groups");
        let mut candidates: Vec<Board> = Vec::new();
        game.for_each_label(|label| {
            let is_alone = |color| label.board.colors(color).count() == 1;
            let fits = MenGroup::of(label.board) == group
                && KeepFilter::default().keeps(label)
                && !Color::ALL.into_iter().any(is_alone);
            if fits {
                candidates.push(without_history(label.board));
            }
        });
        // The keys are as good as random numbers.
        let choice = candidates.into_iter().min_by_key(|board| board.key().0);
        if let Some(board) = choice.filter(|board| self.seen.insert(board.key())) {
            self.chosen[group].push(board);
        }
    }
}

/// Returns a position with a halfmove clock of zero and no moves before it.
fn without_history(board: &Board) -> Board {
    let fen = board.fen(FenStyle::Standard);
    let fields = fen.rsplitn(3, ' ').last().expect("a FEN has six fields");
    Board::from_fen(&format!("{fields} 0 1")).expect("the position was legal before")
}
