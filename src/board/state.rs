//! What a move changes and cannot be taken back from the move alone.

use crate::types::{Bitboard, CastlingRights, Color, Piece, PieceType, Square};
use crate::zobrist::{self, Key};

/// The part of a position that make saves and unmake restores; one cache line, and aligned to one: a copy that straddles
/// two is slow to read back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct GameState {
    // Carried on from the state before, and changed by the move.
    pub(super) structure: StructureKeys,
    pub(super) castling: CastlingRights,
    /// The square behind a pawn that has just made a double step, only if taking it en passant is legal.
    pub(super) en_passant: Option<Square>,
    /// What the last move took.
    pub(super) captured: Option<Piece>,
    /// Plies since a capture or pawn move.
    pub(super) halfmove_clock: u16,
    /// Plies since the last null move or the first known position: no repetition reaches further back, and so many keys
    /// are in the history at least.
    pub(super) reversible_plies: u16,
    // Computed anew from the placement.
    /// The pieces that give check to the side to move.
    pub(super) checkers: Bitboard,
    /// The pieces of the side to move that are pinned to its king.
    pub(super) pinned: Bitboard,
    /// What the opponent of the side to move attacks, with that side's king lifted off the board: he cannot hide in
    /// his own shadow. Empty until it is asked for, which most nodes never do: a king always attacks something.
    pub(super) threats: Bitboard,
}

const _: () = assert!(size_of::<GameState>() == 64);

/// Keys of parts of the placement, kept beside the main key: pawns, White's other pieces, Black's other pieces, minor
/// pieces of both.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct StructureKeys([Key; 4]);

impl StructureKeys {
    const PAWN: usize = 0;
    const NON_PAWN: usize = 1;
    const MINOR: usize = 3;

    #[inline]
    pub(super) fn pawn(&self) -> Key {
        self.0[Self::PAWN]
    }

    #[inline]
    pub(super) fn non_pawn(&self, color: Color) -> Key {
        self.0[Self::NON_PAWN + color.index()]
    }

    #[inline]
    pub(super) fn minor(&self) -> Key {
        self.0[Self::MINOR]
    }

    /// Takes the key of a piece on a square, or of several squares, in or out. Without branches: which piece moves
    /// cannot be foreseen.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, key: Key) {
        let piece_type = piece.piece_type();
        let is_pawn = piece_type == PieceType::Pawn;
        let slot = if is_pawn { Self::PAWN } else { Self::NON_PAWN + piece.color().index() };
        self.0[slot] ^= key;
        self.0[Self::MINOR] ^= Key(key.0 & u64::from(piece_type.is_minor()).wrapping_neg());
    }
}

impl GameState {
    /// The state of an empty board.
    pub(super) fn new() -> Self {
        Self {
            structure: StructureKeys::default(),
            castling: CastlingRights::NONE,
            en_passant: None,
            captured: None,
            halfmove_clock: 0,
            reversible_plies: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            threats: Bitboard::EMPTY,
        }
    }

    /// The key of what is not placement: castling rights and e.p. file.
    pub(super) fn rights_key(&self) -> Key {
        let en_passant =
            self.en_passant.map_or(Key(0), |square| zobrist::en_passant(square.file()));
        zobrist::castling(self.castling) ^ en_passant
    }
}
