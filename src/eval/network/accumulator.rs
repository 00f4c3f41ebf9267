//! Incrementally updated accumulators: the hidden layer's sums along a line of moves.
//!
//! An evaluation computes the sums from the nearest ancestor that was evaluated, by the inputs that
//! differ. Without one, or if a side's perspective has been mirrored since, the sums come from the
//! last refresh of the perspective, kept in a cache (a *Finny table*).
//!
//! Source: <https://www.chessprogramming.org/NNUE#Accumulator>

use std::sync::Arc;

use crate::board::Board;
use crate::types::{Color, ColorMap, Score, Square};

use super::features::{Change, Inputs};
use super::kernels::Block;
use super::{Network, Perspective, Row, output_bucket};

/// Sums of a position on the line.
#[derive(Clone, Debug)]
struct Accumulator {
    /// True once the position has been evaluated. The other fields are valid only then.
    is_computed: bool,
    sums: ColorMap<Row>,
    perspectives: ColorMap<Perspective>,
    inputs: Inputs,
}

/// Last sums for a perspective and the inputs they include.
#[derive(Clone, Debug)]
struct CacheEntry {
    sums: Row,
    inputs: Inputs,
}

/// Evaluates the positions of a search with incrementally updated sums.
///
/// Call [`push`](Self::push) before a move and [`pop`](Self::pop) after unmaking it. Null moves
/// need neither.
#[derive(Clone, Debug)]
pub struct Evaluator {
    network: Arc<Network>,
    /// Positions of the line; those above `current` are kept for reuse.
    stack: Vec<Accumulator>,
    current: usize,
    /// Indexed by `[color][is_mirrored]`.
    cache: ColorMap<[CacheEntry; 2]>,
}

impl Evaluator {
    /// Creates an evaluator with an empty line.
    pub fn new(network: Arc<Network>) -> Self {
        let empty = CacheEntry { sums: network.feature_biases, inputs: Inputs::NONE };
        Self {
            network,
            stack: vec![Accumulator::EMPTY],
            current: 0,
            cache: ColorMap::new(Color::ALL.map(|_| [empty.clone(), empty.clone()])),
        }
    }

    /// Forgets the line. Keeps the cache if the network is the same.
    pub fn reset(&mut self, network: &Arc<Network>) {
        if Arc::ptr_eq(&self.network, network) {
            self.current = 0;
            self.stack[0].is_computed = false;
        } else {
            *self = Self::new(network.clone());
        }
    }

    /// Records that a move follows.
    #[inline]
    pub fn push(&mut self) {
        self.current += 1;
        if self.current == self.stack.len() {
            self.stack.push(self.stack[self.current - 1].clone());
        }
        self.stack[self.current].is_computed = false;
    }

    /// Returns to the position before the last [`push`](Self::push).
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.current > 0, "every pop belongs to a push");
        self.current = self.current.saturating_sub(1);
    }

    /// Returns the score for the side to move. `board` must be the position that the moves led to.
    pub fn evaluate(&mut self, board: &Board) -> Score {
        if !self.stack[self.current].is_computed {
            self.compute(board);
        }
        let sums = &self.stack[self.current].sums;
        let own = board.side_to_move();
        self.network.output(&sums[own], &sums[!own], output_bucket(board))
    }

    /// Computes the sums of the current position.
    fn compute(&mut self, board: &Board) {
        let Self { network, stack, current, cache } = self;
        let (line, rest) = stack.split_at_mut(*current);
        let Accumulator { is_computed, sums, perspectives, inputs } = &mut rest[0];
        let known = line.iter().rev().find(|position| position.is_computed);
        let before = known.map_or(&Inputs::NONE, |known| &known.inputs);
        let change = inputs.set(board, before);
        *perspectives = ColorMap::new(Color::ALL.map(|color| Perspective::of(board, color)));
        *is_computed = true;
        match known {
            Some(known) if known.perspectives == *perspectives => {
                network.update_both(perspectives, sums, &known.sums, &change);
            }
            _ => {
                for color in Color::ALL {
                    let (view, sums) = (perspectives[color], &mut sums[color]);
                    match known {
                        Some(known) if known.perspectives[color] == view => {
                            network.update(view, sums, &known.sums[color], &change);
                        }
                        _ => {
                            let entry = &mut cache[color][usize::from(view.is_mirrored())];
                            network.refresh(view, sums, inputs, entry);
                        }
                    }
                }
            }
        }
    }
}

