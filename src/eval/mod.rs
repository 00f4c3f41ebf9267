//! The evaluation: what a position is worth without looking ahead.
//!
//! Owns the features of a position and their values. Knows the board, but nothing of the search: the search tells an
//! [`Evaluator`] what a move does to the board and asks it for scores.
//!
//! The value is a *tapered* one: each feature has a worth for the middlegame and one for the endgame, and the material
//! left on the board decides how they are mixed. See <https://www.chessprogramming.org/Tapered_Eval>.

mod classical;
pub mod network;
mod tapered;

use std::fmt;

pub use tapered::{MAX_PHASE, Tapered};

use crate::board::{Board, MoveObserver};
use crate::types::{Color, ColorMap, MAX_PLY, Piece, PieceType, Score, Square};

/// What is kept up move by move.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
struct Accumulator {
    /// Material and piece-square values, White's less Black's.
    value: Tapered,
    /// Both sides' pieces, see [`MAX_PHASE`].
    phase: i32,
}

/// Evaluates the positions of a search, keeping the sums over all pieces from one position to the next.
///
/// It follows a board: [`push`](Self::push) before a move, the move made with this as its observer, and
/// [`pop`](Self::pop) after the move is taken back. Null moves need neither.
#[derive(Clone, Debug)]
pub struct Evaluator {
    current: Accumulator,
    /// What to go back to, the oldest first.
    stack: Vec<Accumulator>,
}

impl Evaluator {
    /// An evaluator that stands at this position.
    pub fn new(board: &Board) -> Self {
        let mut evaluator =
            Self { current: Accumulator::default(), stack: Vec::with_capacity(MAX_PLY + 1) };
        evaluator.refresh(board);
        evaluator
    }

    /// Goes to another position and forgets the way back from the last one.
    pub fn refresh(&mut self, board: &Board) {
        self.stack.clear();
        self.current = Accumulator::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                self.added(piece, square);
            }
        }
    }

    /// Remembers the position before a move.
    #[inline]
    pub fn push(&mut self) {
        self.stack.push(self.current);
    }

    /// Goes back to the position of the last [`push`](Self::push); without one, stays.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(!self.stack.is_empty(), "every pop belongs to a push");
        if let Some(previous) = self.stack.pop() {
            self.current = previous;
        }
    }

    /// The worth of the position for the side to move, at most [`Score::MAX_EVAL`] in either direction.
    ///
    /// `board` is the position this evaluator was brought to.
    pub fn evaluate(&self, board: &Board) -> Score {
        let white = total(board, self.current);
        let own = match board.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        };
        (own + classical::TEMPO).clamp_to_eval()
    }
}

impl MoveObserver for Evaluator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.current.value += classical::piece_square(piece, square);
        self.current.phase += classical::phase(piece);
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.current.value -= classical::piece_square(piece, square);
        self.current.phase -= classical::phase(piece);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.current.value +=
            classical::piece_square(piece, to) - classical::piece_square(piece, from);
    }
}

/// The worth of the position for White, without the bonus for the move.
fn total(board: &Board, Accumulator { value, phase }: Accumulator) -> Score {
    let balance =
        |term: fn(&Board, Color) -> Tapered| term(board, Color::White) - term(board, Color::Black);
    let value = value
        + balance(classical::pawns)
        + balance(classical::pieces)
        + balance(classical::shelter);
    let score = value.at_phase(phase);
    let strong = if score >= 0 { Color::White } else { Color::Black };
    Score(score * classical::winning_chances(board, strong) / 64)
}

/// The parts of an evaluation, for people.
#[derive(Clone, Debug)]
pub struct EvalTrace {
    /// The terms: name, and the worth for each side.
    terms: [(&'static str, ColorMap<Tapered>); 5],
    phase: i32,
    total: Score,
}

/// Takes the evaluation of a position apart.
pub fn trace(board: &Board) -> EvalTrace {
    let both = |term: &dyn Fn(Color) -> Tapered| ColorMap::new(Color::ALL.map(term));
    let evaluator = Evaluator::new(board);
    let white = evaluator.evaluate(board);
    EvalTrace {
        terms: [
            ("Material", both(&|color| material(board, color))),
            ("Placement", both(&|color| placement(board, color))),
            ("Pawns", both(&|color| classical::pawns(board, color))),
            ("Pieces", both(&|color| classical::pieces(board, color))),
            ("Shelter", both(&|color| classical::shelter(board, color))),
        ],
        phase: evaluator.current.phase.min(MAX_PHASE),
        total: if board.side_to_move() == Color::White { white } else { -white },
    }
}

fn material(board: &Board, color: Color) -> Tapered {
    let worth =
        |piece_type| classical::base_value(piece_type) * board.pieces_of(color, piece_type).count();
    PieceType::ALL.into_iter().map(worth).sum()
}

/// What the squares of the pieces add to their material.
fn placement(board: &Board, color: Color) -> Tapered {
    let value = |square| {
        board.piece_on(square).map_or(Tapered::ZERO, |piece| classical::piece_square(piece, square))
    };
    let white_view: Tapered = board.colors(color).into_iter().map(value).sum();
    let own_view = if color == Color::White { white_view } else { -white_view };
    own_view - material(board, color)
}

impl EvalTrace {
    /// The whole evaluation from White's point of view, the bonus for the move and all scaling included.
    pub fn total(&self) -> Score {
        self.total
    }
}

/// A table in pawns, middlegame and endgame apart.
impl fmt::Display for EvalTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, name: &str, sides: [Tapered; 3]| {
            write!(f, "{name:<10}")?;
            for side in sides {
                let pawns = |value: i32| f64::from(value) / 100.0;
                write!(f, " |{:>8.2}{:>8.2}", pawns(side.middlegame), pawns(side.endgame))?;
            }
            writeln!(f)
        };
        writeln!(f, "{:<10} |{:^16} |{:^16} |{:^16}", "Term", "White", "Black", "Difference")?;
        writeln!(f, "{0:<10} |{1:>8}{2:>8} |{1:>8}{2:>8} |{1:>8}{2:>8}", "", "mid", "end")?;
        for (name, worth) in &self.terms {
            let (white, black) = (worth[Color::White], worth[Color::Black]);
            row(f, name, [white, black, white - black])?;
        }
        writeln!(f, "Phase      | {} of {MAX_PHASE}", self.phase)?;
        write!(f, "Total      | {:+.2} (White's view)", f64::from(self.total.0) / 100.0)
    }
}
