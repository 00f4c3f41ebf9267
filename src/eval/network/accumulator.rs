//! Incrementally updated accumulators: the hidden layer's sums along a line of moves.
//!
//! A move is only recorded, since many positions are never evaluated. An evaluation computes the
//! sums from the nearest ancestor with computed ones. A king that crosses the middle of the board
//! mirrors its side's perspective, so no ancestor helps. A cache then has the last sums for this
//! perspective, which differ by few pieces (a *refresh* from a *Finny table*).
//!
//! Source: <https://www.chessprogramming.org/NNUE#Accumulator>

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::board::{Board, MoveObserver};
use crate::types::{Bitboard, Color, ColorMap, Piece, PieceMap, PieceType, Score, Square};

use super::kernels::Block;
use super::{Network, Perspective, Row, output_bucket};

type Placed = (Piece, Square);

#[derive(Clone, Default, Debug)]
struct Change {
    added: ArrayVec<Placed, 2>,
    removed: ArrayVec<Placed, 2>,
}

#[derive(Clone, Debug)]
struct Accumulator {
    sums: ColorMap<Row>,
    /// True where the sums are those of this position.
    is_computed: ColorMap<bool>,
    perspectives: ColorMap<Perspective>,
    /// Change by the move to this position.
    change: Change,
}

/// Last sums for a perspective and the pieces they include.
#[derive(Clone, Debug)]
struct CacheEntry {
    sums: Row,
    pieces: PieceMap<Bitboard>,
}

/// Evaluates the positions of a search with incrementally updated sums.
///
/// Call [`push`](Self::push) before a move, make the move with this as its observer, and call
/// [`pop`](Self::pop) after unmaking it. Null moves need neither.
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
    /// Creates an evaluator at this position.
    pub fn new(network: Arc<Network>, board: &Board) -> Self {
        let empty =
            CacheEntry { sums: network.feature_biases, pieces: PieceMap::filled(Bitboard::EMPTY) };
        Self {
            network,
            stack: vec![Accumulator::new(board)],
            current: 0,
            cache: ColorMap::new(Color::ALL.map(|_| [empty.clone(), empty.clone()])),
        }
    }

    /// Moves to another position. Keeps the cache if the network is the same.
    pub fn reset(&mut self, network: &Arc<Network>, board: &Board) {
        if Arc::ptr_eq(&self.network, network) {
            self.current = 0;
            self.stack[0] = Accumulator::new(board);
        } else {
            *self = Self::new(network.clone(), board);
        }
    }

    /// Records that a move follows.
    #[inline]
    pub fn push(&mut self) {
        let perspectives = self.stack[self.current].perspectives;
        self.current += 1;
        if self.current == self.stack.len() {
            self.stack.push(self.stack[self.current - 1].clone());
        }
        let accumulator = &mut self.stack[self.current];
        accumulator.perspectives = perspectives;
        accumulator.is_computed = ColorMap::filled(false);
        accumulator.change.added.clear();
        accumulator.change.removed.clear();
    }

    /// Returns to the position before the last [`push`](Self::push).
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.current > 0, "every pop belongs to a push");
        self.current = self.current.saturating_sub(1);
    }

    /// Returns the score for the side to move. `board` must be the position that the moves led to.
    pub fn evaluate(&mut self, board: &Board) -> Score {
        for color in Color::ALL {
            if !self.stack[self.current].is_computed[color] {
                match self.nearest_computed(color) {
                    Some(known) => self.update_from(color, known),
                    None => self.refresh_sums(board, color),
                }
            }
        }
        let sums = &self.stack[self.current].sums;
        let own = board.side_to_move();
        self.network.output(&sums[own], &sums[!own], output_bucket(board))
    }

    /// Returns the nearest ancestor with computed sums and no change of perspective since.
    #[inline]
    fn nearest_computed(&self, color: Color) -> Option<usize> {
        let perspective = self.stack[self.current].perspectives[color];
        let before = self.stack[..self.current].iter().enumerate().rev();
        let mut same_view =
            before.take_while(|(_, accumulator)| accumulator.perspectives[color] == perspective);
        same_view.find(|(_, accumulator)| accumulator.is_computed[color]).map(|(index, _)| index)
    }

    /// Computes the sums of all positions after `known`, which siblings reuse.
    #[inline]
    fn update_from(&mut self, color: Color, known: usize) {
        for index in known..self.current {
            let (before, after) = self.stack.split_at_mut(index + 1);
            after[0].update_from(&self.network, color, &before[index].sums[color]);
        }
    }

    fn refresh_sums(&mut self, board: &Board, color: Color) {
        let network = &self.network;
        let accumulator = &mut self.stack[self.current];
        let perspective = accumulator.perspectives[color];
        let cache = &mut self.cache[color][usize::from(perspective.is_mirrored())];
        let (mut added, mut removed) = (ArrayVec::<_, 32>::new(), ArrayVec::<_, 32>::new());
        for piece in Piece::ALL {
            let now = board.pieces_of(piece.color(), piece.piece_type());
            let before = std::mem::replace(&mut cache.pieces[piece], now);
            let row = |square| network.row(perspective, piece, square);
            added.extend((now - before).into_iter().map(row));
            removed.extend((before - now).into_iter().map(row));
        }
        network.kernel.accumulate(&mut cache.sums, &added, &removed);
        accumulator.sums[color] = cache.sums;
        accumulator.is_computed[color] = true;
    }
}

