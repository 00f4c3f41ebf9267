//! The sums of the hidden layer along a line of moves.
//!
//! A move is only noted; the sums follow when an evaluation is asked for, since many positions are never evaluated. They
//! are then computed from the nearest position before that has them. When the king has crossed the middle of the board,
//! its side sees everything mirrored and no sum before helps: then they are made from the last sums that were needed for
//! this view (a *refresh*), which mostly differ by a few pieces.
//!
//! Source: <https://www.chessprogramming.org/NNUE#Accumulator>

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::kernels::Block;
use super::{Network, Perspective, Row, output_bucket};
use crate::board::{Board, MoveObserver};
use crate::types::{Bitboard, Color, ColorMap, Piece, PieceMap, PieceType, Score, Square};

/// A piece and where it stands.
type Placed = (Piece, Square);

/// What a move does to the board.
#[derive(Clone, Default, Debug)]
struct Change {
    added: ArrayVec<Placed, 2>,
    removed: ArrayVec<Placed, 2>,
}

/// The sums of one position.
#[derive(Clone, Debug)]
struct Layer {
    sums: ColorMap<Row>,
    /// Whether the sums are those of this position.
    is_known: ColorMap<bool>,
    perspectives: ColorMap<Perspective>,
    /// What the move to this position did.
    change: Change,
}

/// The last sums that were needed for a view, and the pieces that they are of.
#[derive(Clone, Debug)]
struct Remembered {
    sums: Row,
    pieces: PieceMap<Bitboard>,
}

/// Evaluates the positions of a search, keeping the sums from one position to the next.
///
/// It follows a board: [`push`](Self::push) before a move, the move made with this as its observer, and
/// [`pop`](Self::pop) after the move is taken back. Null moves need neither.
#[derive(Clone, Debug)]
pub struct Evaluator {
    network: Arc<Network>,
    /// The positions of the line up to the present one, and behind it what is left over of others.
    layers: Vec<Layer>,
    present: usize,
    /// `[color][mirrored]`
    remembered: ColorMap<[Remembered; 2]>,
}

impl Evaluator {
    /// An evaluator that stands at this position.
    pub fn new(network: Arc<Network>, board: &Board) -> Self {
        let nothing =
            Remembered { sums: network.feature_biases, pieces: PieceMap::filled(Bitboard::EMPTY) };
        Self {
            network,
            layers: vec![Layer::new(board)],
            present: 0,
            remembered: ColorMap::new(Color::ALL.map(|_| [nothing.clone(), nothing.clone()])),
        }
    }

    /// Goes to the root of another search, whose network may be another one. Sums computed before with the same
    /// network are kept for refreshes.
    pub fn reset(&mut self, network: &Arc<Network>, board: &Board) {
        if Arc::ptr_eq(&self.network, network) {
            self.present = 0;
            self.layers[0] = Layer::new(board);
        } else {
            *self = Self::new(network.clone(), board);
        }
    }

    /// Remembers the position before a move.
    #[inline]
    pub fn push(&mut self) {
        let perspectives = self.layers[self.present].perspectives;
        self.present += 1;
        if self.present == self.layers.len() {
            self.layers.push(self.layers[self.present - 1].clone());
        }
        let layer = &mut self.layers[self.present];
        layer.perspectives = perspectives;
        layer.is_known = ColorMap::filled(false);
        layer.change.added.clear();
        layer.change.removed.clear();
    }

    /// Goes back to the position of the last [`push`](Self::push); without one, stays.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.present > 0, "every pop belongs to a push");
        self.present = self.present.saturating_sub(1);
    }

    /// The worth of the position for the side to move, at most [`Score::MAX_EVAL`] in either direction.
    ///
    /// `board` is the position this evaluator was brought to.
    pub fn evaluate(&mut self, board: &Board) -> Score {
        for color in Color::ALL {
            if !self.layers[self.present].is_known[color] {
                match self.nearest_known(color) {
                    Some(known) => self.follow(color, known),
                    None => self.refresh_sums(board, color),
                }
            }
        }
        let sums = &self.layers[self.present].sums;
        let own = board.side_to_move();
        self.network.output(&sums[own], &sums[!own], output_bucket(board))
    }

    /// The nearest position before whose sums are known and seen in the same way as the present one.
    #[inline]
    fn nearest_known(&self, color: Color) -> Option<usize> {
        let perspective = self.layers[self.present].perspectives[color];
        let before = self.layers[..self.present].iter().enumerate().rev();
        let mut alike = before.take_while(|(_, layer)| layer.perspectives[color] == perspective);
        alike.find(|(_, layer)| layer.is_known[color]).map(|(index, _)| index)
    }

    /// Computes the sums of every position after `known` up to the present one: those between will serve its siblings.
    #[inline]
    fn follow(&mut self, color: Color, known: usize) {
        for index in known..self.present {
            let (before, after) = self.layers.split_at_mut(index + 1);
            after[0].follow(&self.network, color, &before[index].sums[color]);
        }
    }

    /// Computes the sums of the present position from the last ones that were needed for this view.
    fn refresh_sums(&mut self, board: &Board, color: Color) {
        let network = &self.network;
        let layer = &mut self.layers[self.present];
        let perspective = layer.perspectives[color];
        let remembered = &mut self.remembered[color][usize::from(perspective.is_mirrored())];
        let (mut added, mut removed) = (ArrayVec::<_, 32>::new(), ArrayVec::<_, 32>::new());
        for piece in Piece::ALL {
            let now = board.pieces_of(piece.color(), piece.piece_type());
            let before = std::mem::replace(&mut remembered.pieces[piece], now);
            let row = |square| network.row(perspective, piece, square);
            added.extend((now - before).into_iter().map(row));
            removed.extend((before - now).into_iter().map(row));
        }
        network.kernel.accumulate(&mut remembered.sums, &added, &removed);
        layer.sums[color] = remembered.sums;
        layer.is_known[color] = true;
    }
}

impl Layer {
    /// The sums of a position, none of them known.
    fn new(board: &Board) -> Self {
        Self {
            sums: ColorMap::filled([Block::ZERO; _]),
            is_known: ColorMap::filled(false),
            perspectives: ColorMap::new(Color::ALL.map(|color| Perspective::of(board, color))),
            change: Change::default(),
        }
    }

    /// Computes the sums from those of the position before.
    #[inline]
    fn follow(&mut self, network: &Network, color: Color, before: &Row) {
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
                debug_assert!(added.is_empty() && removed.is_empty(), "no move does this");
                *sums = *before;
            }
        }
        self.is_known[color] = true;
    }
}

/// No move adds or takes away more than two pieces: a pawn that promotes is taken from where it came from.
impl MoveObserver for Evaluator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.layers[self.present].change.added.push((piece, square));
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let Change { added, removed } = &mut self.layers[self.present].change;
        if added.last() == Some(&(piece, square)) {
            added.pop();
        } else {
            removed.push((piece, square));
        }
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        let layer = &mut self.layers[self.present];
        layer.change.removed.push((piece, from));
        layer.change.added.push((piece, to));
        if piece.piece_type() == PieceType::King {
            let color = piece.color();
            layer.perspectives[color] = Perspective::new(color, to);
        }
    }
}
