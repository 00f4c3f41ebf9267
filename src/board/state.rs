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
    /// his own shadow.
    pub(super) threats: Bitboard,
}

const _: () = assert!(size_of::<GameState>() == 64);

/// Keys of parts of the placement, kept beside the main key: pawns, minor pieces, each side's other pieces.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct StructureKeys {
    pub(super) pawn: Key,
    pub(super) minor: Key,
    /// By colour.
    pub(super) non_pawn: [Key; Color::COUNT],
}

impl StructureKeys {
    /// Takes a piece on a square, whose key this is, in or out.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, key: Key) {
        match piece.piece_type() {
            PieceType::Pawn => self.pawn ^= key,
            other => {
                self.non_pawn[piece.color().index()] ^= key;
                if other.is_minor() {
                    self.minor ^= key;
                }
            }
        }
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