impl Accumulator {
    fn new(board: &Board) -> Self {
        Self {
            sums: ColorMap::filled([Block::ZERO; _]),
            is_computed: ColorMap::filled(false),
            perspectives: ColorMap::new(Color::ALL.map(|color| Perspective::of(board, color))),
            change: Change::default(),
        }
    }

    #[inline]
    fn update_from(&mut self, network: &Network, color: Color, before: &Row) {
        let perspective = self.perspectives[color];
        let row = |&(piece, square): &Placed| network.row(perspective, piece, square);
        let (sums, kernel) = (&mut self.sums[color], network.kernel);
        match (&self.change.added[..], &self.change.removed[..]) {
            ([to], [from]) => kernel.update(sums, before, [row(to)], [row(from)]),
            ([to], [from, taken]) => {
                kernel.update(sums, before, [row(to)], [row(from), row(taken)]);
            }
            ([king, rook], [from, from_too]) => {
                kernel.update(sums, before, [row(king), row(rook)], [row(from), row(from_too)]);
            }
            (added, removed) => {
                debug_assert!(
                    added.is_empty() && removed.is_empty(),
                    "a move changes at most two pieces of each kind"
                );
                *sums = *before;
            }
        }
        self.is_computed[color] = true;
    }
}

/// A promotion reports its pawn as moved, then as removed. The two cancel out, so no move adds or
/// removes more than two pieces.
impl MoveObserver for Evaluator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.stack[self.current].change.added.push((piece, square));
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let Change { added, removed } = &mut self.stack[self.current].change;
        if added.last() == Some(&(piece, square)) {
            added.pop();
        } else {
            removed.push((piece, square));
        }
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        let accumulator = &mut self.stack[self.current];
        accumulator.change.removed.push((piece, from));
        accumulator.change.added.push((piece, to));
        if piece.piece_type() == PieceType::King {
            let color = piece.color();
            accumulator.perspectives[color] = Perspective::new(color, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FEATURES, Kernel, SHAPE};
    use super::*;

    /// Returns a network whose weights need no file, so that Miri can run the test.
    fn network() -> Arc<Network> {
        let number = |seed: usize| (seed * 31 % 127) as i16 - 63;
        let row = |seed: usize| {
            std::array::from_fn(|block| {
                Block(std::array::from_fn(|lane| number(seed * 17 + block * 5 + lane)))
            })
        };
        Arc::new(Network {
            feature_weights: (0..FEATURES).map(row).collect(),
            feature_biases: row(1),
            output_weights: (0..SHAPE.buckets)
                .map(|bucket| [row(bucket), row(bucket + 9)])
                .collect(),
            output_biases: vec![0; SHAPE.buckets].into(),
            kernel: Kernel::best(),
            hash: [0; 32],
        })
    }

    #[test]
    fn every_kind_of_move_and_its_way_back_give_the_sums_of_a_new_evaluator() {
        let fen = "r3k3/P5p1/8/3pP3/8/8/8/1N2K2R w Kq d6 0 1";
        let mut board = Board::from_fen(fen).expect("valid");
        let network = network();
        let mut evaluator = Evaluator::new(network.clone(), &board);
        // En passant, both castling moves, of which one mirrors its side, and a promotion.
        for text in ["e5d6", "e8c8", "e1g1", "g7g5", "a7a8n", "d8d6"] {
            let mv = board.parse_move(text).expect("legal");
            evaluator.push();
            board.make_move_with(mv, &mut evaluator);
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
    }
}
