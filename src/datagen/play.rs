//! Plays games. What comes out depends on the seed, the game's number, the options and the engine, and on nothing else.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::board::Board;
use crate::search::tt::TtError;
use crate::search::{Limits, Outcome, SoloSearch};

use super::adjudicate::{Adjudicator, verdict_by_rule};
use super::game::{Ending, Game, GameResult, Ply, Verdict};
use super::opening::{self, Dice, Opening};
use super::options::GameOptions;

/// A game is given up after so many plies.
const MAX_PLIES: usize = 1000;

/// Plays one game after the other.
pub struct Player {
    search: SoloSearch,
    options: GameOptions,
    seed: u64,
}

impl Player {
    /// A player of the games of this seed.
    ///
    /// # Errors
    /// When there is no room for the transposition table.
    pub fn new(options: GameOptions, seed: u64) -> Result<Self, TtError> {
        Ok(Self { search: SoloSearch::new(options.hash as usize)?, options, seed })
    }

    /// Plays the game of this number. `None` if `stop` was set before its end.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        self.forget();
        let mut dice = Dice::new(self.seed, number);
        while !stop.load(Relaxed) {
            let Some(opening) = opening::draw(&mut dice, number, &self.options) else { continue };
            let found = self.search(&opening.board);
            if self.is_close(found) {
                return self.play_on(opening, found, stop);
            }
        }
        None
    }

    /// Forgets what earlier searches have taught.
    pub(super) fn forget(&mut self) {
        self.search.clear();
    }

    /// Whether a game may begin from this position: a short search finds it even enough.
    pub(super) fn is_even(&mut self, board: &Board) -> bool {
        let found = self.search(board);
        self.is_close(found)
    }

    fn is_close(&self, found: Outcome) -> bool {
        u64::from(found.score.0.unsigned_abs()) <= self.options.exit_score
    }

    fn search(&mut self, board: &Board) -> Outcome {
        let limits = Limits {
            soft_nodes: Some(self.options.nodes),
            nodes: Some(self.options.node_limit()),
            ..Limits::default()
        };
        self.search.search(board, limits)
    }

    /// Plays from the end of the opening, whose position is searched already.
    fn play_on(
        &mut self,
        mut position: Opening,
        mut found: Outcome,
        stop: &AtomicBool,
    ) -> Option<Game> {
        let mut adjudicator = Adjudicator::new(self.options, position.moves.len());
        let mut plies = Vec::new();
        let verdict = loop {
            let mv = found.best.expect("a game goes on only while there is a move");
            plies.push(Ply { mv, score: found.score });
            let side = position.board.side_to_move();
            if let Some(verdict) = adjudicator.observe(side, found.score) {
                break verdict;
            }
            position.board.make_move(mv);
            if let Some(verdict) = verdict_by_rule(&position.board) {
                break verdict;
            }
            if position.moves.len() + plies.len() >= MAX_PLIES {
                break Verdict { result: GameResult::Draw, ending: Ending::TooLong };
            }
            if stop.load(Relaxed) {
                return None;
            }
            found = self.search(&position.board);
        };
        Some(Game { arrays: position.arrays, opening: position.moves, plies, verdict })
    }
}
