//! The position: where the pieces stand, what else the rules remember, and which moves are legal.
//!
//! The placement is kept twice, as sets by kind and colour and as a board of squares, because move generation asks for
//! sets and making a move asks what stands on a square. All that a move changes is one `GameState`: making a move saves
//! a copy, taking it back copies that in again. What follows from it, checks and pins and threats, is found when it is
//! first asked for. The board knows no evaluation: who wants to follow the pieces passes a [`MoveObserver`].

mod castling;
mod chess960;
mod display;
mod draws;
pub mod fen;
mod flip;
mod keys;
mod legality;
mod make;
mod masks;
mod movegen;
mod notation;
pub mod perft;
pub mod see;
mod state;
mod states;
mod validate;

pub use fen::{FenError, FenNote, FenStyle};
pub use make::MoveObserver;
pub use movegen::GenKind;

use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, PieceType, Square};
use crate::zobrist::Key;
use castling::CastlingPaths;
use state::GameState;
use states::StateStack;

/// A chess position with the game that led to it.
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
#[derive(Clone, Debug)]
pub struct Board {
    castling_paths: CastlingPaths,
    states: StateStack,
}

impl Board {
    /// The start position of standard chess.
    pub fn startpos() -> Self {
        Self::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            .expect("the start position is legal")
    }

    /// A board without pieces, White to move: where reading a FEN begins.
    fn empty() -> Self {
        Self { castling_paths: CastlingPaths::none(), states: StateStack::new(GameState::new()) }
    }

    #[inline]
    fn state(&self) -> &GameState {
        self.states.now()
    }

    #[inline]
    fn state_mut(&mut self) -> &mut GameState {
        self.states.now_mut()
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state().side_to_move
    }

    /// The pieces of a kind, of both colours.
    #[inline]
    pub fn pieces(&self, piece_type: PieceType) -> Bitboard {
        self.state().pieces(piece_type)
    }

    /// The pieces of a colour.
    #[inline]
    pub fn colors(&self, color: Color) -> Bitboard {
        self.state().colors(color)
    }

    /// The pieces of a colour and kind.
    #[inline]
    pub fn pieces_of(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.state().pieces_of(color, piece_type)
    }

    /// Every square with a piece on it.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.state().occupied()
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.state().piece_on(square)
    }

    /// Where the king of a colour stands.
    #[inline]
    pub fn king_square(&self, color: Color) -> Square {
        self.state().king_square(color)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.states.masks().checkers(self.state())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// The pieces of the side to move that are pinned to its king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.states.masks().pinned(self.state())
    }

    /// The squares that the opponent of the side to move attacks, seen through the king of the side to move.
    #[inline]
    pub fn threats(&self) -> Bitboard {
        self.states.masks().threats(self.state())
    }

    /// The Zobrist key of the position.
    #[inline]
    pub fn key(&self) -> Key {
        self.state().key
    }

    /// The key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> Key {
        self.state().structure.pawn()
    }

    /// The key of the knights and bishops alone.
    #[inline]
    pub fn minor_key(&self) -> Key {
        self.state().structure.minor()
    }

    /// The key of one side's pieces without its pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.state().structure.non_pawn(color)
    }

    /// Which castlings are still allowed.
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.state().castling
    }

    /// The rook that a side may still castle with on this wing; `None` without the right.
    pub fn castling_rook_of(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let path = self.castling_paths.path(color, side)?;
        self.castling_rights().has(color, side).then_some(path.rook)
    }

    /// The square behind a pawn that can legally be taken en passant now.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state().en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state().halfmove_clock
    }

    /// The number of the move in the game: 1 at first, one more after each move of Black.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.state().fullmove_number
    }

    /// Whether the side has more than pawns and king: without, zugzwang is common.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        (self.colors(color) - self.pieces(PieceType::Pawn) - self.pieces(PieceType::King)).any()
    }

    /// Bishops and queens of a colour.
    #[inline]
    fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.state().diagonal_sliders(color)
    }

    /// Rooks and queens of a colour.
    #[inline]
    fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.state().orthogonal_sliders(color)
    }

    /// The pieces of `color` that attack a square when the board is occupied like this.
    fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.state().attackers(color, square, occupied)
    }
}
