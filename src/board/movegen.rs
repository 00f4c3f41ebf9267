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
    /// Adds the moves of one kind of one piece.
    fn targets(&mut self, from: Square, to: Bitboard, kind: MoveKind);
    fn pawns(&mut self, to: Bitboard, offset: i8, kind: MoveKind);
    fn promotions(&mut self, to: Bitboard, offset: i8, pieces: &[PieceType], is_capture: bool);
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard) {
        self.targets(from, captures, MoveKind::Capture);
        self.targets(from, quiets, MoveKind::Plain);
    }

    #[inline]
    fn targets(&mut self, from: Square, to: Bitboard, kind: MoveKind) {
        self.extend(to.into_iter().map(|to| Move::new(from, to, kind)));
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, offset: i8, kind: MoveKind) {
        self.extend(to.into_iter().map(|to| Move::new(origin(to, offset), to, kind)));
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
}

struct MoveCounter(usize);

impl MoveSink for MoveCounter {
    #[inline]
    fn piece(&mut self, _: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count();
    }

    #[inline]
    fn targets(&mut self, _: Square, to: Bitboard, _: MoveKind) {
        self.0 += to.count();
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 += to.count();
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8, pieces: &[PieceType], _: bool) {
        self.0 += pieces.len() * to.count();
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
            GenKind::Noisy => self.emit_part(true, moves),
            GenKind::Quiet => self.emit_part(false, moves),
            GenKind::All => self.emit_all(moves),
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
        self.emit_all(&mut count);
        count.0
    }

    /// Returns whether there is a legal move: neither checkmate nor stalemate.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn emit_all<S: MoveSink>(&self, sink: &mut S) {
        match self.side_to_move() {
            Color::White => Generator::new(AllOf::<true>, self, sink).run(),
            Color::Black => Generator::new(AllOf::<false>, self, sink).run(),
        }
    }

    fn emit_part(&self, is_noisy: bool, moves: &mut MoveList) {
        Generator::new(Part { us: self.side_to_move(), is_noisy }, self, moves).run();
    }
}

/// Side and kinds of the moves to generate.
trait Task: Copy {
    fn us(self) -> Color;
    fn is_noisy(self) -> bool;
    fn is_quiet(self) -> bool;
}

/// All moves of a side known at compile time, which saves perft the branches.
#[derive(Copy, Clone)]
struct AllOf<const WHITE: bool>;

impl<const WHITE: bool> Task for AllOf<WHITE> {
    #[inline]
    fn us(self) -> Color {
        if WHITE { Color::White } else { Color::Black }
    }

    #[inline]
    fn is_noisy(self) -> bool {
        true
    }

    #[inline]
    fn is_quiet(self) -> bool {
        true
    }
}

/// Noisy or quiet moves of a side known at run time. The search uses this, whose code would take up
/// four times as much of the instruction cache with constants.
#[derive(Copy, Clone)]
struct Part {
    us: Color,
    is_noisy: bool,
}

impl Task for Part {
    #[inline]
    fn us(self) -> Color {
        self.us
    }

    #[inline]
    fn is_noisy(self) -> bool {
        self.is_noisy
    }

    #[inline]
    fn is_quiet(self) -> bool {
        !self.is_noisy
    }
}

#[inline]
fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u16).wrapping_add_signed(-i16::from(offset)))
}

/// State of one move generation.
struct Generator<'a, T, S> {
    task: T,
    board: &'a Board,
    sink: &'a mut S,
    king: Square,
    empty: Bitboard,
    theirs: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Targets of pieces other than the king: all squares, or those that end the check.
    check_mask: Bitboard,
}

impl<'a, T: Task, S: MoveSink> Generator<'a, T, S> {
    #[inline]
    fn new(task: T, board: &'a Board, sink: &'a mut S) -> Self {
        let us = task.us();
        let king = board.king_square(us);
        let (checkers, pinned) = (board.checkers(), board.pinned());
        let check_mask = match checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        let (empty, theirs) = (!board.occupied(), board.colors(!us));
        Self { task, board, sink, king, empty, theirs, checkers, pinned, check_mask }
    }