impl Accumulator {
    const EMPTY: Self = Self {
        is_computed: false,
        sums: ColorMap::filled([Block::ZERO; _]),
        perspectives: ColorMap::filled(Perspective::new(Color::White, Square::A1)),
        inputs: Inputs::NONE,
    };
}

impl Network {
    /// Sets the sums of both perspectives to those of another position plus the change from it.
    #[inline]
    fn update_both(
        &self,
        views: &ColorMap<Perspective>,
        sums: &mut ColorMap<Row>,
        before: &ColorMap<Row>,
        change: &Change,
    ) {
        let rows = Color::ALL.map(|color| self.rows(views[color]));
        let Change { added, removed } = change;
        self.kernel.update(sums.each_mut(), before.each_ref(), rows, added, removed);
    }

    /// Sets the sums of one perspective likewise.
    fn update(&self, view: Perspective, sums: &mut Row, before: &Row, change: &Change) {
        let Change { added, removed } = change;
        self.kernel.update([sums], [before], [self.rows(view)], added, removed);
    }

    /// Sets the sums of a perspective by its last refresh, which these sums replace.
    #[cold]
    fn refresh(&self, view: Perspective, sums: &mut Row, inputs: &Inputs, last: &mut CacheEntry) {
        self.update(view, sums, &last.sums, &inputs.change_from(&last.inputs));
        *last = CacheEntry { sums: *sums, inputs: *inputs };
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FEATURES, Kernel, SHAPE, WeightBlock};
    use super::*;

    /// Returns a network whose weights need no file, so that Miri can run the test.
    fn network() -> Arc<Network> {
        let number = |seed: usize, block: usize, lane: usize| {
            let seed = seed * 17 + block * 5 + lane;
            (seed * 31 % 127) as i8 - 63
        };
        let row = |seed: usize| {
            std::array::from_fn(|block| {
                Block(std::array::from_fn(|lane| number(seed, block, lane).into()))
            })
        };
        let weight_row = |seed: usize| {
            std::array::from_fn(|block| {
                WeightBlock(std::array::from_fn(|lane| number(seed, block, lane)))
            })
        };
        Arc::new(Network {
            feature_weights: (0..FEATURES).map(weight_row).collect(),
            feature_biases: row(1),
            output_weights: (0..SHAPE.buckets)
                .map(|bucket| [row(bucket), row(bucket + 9)])
                .collect(),
            output_biases: vec![0; SHAPE.buckets].into(),
            kernel: Kernel::best(),
        })
    }

    #[test]
    fn every_kind_of_move_and_its_way_back_give_the_sums_of_a_new_evaluator() {
        let fen = "r3k3/P5p1/8/3pP3/8/8/8/1N2K2R w Kq d6 0 1";
        let mut board = Board::from_fen(fen).expect("valid");
        let network = network();
        let mut evaluator = Evaluator::new(network.clone());
        // En passant, both castling moves, of which one mirrors its side, and a promotion.
        for text in ["e5d6", "e8c8", "e1g1", "g7g5", "a7a8n", "d8d6"] {
            let mv = board.parse_move(text).expect("legal");
            evaluator.push();
            board.make_move(mv);
            // One position is left to be computed later.
            if text != "g7g5" {
                assert_eq!(evaluator.evaluate(&board), network.evaluate(&board), "{text}");
            }
        }
        for _ in 0..6 {
            board.unmake_move();
            evaluator.pop();
            assert_eq!(evaluator.evaluate(&board), network.evaluate(&board));
        }
        evaluator.push();
        evaluator.reset(&network);
        let other = Board::startpos();
        assert_eq!(evaluator.evaluate(&other), network.evaluate(&other));
    }
}
