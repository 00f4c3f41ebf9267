//! The position: placement, game state, legal moves and draws by rule.
//!
//! The placement is stored twice: as bitboards for move generation, and as a mailbox for making
//! moves. Making a move saves a copy of `GameState`, unmaking it restores the copy. Checkers, pins
//! and threats are computed on first use.

#![forbid(unsafe_code)]

mod castling;
mod chess960;
mod display;
mod draws;
pub mod fen;
mod flip;
mod game_state;
mod keys;
mod legality;
mod make;
mod masks;
mod movegen;
mod notation;
mod outcome;
pub mod perft;
pub mod see;
mod states;
mod validate;
mod validity;

pub use fen::{FenError, FenNote, FenStyle};
pub use movegen::GenKind;
pub(crate) use notation::plain_signs;
pub use notation::{SanError, move_number, numbered_line, san_line};
pub use outcome::{GameOutcome, GameResult, Termination};

use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, Piece, PieceType, PieceTypeMap, Square,
    SquareMap,
};
use crate::zobrist::{self, Key};
use castling::CastlingPaths;
use game_state::GameState;
use states::StateStack;

/// A chess position with its game history.
///
/// ```
/// use tabia::board::Board;
/// use tabia::types::{Color, Square};
///
/// let mut board = Board::startpos();
/// let mv = board.parse_move("e2e4").expect("a legal move");
/// let before = board.key();
/// board.make_move(mv);
/// assert_eq!(board.side_to_move(), Color::Black);
/// assert_eq!(board.king_square(Color::White), Square::E1);
/// board.unmake_move();
/// assert_eq!(board.key(), before);
/// ```
#[derive(Debug)]
pub struct Board {
    castling_paths: CastlingPaths,
    states: StateStack,
    /// Square passed by a double step before the first known position.
    passed_first: Option<Square>,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        let (castling_paths, states) = (self.castling_paths.clone(), self.states.clone());
        Self { castling_paths, states, passed_first: self.passed_first }
    }

    fn clone_from(&mut self, other: &Self) {
        self.castling_paths.clone_from(&other.castling_paths);
        self.states.clone_from(&other.states);
        self.passed_first = other.passed_first;
    }
}

impl Board {
    /// Returns the start position of standard chess.
    pub fn startpos() -> Self {
        Self::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            .expect("the start position is legal")
    }

    fn empty() -> Self {
        let states = StateStack::new(GameState::new());
        Self { castling_paths: CastlingPaths::none(), states, passed_first: None }
    }

    /// Returns the position alone, whose repetitions are not known.
    fn without_history(&self) -> Self {
        let state = GameState { plies_since_null: 0, ..*self.state() };
        let castling_paths = self.castling_paths.clone();
        Self { castling_paths, states: StateStack::new(state), passed_first: None }
    }

    #[inline]
    fn state(&self) -> &GameState {
        self.states.current()
    }

    #[inline]
    fn state_mut(&mut self) -> &mut GameState {
        self.states.current_mut()
    }

