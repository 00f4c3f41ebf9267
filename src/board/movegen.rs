//! Generation of legal moves.
//!
//! Every destination is masked by what may be moved to: in check, the checker and the squares before it; for a pinned
//! piece, the line to its king. What comes out is legal, so no move is ever made to find out. One walk over the pieces
//! serves lists and counts alike: it hands sets of destinations to a sink, which writes moves or adds up numbers.

use super::Board;
use crate::attacks;
use crate::types::{
    Bitboard, CastlingSide, Color, Direction, Move, MoveKind, MoveList, PieceType, Rank, Square,
};

/// Which moves to generate. Noisy and quiet moves together are all moves, and none is both.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GenKind {
    /// Captures (with every promotion they make) and promotions to a queen.
    Noisy,
    /// All other moves: castling and promotions without a capture to lesser pieces among them.
    Quiet,
    /// Both.
    All,
}

impl GenKind {
    #[inline]
    const fn noisy(self) -> bool {
        matches!(self, Self::Noisy | Self::All)
    }

    #[inline]
    const fn quiet(self) -> bool {
        matches!(self, Self::Quiet | Self::All)
    }
}

/// Takes the moves as sets of destinations.
trait MoveSink {
    /// A piece or the king goes from `from` to any of `quiets` and takes on any of `captures`.
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard);
    /// Pawns end on these squares, whose numbers lie `offset` above those they left; none promotes.
    fn pawns(&mut self, to: Bitboard, offset: i8, kind: MoveKind);
    /// Pawns promote on these squares, whose numbers lie `offset` above those they left.
    fn promotions(&mut self, to: Bitboard, offset: i8, kind: GenKind, is_capture: bool);
    /// A single move: castling or en passant.
    fn single(&mut self, from: Square, to: Square, kind: MoveKind);
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard) {
        for to in captures {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in quiets {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, offset: i8, kind: MoveKind) {
        for to in to {
            self.push(Move::new(origin(to, offset), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, offset: i8, kind: GenKind, is_capture: bool) {
        for to in to {
            let from = origin(to, offset);
            let mut push =
                |piece| self.push(Move::new(from, to, MoveKind::promotion(piece, is_capture)));
            if kind.noisy() {
                push(PieceType::Queen);
            }
            if if is_capture { kind.noisy() } else { kind.quiet() } {
                push(PieceType::Rook);
                push(PieceType::Bishop);
                push(PieceType::Knight);
            }
        }
    }

    #[inline]
    fn single(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.push(Move::new(from, to, kind));
    }
}

/// Counts moves without writing them down.
struct Count(usize);

impl MoveSink for Count {
    #[inline]
    fn piece(&mut self, _: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count();
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 += to.count();
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8, _: GenKind, _: bool) {
        self.0 += 4 * to.count();
    }

    #[inline]
    fn single(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

impl Board {
    /// Appends the legal moves of a kind to the list.
    #[inline]
    pub fn generate(&self, kind: GenKind, moves: &mut MoveList) {
        match kind {
            GenKind::Noisy => self.emit::<true, false, _>(moves),
            GenKind::Quiet => self.emit::<false, true, _>(moves),
            GenKind::All => self.emit::<true, true, _>(moves),
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(GenKind::All, &mut moves);
        moves
    }

    /// The number of legal moves.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.emit::<true, true, _>(&mut count);
        count.0
    }

    /// Whether there is a legal move at all: neither mate nor stalemate.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn emit<const NOISY: bool, const QUIET: bool, S: MoveSink>(&self, sink: &mut S) {
        match self.side_to_move() {
            Color::White => Generator::<true, NOISY, QUIET, S>::new(self, sink).run(),
            Color::Black => Generator::<false, NOISY, QUIET, S>::new(self, sink).run(),
        }
    }
}

/// Where the pawn came from that moved by `offset` to `to`.
#[inline]
fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u16).wrapping_add_signed(-i16::from(offset)))
}

/// One generation. The side to move is a constant, so that no direction is looked up at run time.
struct Generator<'a, const WHITE: bool, const NOISY: bool, const QUIET: bool, S> {
    board: &'a Board,
    sink: &'a mut S,
    king: Square,
    empty: Bitboard,
    theirs: Bitboard,
    /// Where pieces other than the king may go: everywhere, or to what ends the check.
    check_mask: Bitboard,
    /// Empty until the king has somewhere to go.
    threats: Bitboard,
}

impl<'a, const WHITE: bool, const NOISY: bool, const QUIET: bool, S: MoveSink>
    Generator<'a, WHITE, NOISY, QUIET, S>
{
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    const KIND: GenKind = match (NOISY, QUIET) {
        (true, false) => GenKind::Noisy,
        (false, true) => GenKind::Quiet,
        _ => GenKind::All,
    };

    #[inline]
    fn new(board: &'a Board, sink: &'a mut S) -> Self {
        let king = board.king_square(Self::US);
        let check_mask = match board.checkers().first() {
            None => Bitboard::ALL,
            Some(checker) => attacks::between(king, checker) | board.checkers(),
        };
        let (empty, theirs) = (!board.occupied(), board.colors(Self::THEM));
        Self { board, sink, king, empty, theirs, check_mask, threats: Bitboard::EMPTY }
    }

    #[inline]
    fn run(mut self) {
        self.king_moves();
        // Two checkers cannot both be taken or blocked.
        if self.board.checkers().more_than_one() {
            return;
        }
        if QUIET && self.board.checkers().is_empty() {
            self.castling(CastlingSide::King);
            self.castling(CastlingSide::Queen);
        }
        self.pawn_moves();
        self.knight_moves();
        let free = !self.board.pinned();
        let diagonal = self.board.diagonal_sliders(Self::US);
        let orthogonal = self.board.orthogonal_sliders(Self::US);
        for from in diagonal & free {
            self.piece_moves(from, attacks::bishop(from, !self.empty), self.check_mask);
        }
        for from in orthogonal & free {
            self.piece_moves(from, attacks::rook(from, !self.empty), self.check_mask);
        }
        // A pinned piece never ends a check: it would have to leave the line of its pin.
        if self.board.pinned().any() && self.board.checkers().is_empty() {
            for from in diagonal - free {
                let line = attacks::line(self.king, from);
                self.piece_moves(from, attacks::bishop(from, !self.empty), line);
            }
            for from in orthogonal - free {
                let line = attacks::line(self.king, from);
                self.piece_moves(from, attacks::rook(from, !self.empty), line);
            }
        }
    }

    #[inline]
    fn piece_moves(&mut self, from: Square, attacks: Bitboard, allowed: Bitboard) {
        let to = attacks & allowed;
        let quiets = if QUIET { to & self.empty } else { Bitboard::EMPTY };
        let captures = if NOISY { to & self.theirs } else { Bitboard::EMPTY };
        self.sink.piece(from, quiets, captures);
    }

    #[inline]
    fn king_moves(&mut self) {
        let wanted = match Self::KIND {
            GenKind::Noisy => self.theirs,
            GenKind::Quiet => self.empty,
            GenKind::All => self.theirs | self.empty,
        };
        let to = attacks::king(self.king) & wanted;
        if to.any() {
            let threats = self.threats();
            self.piece_moves(self.king, to, !threats);
        }
    }

    #[inline]
    fn threats(&mut self) -> Bitboard {
        if self.threats.is_empty() {
            self.threats = self.board.threats();
        }
        self.threats
    }

    /// A pinned knight cannot move at all.
    #[inline]
    fn knight_moves(&mut self) {
        for from in self.board.pieces_of(Self::US, PieceType::Knight) - self.board.pinned() {
            self.piece_moves(from, attacks::knight(from), self.check_mask);
        }
    }

    #[inline]
    fn castling(&mut self, side: CastlingSide) {
        if let Some(path) = self.board.open_castling_path(side)
            && (path.safe & self.threats()).is_empty()
        {
            self.sink.single(self.king, path.rook, MoveKind::Castling);
        }
    }

    #[inline]
    fn pawn_moves(&mut self) {
        let pawns = self.board.pieces_of(Self::US, PieceType::Pawn);
        self.pawn_set(pawns - self.board.pinned(), self.check_mask);
        if self.board.checkers().is_empty() {
            for from in pawns & self.board.pinned() {
                self.pawn_set(from.into(), attacks::line(self.king, from));
            }
        }
        if NOISY {
            self.en_passant(pawns);
        }
    }

    /// The moves of a set of pawns to the allowed squares.
    #[inline]
    fn pawn_set(&mut self, pawns: Bitboard, allowed: Bitboard) {
        let (forward, east, west) = if WHITE {
            (Direction::North, Direction::NorthEast, Direction::NorthWest)
        } else {
            (Direction::South, Direction::SouthEast, Direction::SouthWest)
        };
        let last_rank = Bitboard::rank(Rank::Eighth.relative_to(Self::US));
        let third_rank = Bitboard::rank(Rank::Third.relative_to(Self::US));

        let once = pawns.shift(forward) & self.empty;
        if QUIET {
            let twice = (once & third_rank).shift(forward) & self.empty & allowed;
            self.sink.pawns((once & allowed) - last_rank, forward.offset(), MoveKind::Quiet);
            self.sink.pawns(twice, 2 * forward.offset(), MoveKind::DoublePush);
        }
        self.promotions(once & allowed & last_rank, forward, false);
        if NOISY {
            for direction in [east, west] {
                let to = pawns.shift(direction) & self.theirs & allowed;
                self.sink.pawns(to - last_rank, direction.offset(), MoveKind::Capture);
                self.promotions(to & last_rank, direction, true);
            }
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, direction: Direction, is_capture: bool) {
        if to.any() {
            self.sink.promotions(to, direction.offset(), Self::KIND, is_capture);
        }
    }

    #[inline]
    fn en_passant(&mut self, pawns: Bitboard) {
        let Some(to) = self.board.en_passant() else { return };
        for from in attacks::pawn(Self::THEM, to) & pawns {
            if self.board.is_en_passant_safe(from, to) {
                self.sink.single(from, to, MoveKind::EnPassant);
            }
        }
    }
}
