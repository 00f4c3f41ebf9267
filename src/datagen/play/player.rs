//! Plays games of the engine against itself.
//!
//! By default most plies are played with a search of a few dozen nodes. Only the positions to learn
//! from, the *labels*, are searched with many. They are spread over the game, since errors of
//! neighbouring positions are alike. Further labels come from inside their search trees.
//! lab/data.md has the measurements.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::board::{Board, GameResult};
use crate::datagen::filter::KeepFilter;
use crate::datagen::game::{Ending, Game, Interior, Label, Ply, Verdict};
use crate::datagen::options::{GameOptions, HARD_FACTOR};
use crate::search::{Limits, Outcome, SoloSearch, TtError};
use crate::types::{Move, Score};

use super::adjudicate::Adjudicator;
use super::opening::{self, GameRng, Opening};

/// Plies after which a game is drawn, random ones included.
pub const MAX_PLIES: usize = 1000;
/// Positions with at most this many men are very common: one in `SPARSE_SHARE` becomes a label. The
/// option `few_men` is something else: it ends games.
const SPARSE_MEN: usize = 7;
const SPARSE_SHARE: usize = 3;

/// Plays the games of one seed.
pub struct Player {
    search: SoloSearch,
    options: GameOptions,
    seed: u64,
}

impl Player {
    /// Creates a player of the games of `seed`.
    pub fn new(options: GameOptions, seed: u64) -> Result<Self, TtError> {
        Ok(Self { search: SoloSearch::for_labels(options.hash as usize)?, options, seed })
    }

    /// Plays the game of this number. Returns `None` if `stop` was set before its end.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        self.clear();
        let mut rng = GameRng::new(self.seed, number);
        while !stop.load(Relaxed) {
            let Some(opening) = opening::random(&mut rng, number, &self.options) else { continue };
            if self.is_even(&opening.board) {
                let plan = LabelPlan::new(self.options, number, rng);
                let inside = InteriorPlan::new(self.options, self.seed, number);
                return self.play_on(opening, plan, inside, stop);
            }
        }
        None
    }

    pub(super) fn clear(&mut self) {
        self.search.clear();
    }

    /// Returns whether a short search finds a position even enough to begin from.
    pub(super) fn is_even(&mut self, board: &Board) -> bool {
        let score = self.search_move(board).score;
        u64::from(score.0.unsigned_abs()) <= self.options.exit_score
    }

    fn search_move(&mut self, board: &Board) -> Outcome {
        let nodes = self.options.play_nodes;
        self.search(board, nodes, nodes * HARD_FACTOR)
    }

    /// Searches a label. Returns the lines to the nodes with the numbers in `sampled`, too.
    fn search_label(&mut self, board: &Board, sampled: &[u64]) -> (Outcome, Vec<Vec<Move>>) {
        let limits = limits(self.options.nodes, self.options.node_limit());
        self.search.search_and_sample(board, limits, sampled)
    }

    fn search(&mut self, board: &Board, soft_nodes: u64, hard_nodes: u64) -> Outcome {
        self.search.search(board, limits(soft_nodes, hard_nodes))
    }

    fn play_on(
        &mut self,
        opening: Opening,
        mut plan: LabelPlan,
        mut inside: InteriorPlan,
        stop: &AtomicBool,
    ) -> Option<Game> {
        let Opening { back_ranks, moves: opening, mut board } = opening;
        let mut adjudicator = Adjudicator::new(self.options, opening.len());
        let mut plies = Vec::new();
        let verdict = loop {
            let ply = opening.len() + plies.len();
            if stop.load(Relaxed) {
                return None;
            }
            let sampled = inside.draw_nodes(ply);
            let first = if self.options.has_play_searches() {
                (self.search_move(&board), Vec::new())
            } else {
                self.search_label(&board, &sampled)
            };
            let (mv, score) = best(&first.0);
            let is_label = plan.takes(Label { board: &board, ply, mv, score });
            let (outcome, lines) = if is_label && self.options.has_play_searches() {
                self.search_label(&board, &sampled)
            } else {
                first
            };
            if is_label {
                inside.add(plies.len(), lines);
            }
            let (mv, score) = best(&outcome);
            plies.push(Ply { mv, score: is_label.then_some(score) });
            if let Some(verdict) = adjudicator.observe(&board, score) {
                break verdict;
            }
            board.make_move(mv);
            if let Some(outcome) = board.outcome() {
                break outcome.into();
            }
            if opening.len() + plies.len() >= MAX_PLIES {
                break Verdict { result: GameResult::Draw, ending: Ending::TooLong };
            }
        };
        let mut game = Game { back_ranks, opening, plies, interior: Vec::new(), verdict };
        game.interior = self.interior_labels(&game, inside);
        Some(game)
    }

    /// Searches the positions drawn from search trees, after the game so that its moves do not
    /// depend on them.
    fn interior_labels(&mut self, game: &Game, inside: InteriorPlan) -> Vec<Interior> {
        let mut labels = Vec::new();
        let mut candidates = inside.candidates.into_iter().peekable();
        game.replay(|board, ply, _| {
            let index = ply - game.opening.len();
            while let Some(candidate) = candidates.next_if(|candidate| candidate.ply == index) {
                let mut lines = candidate.lines.into_iter();
                labels.extend(lines.find_map(|line| self.interior_label(board, ply, index, line)));
            }
        });
        labels
    }

    /// Searches the position at the end of a line below a label. Returns `None` if it is
    /// unsuitable.
    fn interior_label(
        &mut self,
        board: &Board,
        ply: usize,
        index: usize,
        path: Vec<Move>,
    ) -> Option<Interior> {
        let mut board = board.clone();
        path.iter().for_each(|&mv| board.make_move(mv));
        if path.is_empty() || board.in_check() || board.outcome().is_some() {
            return None;
        }
        let ply = ply + path.len();
        let (mv, score) = best(&self.search_move(&board));
        if !KeepFilter::default().keeps(Label { board: &board, ply, mv, score }) {
            return None;
        }
        let nodes = self.options.interior_nodes;
        let (mv, score) = best(&self.search(&board, nodes, nodes * HARD_FACTOR));
        Some(Interior { ply: index, path, mv, score })
    }
}