    /// Returns the side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state().side_to_move
    }

    /// Returns the pieces of a type, of both colours.
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::{Color, PieceType, Square};
    ///
    /// let board = Board::startpos();
    /// let knights = board.pieces_of(Color::White, PieceType::Knight);
    /// assert!(knights.contains(Square::G1));
    /// assert_eq!(knights, board.pieces(PieceType::Knight) & board.colors(Color::White));
    /// assert_eq!(board.occupied().count(), 32);
    /// let piece = board.piece_on(Square::E8).expect("the black king");
    /// assert_eq!((piece.color(), piece.piece_type()), (Color::Black, PieceType::King));
    /// assert_eq!(board.king_square(Color::Black), Square::E8);
    /// ```
    #[inline]
    pub fn pieces(&self, piece_type: PieceType) -> Bitboard {
        self.state().pieces(piece_type)
    }

    /// Returns the pieces of a colour.
    #[inline]
    pub fn colors(&self, color: Color) -> Bitboard {
        self.state().colors(color)
    }

    /// Returns the pieces of a colour and type.
    #[inline]
    pub fn pieces_of(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.state().pieces_of(color, piece_type)
    }

    /// Returns the occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.state().occupied()
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.state().piece_on(square)
    }

    /// Returns the piece on each square.
    #[inline]
    pub fn mailbox(&self) -> &SquareMap<Option<Piece>> {
        &self.state().mailbox
    }

    /// Returns the square of a king.
    #[inline]
    pub fn king_square(&self, color: Color) -> Square {
        self.state().king_square(color)
    }

    /// Returns the pieces that give check to the side to move.
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::Square;
    ///
    /// // The bishop on b4 gives check, and the rook on e8 pins the knight on e2.
    /// let board = Board::from_fen("4r1k1/8/8/8/1b6/8/4N3/4K3 w - - 0 1")?;
    /// assert!(board.in_check());
    /// assert_eq!(board.checkers(), Square::B4.into());
    /// assert_eq!(board.pinned(), Square::E2.into());
    /// assert!(board.threats().contains(Square::D2));
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.states.masks().checkers(self.state())
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Returns the pieces of the side to move that are pinned to its king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.states.masks().pinned(self.state())
    }

    /// Returns the squares that the opponent attacks. The king of the side to move does not block
    /// the opponent's sliders.
    #[inline]
    pub fn threats(&self) -> Bitboard {
        self.states.masks().threats(self.state())
    }

    /// Returns the squares that a side attacks. The other side's king does not block its sliders.
    #[inline]
    pub fn attacks_by(&self, color: Color) -> Bitboard {
        if color == self.side_to_move() {
            self.reused_attacks().unwrap_or_else(|| self.state().find_threats(color).all)
        } else {
            self.threats()
        }
    }

    /// Returns the attacks of the side to move if they are known from before the last move and it
    /// has not changed them: the opponent captured nothing, and moved neither from nor to an
    /// attacked square.
    ///
    /// In Chess960, castling may exchange king and rook, so that the same squares stay occupied.
    /// But neither the king's origin nor its target is attacked then, so nothing changes either.
    #[inline]
    fn reused_attacks(&self) -> Option<Bitboard> {
        let (before, masks) = self.states.previous()?;
        let attacks = masks.known_threats()?;
        let us = self.side_to_move();
        let changed = self.occupied() ^ before.occupied();
        (self.colors(us) == before.colors(us) && (changed & attacks).is_empty()).then_some(attacks)
    }

    /// Returns by piece type the squares that opposing pieces of lesser value attack. Empty for
    /// pawns and the king.
    #[inline]
    pub fn lesser_threats(&self) -> PieceTypeMap<Bitboard> {
        let threats = self.states.masks().all_threats(self.state());
        let (pawns, minors) = (threats.by_pawns, threats.up_to_minors);
        let none = Bitboard::EMPTY;
        PieceTypeMap::new([none, pawns, pawns, minors, threats.up_to_rooks, none])
    }

    /// Returns the Zobrist key of the position.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let mut board = Board::startpos();
    /// let (key, pawn_key) = (board.key(), board.pawn_key());
    /// for mv in ["g1f3", "g8f6"] {
    ///     board.make_move(board.parse_move(mv).expect("a legal move"));
    /// }
    /// assert!(board.key() != key && board.pawn_key() == pawn_key);
    /// for mv in ["f3g1", "f6g8"] {
    ///     board.make_move(board.parse_move(mv).expect("a legal move"));
    /// }
    /// assert_eq!(board.key(), key);
    /// ```
    #[inline]
    pub fn key(&self) -> Key {
        self.state().key
    }

    /// Returns the key under which results of the search are stored. From a halfmove clock of 32 on
    /// it changes every eighth ply, because near the fifty-move rule the same position can have
    /// another score.
    #[inline]
    pub fn search_key(&self) -> Key {
        self.key() ^ zobrist::halfmove_clock(self.halfmove_clock())
    }

    /// Returns the key of the pawns.
    #[inline]
    pub fn pawn_key(&self) -> Key {
        self.state().structure_keys.pawn()
    }

    /// Returns the key of the knights and bishops.
    #[inline]
    pub fn minor_key(&self) -> Key {
        self.state().structure_keys.minor()
    }

    /// Returns the key of one side's pieces other than pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.state().structure_keys.non_pawn(color)
    }

    /// Returns the remaining castling rights.
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::{CastlingSide, Color, Square};
    ///
    /// let mut board = Board::from_fen("4k3/8/8/8/3p4/8/4P3/R3K2R w K - 7 30")?;
    /// assert!(board.castling_rights().has(Color::White, CastlingSide::King));
    /// assert_eq!(board.castling_rook_of(Color::White, CastlingSide::King), Some(Square::H1));
    /// assert_eq!(board.castling_rook_of(Color::White, CastlingSide::Queen), None);
    /// assert_eq!((board.halfmove_clock(), board.fullmove_number()), (7, 30));
    /// board.make_move(board.parse_move("e2e4").expect("a legal move"));
    /// assert_eq!((board.halfmove_clock(), board.en_passant()), (0, Some(Square::E3)));
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.state().castling
    }

    /// Returns the origin of the rook of a castling right; `None` without the right.
    pub fn castling_rook_of(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let path = self.castling_paths.path(color, side)?;
        self.castling_rights().has(color, side).then_some(path.rook)
    }

    /// Returns the target square of a legal en passant capture.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state().en_passant
    }

    /// Returns the square passed by the last move, if that was a pawn's double step.
    ///
    /// Unlike [`Self::en_passant`], it does not depend on a legal capture.
    pub fn passed_square(&self) -> Option<Square> {
        let Some((before, _)) = self.states.previous() else { return self.passed_first };
        let them = !self.side_to_move();
        let old = before.pieces_of(them, PieceType::Pawn);
        let new = self.pieces_of(them, PieceType::Pawn);
        let (from, to) = ((old - new).first()?, (new - old).first()?);
        let passed = from.forward(them)?;
        (passed.forward(them) == Some(to)).then_some(passed)
    }

    /// Returns the square to which the opponent moved last, for castling one of the two; `None`
    /// before the first known move and after a null move.
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::Square;
    ///
    /// let mut board = Board::startpos();
    /// assert_eq!(board.last_target(), None);
    /// board.make_move(board.parse_move("g1f3").expect("a legal move"));
    /// assert_eq!(board.last_target(), Some(Square::F3));
    /// ```
    pub fn last_target(&self) -> Option<Square> {
        let (before, _) = self.states.previous()?;
        let them = !self.side_to_move();
        // By piece type, because castling in Chess960 may exchange king and rook.
        let pieces = PieceType::ALL.map(|piece_type| {
            self.pieces_of(them, piece_type) - before.pieces_of(them, piece_type)
        });
        pieces.into_iter().find_map(Bitboard::first)
    }

    /// Returns the plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state().halfmove_clock
    }

    /// Returns the move number, from 1, incremented after Black's moves.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.state().fullmove_number
    }

    /// Returns whether the side has more than king and pawns.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        (self.colors(color) - self.pieces(PieceType::Pawn) - self.pieces(PieceType::King)).any()
    }

    #[inline]
    fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.state().diagonal_sliders(color)
    }

    #[inline]
    fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.state().orthogonal_sliders(color)
    }

    /// Returns the pieces of a colour that attack a square. `occupied` blocks sliders.
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::{Bitboard, Color, Square};
    ///
    /// let board = Board::startpos();
    /// let attackers: Bitboard = [Square::G1, Square::E2, Square::G2].into_iter().collect();
    /// assert_eq!(board.attackers(Color::White, Square::F3, board.occupied()), attackers);
    /// ```
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.state().attackers(color, square, occupied)
    }
}
