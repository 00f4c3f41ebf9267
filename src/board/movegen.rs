//! Legal move generation.
//!
//! Every generated move is legal. In check, other pieces than the king may only capture the checker
//! or move between it and the king. A pinned piece stays on the line through its king. A
//! [`MoveSink`] stores or counts the moves.

use crate::attacks;
use crate::types::{
    Bitboard, CastlingSide, Color, Direction, Move, MoveKind, MoveList, PieceType, Rank, Square,
};

use super::Board;

/// Selection of moves to generate. Each move is noisy or quiet.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GenKind {
    /// Captures and queen promotions.
    Noisy,
    /// All other moves, such as castling and underpromotions without a capture.
    Quiet,
    /// Noisy and quiet moves.
    All,
}

/// Queen first, so that noisy and quiet promotions are slices.
const PROMOTIONS: [PieceType; 4] =
    [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];

/// Receives generated moves as target sets. `offset` is the target's index minus the origin's.
trait MoveSink {
    /// Adds the moves of one piece other than a pawn.
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard);
    fn pawns(&mut self, to: Bitboard, offset: i8, kind: MoveKind);
    fn promotions(&mut self, to: Bitboard, offset: i8, pieces: &[PieceType], is_capture: bool);
    /// Adds castling or en passant.
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
    fn promotions(&mut self, to: Bitboard, offset: i8, pieces: &[PieceType], is_capture: bool) {
        for to in to {
            let from = origin(to, offset);
            for &piece in pieces {
                self.push(Move::new(from, to, MoveKind::promotion(piece, is_capture)));
            }
        }
    }

    #[inline]
    fn single(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.push(Move::new(from, to, kind));
    }
}

struct MoveCounter(usize);

impl MoveSink for MoveCounter {
    #[inline]
    fn piece(&mut self, _: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count();
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 += to.count();
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8, pieces: &[PieceType], _: bool) {
        self.0 += pieces.len() * to.count();
    }

    #[inline]
    fn single(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

impl Board {
    /// Appends the selected legal moves to the list.
    ///
    /// ```
    /// use tabia::board::{Board, GenKind};
    /// use tabia::types::MoveList;
    ///
    /// // exd5 is the only capture.
    /// let board = Board::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let mut moves = MoveList::new();
    /// board.generate(GenKind::Noisy, &mut moves);
    /// assert_eq!(moves.len(), 1);
    /// board.generate(GenKind::Quiet, &mut moves);
    /// assert_eq!(moves.len(), board.count_legal_moves());
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    #[inline]
    pub fn generate(&self, kind: GenKind, moves: &mut MoveList) {
        match kind {
            GenKind::Noisy => self.emit::<true, false, _>(moves),
            GenKind::Quiet => self.emit::<false, true, _>(moves),
            GenKind::All => self.emit::<true, true, _>(moves),
        }
    }

    /// Returns all legal moves.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let mut board = Board::from_fen("7k/8/6K1/8/8/8/8/5R2 w - - 0 1")?;
    /// let mate = board.parse_move("f1f8").expect("a legal move");
    /// assert!(board.legal_moves().contains(&mate));
    /// assert_eq!(board.legal_moves().len(), board.count_legal_moves());
    /// board.make_move(mate);
    /// assert!(board.in_check() && !board.has_legal_move());
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(GenKind::All, &mut moves);
        moves
    }

    /// Returns the number of legal moves.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = MoveCounter(0);
        self.emit::<true, true, _>(&mut count);
        count.0
    }

    /// Returns whether there is a legal move: neither checkmate nor stalemate.
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

#[inline]
fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u16).wrapping_add_signed(-i16::from(offset)))
}

/// State of one move generation. Its const parameters resolve directions and branches at compile
/// time.
struct Generator<'a, const WHITE: bool, const NOISY: bool, const QUIET: bool, S> {
    board: &'a Board,
    sink: &'a mut S,
    king: Square,
    empty: Bitboard,
    theirs: Bitboard,
    /// Targets of pieces other than the king: all squares, or those that end the check.
    check_mask: Bitboard,
}

impl<'a, const WHITE: bool, const NOISY: bool, const QUIET: bool, S: MoveSink>
    Generator<'a, WHITE, NOISY, QUIET, S>
{
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };

    #[inline]
    fn new(board: &'a Board, sink: &'a mut S) -> Self {
        let king = board.king_square(Self::US);
        let check_mask = match board.checkers().first() {
            None => Bitboard::ALL,
            Some(checker) => attacks::between(king, checker) | board.checkers(),
        };
        let (empty, theirs) = (!board.occupied(), board.colors(Self::THEM));
        Self { board, sink, king, empty, theirs, check_mask }
    }

    #[inline]
    fn run(mut self) {
        self.king_moves();
        // In double check only the king can move.
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
        // A pinned piece cannot end a check, as it would have to leave the line of the pin.
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
        let mut targets = Bitboard::EMPTY;
        if NOISY {
            targets |= self.theirs;
        }
        if QUIET {
            targets |= self.empty;
        }
        let to = attacks::king(self.king) & targets;
        if to.any() {
            self.piece_moves(self.king, to, !self.board.threats());
        }
    }

    #[inline]
    fn knight_moves(&mut self) {
        // A pinned knight can never move.
        for from in self.board.pieces_of(Self::US, PieceType::Knight) - self.board.pinned() {
            self.piece_moves(from, attacks::knight(from), self.check_mask);
        }
    }

    #[inline]
    fn castling(&mut self, side: CastlingSide) {
        if let Some(path) = self.board.open_castling_path(side)
            && (path.safe & self.board.threats()).is_empty()
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

    /// Generates the moves of `pawns` to `allowed` squares, without en passant.
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
            let underpromotes = if is_capture { NOISY } else { QUIET };
            let first = if NOISY { 0 } else { 1 };
            let end = if underpromotes { PROMOTIONS.len() } else { 1 };
            self.sink.promotions(to, direction.offset(), &PROMOTIONS[first..end], is_capture);
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