fn limits(soft_nodes: u64, hard_nodes: u64) -> Limits {
    Limits { soft_nodes: Some(soft_nodes), nodes: Some(hard_nodes), ..Limits::default() }
}

fn best(outcome: &Outcome) -> (Move, Score) {
    (outcome.best.expect("a game continues only while there is a move"), outcome.score)
}

struct LabelPlan {
    every: u64,
    game: u64,
    /// True if the next suitable position becomes a label.
    is_due: bool,
    rng: GameRng,
}

impl LabelPlan {
    fn new(options: GameOptions, game: u64, rng: GameRng) -> Self {
        Self { every: options.label_every, game, is_due: false, rng }
    }

    /// Returns whether the position becomes a label, by what its first search found. Called once
    /// for each ply, in order.
    fn takes(&mut self, position: Label<'_>) -> bool {
        self.is_due |= (self.game + position.ply as u64).is_multiple_of(self.every);
        if !self.is_due || !KeepFilter::default().keeps(position) {
            return false;
        }
        self.is_due = false;
        position.board.occupied().count() > SPARSE_MEN || self.rng.below(SPARSE_SHARE) == 0
    }
}

struct InteriorPlan {
    options: GameOptions,
    seed: u64,
    game: u64,
    candidates: Vec<Candidates>,
}

/// Lines below a label, the first suitable one of which becomes an interior label.
struct Candidates {
    /// Index among the plies after the opening.
    ply: usize,
    lines: Vec<Vec<Move>>,
}

impl InteriorPlan {
    const LINES: usize = 4;

    fn new(options: GameOptions, seed: u64, game: u64) -> Self {
        Self { options, seed, game, candidates: Vec::new() }
    }

    /// Draws the nodes that are candidates below the label at `ply`, a multiple of [`Self::LINES`].
    fn draw_nodes(&self, ply: usize) -> Vec<u64> {
        let GameOptions { interior, nodes, .. } = self.options;
        if interior == 0 {
            return Vec::new();
        }
        let mut rng = GameRng::for_interior(self.seed, self.game, ply as u64);
        let is_one_more = (rng.below(100) as u64) < interior % 100;
        let labels = interior / 100 + u64::from(is_one_more);
        let lines = labels as usize * Self::LINES;
        (0..lines).map(|_| 1 + rng.below(nodes.min(u64::from(u32::MAX)) as usize) as u64).collect()
    }

    fn add(&mut self, ply: usize, lines: Vec<Vec<Move>>) {
        let groups = lines.chunks(Self::LINES);
        self.candidates.extend(groups.map(|lines| Candidates { ply, lines: lines.to_vec() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(fen: &str, game: u64, count: usize) -> Vec<usize> {
        let board = Board::from_fen(fen).expect("a position");
        let mv = board.legal_moves()[0];
        let options = GameOptions { label_every: 4, ..GameOptions::default() };
        let mut plan = LabelPlan::new(options, game, GameRng::new(1, game));
        let mut takes = |ply| plan.takes(Label { board: &board, ply, mv, score: Score::DRAW });
        (0..count).filter(|&ply| takes(ply)).collect()
    }

    #[test]
    fn a_label_is_due_every_few_plies_from_the_first_that_is_kept() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(labels(start, 8, 28), [16, 20, 24]);
        assert_eq!(labels(start, 9, 28), [16, 19, 23, 27]);
        let in_check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        assert!(labels(in_check, 8, 28).is_empty());
    }

    #[test]
    fn a_third_of_the_positions_with_few_men_become_labels() {
        let count = labels("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", 0, 4016).len();
        assert!((270..400).contains(&count), "{count} of 1000");
    }
}
