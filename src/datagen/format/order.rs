//! Order in which legal moves are coded: likely moves first, by the board alone.
//!
//! The order and the classes are part of the shard format (docs/data-format.md), so any change
//! needs a new version of it. For the same reason, evaluation and search are not used.

use arrayvec::ArrayVec;

use crate::board::Board;
use crate::types::{Bitboard, Color, Direction, Move, PieceType, Rank, Square};

/// Number of move classes. Moves of a class are about equally likely.
pub(super) const CLASSES: usize = QUIET + 216;

/// First class of captures: six by gain, and six more for recaptures.
const CAPTURE: usize = 0;
const QUEEN_PROMOTION: usize = 12;
const UNDERPROMOTION: usize = 14;
const CASTLING: usize = 15;
const EVASION: usize = 16;
const CHECK: usize = 19;
/// First class of the remaining moves: `[piece][pressure before][pressure after][again][bold]`. The
/// piece that moved last moves again; a bold move goes forward (docs/data-format.md).
const QUIET: usize = 21;

/// Piece values in pawns.
const VALUES: [i32; PieceType::COUNT] = [1, 3, 3, 5, 9, 0];

#[derive(Copy, Clone)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) class: usize,
    /// Sort key: higher comes first.
    priority: i32,
}

/// The last two moves: the opponent's, then the mover's own.
pub(super) type Recent = [Option<Move>; 2];

pub(super) fn rank(board: &Board, recent: Recent) -> ArrayVec<Ranked, 256> {
    let ranker = Ranker::new(board, recent);
    let mut moves: ArrayVec<Ranked, 256> =
        board.legal_moves().into_iter().map(|mv| ranker.rank(mv)).collect();
    moves.sort_unstable_by_key(|ranked| (-ranked.priority, ranked.mv.bits()));
    moves
}

struct Ranker<'a> {
    board: &'a Board,
    /// Squares that the opponent attacks, and those that its pawns attack.
    threats: Bitboard,
    pawn_threats: Bitboard,
    /// Target squares of the opponent's last move and of the mover's last move.
    last: Option<Square>,
    own: Option<Square>,
}

impl<'a> Ranker<'a> {
    fn new(board: &'a Board, recent: Recent) -> Self {
        let them = !board.side_to_move();
        let pawns = board.pieces_of(them, PieceType::Pawn);
        let [east, west] = match them {
            Color::White => [Direction::NorthEast, Direction::NorthWest],
            Color::Black => [Direction::SouthEast, Direction::SouthWest],
        };
        let [last, own] = recent.map(|mv| mv.map(Move::to));
        Self {
            board,
            threats: board.threats(),
            pawn_threats: pawns.shift(east) | pawns.shift(west),
            last,
            own,
        }
    }

    fn rank(&self, mv: Move) -> Ranked {
        let (class, priority) = match mv.promotion() {
            Some(PieceType::Queen) => {
                let is_attacked = self.threats.contains(mv.to());
                (QUEEN_PROMOTION + usize::from(is_attacked), if is_attacked { 300 } else { 900 })
            }
            Some(_) => (UNDERPROMOTION, 10),
            None if mv.is_castling() => (CASTLING, 450),
            None if mv.is_capture() => self.rank_capture(mv),
            None if self.board.in_check() => self.rank_evasion(mv),
            None if self.board.gives_check(mv) => {
                let is_attacked = self.threats.contains(mv.to());
                (CHECK + usize::from(is_attacked), if is_attacked { 90 } else { 350 })
            }
            None => self.rank_quiet(mv),
        };
        Ranked { mv, class, priority }
    }

    /// Ranks a capture by its gain, assuming a recapture on every attacked square.
    fn rank_capture(&self, mv: Move) -> (usize, i32) {
        const PRIORITIES: [i32; 6] = [40, 60, 500, 620, 700, 800];
        let victim = VALUES[self.board.victim(mv).unwrap_or(PieceType::Pawn).index()];
        let attacker = VALUES[self.board.moved_piece(mv).piece_type().index()];
        let gain = if self.threats.contains(mv.to()) { victim - attacker } else { victim };
        let step = match gain {
            ..=-3 => 0,
            -2..=-1 => 1,
            0 => 2,
            1..=2 => 3,
            3..=5 => 4,
            6.. => 5,
        };
        let takes_back = self.last == Some(mv.to());
        let class = CAPTURE + 6 * usize::from(takes_back) + step;
        let priority = PRIORITIES[step] + 300 * i32::from(takes_back) + 4 * victim - attacker;
        (class, priority)
    }

    fn rank_evasion(&self, mv: Move) -> (usize, i32) {
        if self.board.moved_piece(mv).piece_type() == PieceType::King {
            (EVASION, 300)
        } else if self.threats.contains(mv.to()) {
            (EVASION + 2, 150)
        } else {
            (EVASION + 1, 320)
        }
    }

    fn rank_quiet(&self, mv: Move) -> (usize, i32) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board.moved_piece(mv);
        let kind = piece.piece_type();
        let (before, after) = (self.pressure(from, kind), self.pressure(to, kind));
        let again = self.own == Some(from);
        let gain = centrality(to) - centrality(from);
        let bold = if kind == PieceType::Pawn {
            to.rank().relative_to(piece.color()) >= Rank::Fifth
        } else {
            gain > 0
        };
        let index = ((kind.index() * 3 + before) * 3 + after) * 4;
        let class = QUIET + index + 2 * usize::from(again) + usize::from(bold);
        let priority = 200 + [0, 60, 220][before] - [0, 90, 150][after] + 4 * gain;
        (class, priority + 10 * i32::from(bold))
    }

    /// Returns 2 if an opposing pawn attacks the square and the piece is no pawn, else 1 if it is
    /// attacked, else 0.
    fn pressure(&self, square: Square, kind: PieceType) -> usize {
        if kind != PieceType::Pawn && self.pawn_threats.contains(square) {
            2
        } else {
            usize::from(self.threats.contains(square))
        }
    }
}

/// Returns the distance from the edges, files plus ranks: 0 to 6.
fn centrality(square: Square) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    file.min(7 - file) + rank.min(7 - rank)
}