    #[inline]
    fn run(mut self) {
        self.king_moves();
        // In double check only the king can move.
        if self.checkers.more_than_one() {
            return;
        }
        if self.task.is_quiet() && self.checkers.is_empty() {
            self.castling(CastlingSide::King);
            self.castling(CastlingSide::Queen);
        }
        self.pawn_moves();
        self.knight_moves();
        let free = !self.pinned;
        let diagonal = self.board.diagonal_sliders(self.task.us());
        let orthogonal = self.board.orthogonal_sliders(self.task.us());
        for from in diagonal & free {
            self.piece_moves(from, attacks::bishop(from, !self.empty), self.check_mask);
        }
        for from in orthogonal & free {
            self.piece_moves(from, attacks::rook(from, !self.empty), self.check_mask);
        }
        // A pinned piece cannot end a check, as it would have to leave the line of the pin.
        if self.pinned.any() && self.checkers.is_empty() {
            self.pinned_moves(diagonal - free, orthogonal - free);
        }
    }

    #[cold]
    fn pinned_moves(&mut self, diagonal: Bitboard, orthogonal: Bitboard) {
        for from in diagonal {
            let line = attacks::line(self.king, from);
            self.piece_moves(from, attacks::bishop(from, !self.empty), line);
        }
        for from in orthogonal {
            let line = attacks::line(self.king, from);
            self.piece_moves(from, attacks::rook(from, !self.empty), line);
        }
    }

    #[inline]
    fn piece_moves(&mut self, from: Square, attacks: Bitboard, allowed: Bitboard) {
        let to = attacks & allowed;
        let (quiets, captures) = (to & self.empty, to & self.theirs);
        if self.task.is_noisy() && self.task.is_quiet() {
            self.sink.piece(from, quiets, captures);
        } else {
            let (to, kind) = match self.task.is_noisy() {
                true => (captures, MoveKind::Capture),
                false => (quiets, MoveKind::Plain),
            };
            self.sink.targets(from, to, kind);
        }
    }

    #[inline]
    fn king_moves(&mut self) {
        let mut targets = Bitboard::EMPTY;
        if self.task.is_noisy() {
            targets |= self.theirs;
        }
        if self.task.is_quiet() {
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
        for from in self.board.pieces_of(self.task.us(), PieceType::Knight) - self.pinned {
            self.piece_moves(from, attacks::knight(from), self.check_mask);
        }
    }

    #[inline]
    fn castling(&mut self, side: CastlingSide) {
        if let Some(path) = self.board.open_castling_path(side)
            && (path.safe & self.board.threats()).is_empty()
        {
            self.sink.targets(self.king, path.rook.into(), MoveKind::Castling);
        }
    }

    #[inline]
    fn pawn_moves(&mut self) {
        let pawns = self.board.pieces_of(self.task.us(), PieceType::Pawn);
        self.pawn_set(pawns - self.pinned, self.check_mask);
        if self.checkers.is_empty() {
            for from in pawns & self.pinned {
                self.pawn_set(from.into(), attacks::line(self.king, from));
            }
        }
        if self.task.is_noisy() {
            self.en_passant(pawns);
        }
    }

    /// Generates the moves of `pawns` to `allowed` squares, without en passant.
    #[inline]
    fn pawn_set(&mut self, pawns: Bitboard, allowed: Bitboard) {
        const LAST_RANKS: Bitboard =
            Bitboard(Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0);
        let us = self.task.us();
        let third_rank = Bitboard::rank(Rank::Third.relative_to(us));
        let forward = Direction::forward(us).offset();
        let steps = pawns.forward(us);
        let once = steps & self.empty;
        if self.task.is_quiet() {
            let twice = (once & third_rank).forward(us) & self.empty & allowed;
            self.sink.pawns((once & allowed) - LAST_RANKS, forward, MoveKind::Plain);
            self.sink.pawns(twice, 2 * forward, MoveKind::DoublePush);
        }
        self.promotions(once & allowed & LAST_RANKS, forward, false);
        if self.task.is_noisy() {
            for side in [Direction::East, Direction::West] {
                let to = steps.shift(side) & self.theirs & allowed;
                let offset = forward + side.offset();
                self.sink.pawns(to - LAST_RANKS, offset, MoveKind::Capture);
                self.promotions(to & LAST_RANKS, offset, true);
            }
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, offset: i8, is_capture: bool) {
        if to.any() {
            let (is_noisy, is_quiet) = (self.task.is_noisy(), self.task.is_quiet());
            let first = if is_noisy { 0 } else { 1 };
            let end = if is_quiet || is_capture { PROMOTIONS.len() } else { 1 };
            self.sink.promotions(to, offset, &PROMOTIONS[first..end], is_capture);
        }
    }

    #[inline]
    fn en_passant(&mut self, pawns: Bitboard) {
        let Some(to) = self.board.en_passant() else { return };
        for from in attacks::pawn(!self.task.us(), to) & pawns {
            if self.board.is_en_passant_safe(from, to) {
                self.sink.targets(from, to.into(), MoveKind::EnPassant);
            }
        }
    }
}
