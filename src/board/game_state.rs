//! The state of a position that a move changes.

use crate::attacks;
use crate::types::{
    Bitboard, CastlingRights, Color, ColorMap, Direction, Piece, PieceMap, PieceType, PieceTypeMap,
    Square, SquareMap,
};
use crate::zobrist::{self, Key};

/// Squares that a side attacks, cumulative by type of attacker.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Threats {
    pub(super) by_pawns: Bitboard,
    pub(super) up_to_minors: Bitboard,
    pub(super) up_to_rooks: Bitboard,
    pub(super) all: Bitboard,
}

/// A position without its past: saved by making a move, restored by unmaking it.
///
/// Copying its three cache lines is faster than undoing each change.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct GameState {
    pub(super) by_type: PieceTypeMap<Bitboard>,
    pub(super) by_color: ColorMap<Bitboard>,
    pub(super) mailbox: SquareMap<Option<Piece>>,
    pub(super) key: Key,
    pub(super) structure_keys: StructureKeys,
    pub(super) side_to_move: Color,
    pub(super) castling: CastlingRights,
    /// Target of a legal en passant capture.
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    /// Plies since the last null move or the first known position; captures do not reset it. No
    /// repetition reaches further back, and the stack holds at least this many earlier positions.
    pub(super) plies_since_null: u16,
    pub(super) fullmove_number: u32,
}

const _: () = assert!(size_of::<GameState>() == 192);

/// Keys of parts of the placement: pawns, White's other pieces, Black's other pieces, minor pieces
/// of both sides.
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

    /// XORs piece-square keys into the parts of the piece, without branches that would be
    /// mispredicted.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, key: Key) {
        for (part, mask) in self.0.iter_mut().zip(STRUCTURE_MASKS[piece]) {
            part.0 ^= key.0 & mask;
        }
    }
}

/// A mask per piece and structure key: all ones if the piece counts in it, else zero.
static STRUCTURE_MASKS: PieceMap<[u64; 4]> = structure_masks();

const fn structure_masks() -> PieceMap<[u64; 4]> {
    let mut masks = [[0; 4]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        let is_pawn = matches!(piece.piece_type(), PieceType::Pawn);
        let slot = StructureKeys::NON_PAWN + piece.color().index();
        masks[index][if is_pawn { StructureKeys::PAWN } else { slot }] = u64::MAX;
        if piece.piece_type().is_minor() {
            masks[index][StructureKeys::MINOR] = u64::MAX;
        }
        index += 1;
    }
    PieceMap::new(masks)
}

impl GameState {
    pub(super) fn new() -> Self {
        Self {
            by_type: PieceTypeMap::filled(Bitboard::EMPTY),
            by_color: ColorMap::filled(Bitboard::EMPTY),
            mailbox: SquareMap::filled(None),
            key: Key::default(),
            structure_keys: StructureKeys::default(),
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            plies_since_null: 0,
            fullmove_number: 1,
        }
    }

    #[inline]
    pub(super) fn pieces(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type]
    }

    #[inline]
    pub(super) fn colors(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    #[inline]
    pub(super) fn pieces_of(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.colors(color) & self.pieces(piece_type)
    }

    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.by_color[Color::White] | self.by_color[Color::Black]
    }

    #[inline]
    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square]
    }

    #[inline]
    pub(super) fn king_square(&self, color: Color) -> Square {
        self.pieces_of(color, PieceType::King).first().expect("each side has its king")
    }

    #[inline]
    pub(super) fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.pieces(PieceType::Bishop) | self.pieces(PieceType::Queen)) & self.colors(color)
    }

    #[inline]
    pub(super) fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        (self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen)) & self.colors(color)
    }

    /// Returns the pieces of `color` that attack a square. `occupied` only blocks sliders.
    pub(super) fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.all_attackers(square, occupied) & self.colors(color)
    }

    /// Returns [`Self::attackers`] of both sides.
    #[inline]
    pub(super) fn all_attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns =
            |color: Color| attacks::pawn(!color, square) & self.pieces_of(color, PieceType::Pawn);
        let queens = self.pieces(PieceType::Queen);
        pawns(Color::White)
            | pawns(Color::Black)
            | (attacks::knight(square) & self.pieces(PieceType::Knight))
            | (attacks::king(square) & self.pieces(PieceType::King))
            | (attacks::bishop(square, occupied) & (self.pieces(PieceType::Bishop) | queens))
            | (attacks::rook(square, occupied) & (self.pieces(PieceType::Rook) | queens))
    }

    /// Puts a piece on an empty square without updating keys.
    #[inline]
    pub(super) fn place(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::square(square);
        self.by_type[piece.piece_type()] |= bit;
        self.by_color[piece.color()] |= bit;
        self.mailbox[square] = Some(piece);
    }

    /// Removes a piece without updating keys.
    #[inline]
    pub(super) fn lift(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::square(square);
        self.by_type[piece.piece_type()] ^= bit;
        self.by_color[piece.color()] ^= bit;
        self.mailbox[square] = None;
    }

    /// Moves a piece to an empty square without updating keys.
    #[inline]
    pub(super) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let bits = Bitboard::square(from) | Bitboard::square(to);
        self.by_type[piece.piece_type()] ^= bits;
        self.by_color[piece.color()] ^= bits;
        self.mailbox[from] = None;
        self.mailbox[to] = Some(piece);
    }

    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, key: Key) {
        self.key ^= key;
        self.structure_keys.toggle(piece, key);
    }

    pub(super) fn rights_key(&self) -> Key {
        let en_passant =
            self.en_passant.map_or(Key(0), |square| zobrist::en_passant(square.file()));
        zobrist::castling(self.castling) ^ en_passant
    }

    pub(super) fn find_checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        let us = self.side_to_move;
        let them = !us;
        let king = self.king_square(us);
        let mut checkers = (attacks::pawn(us, king) & self.pieces_of(them, PieceType::Pawn))
            | (attacks::knight(king) & self.pieces_of(them, PieceType::Knight));
        let mut pinned = Bitboard::EMPTY;
        // Sliders that would attack the king on an empty board.
        let snipers = (attacks::diagonals(king) & self.diagonal_sliders(them))
            | (attacks::orthogonals(king) & self.orthogonal_sliders(them));
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & self.occupied();
            if blockers.is_empty() {
                checkers |= sniper.into();
            } else if !blockers.more_than_one() {
                pinned |= blockers & self.colors(us);
            }
        }
        (checkers, pinned)
    }

    /// Returns the squares that a side attacks.
    pub(super) fn find_threats(&self, color: Color) -> Threats {
        // The other side's king does not block: squares behind it on a slider's line are attacked
        // too.
        let occupied = self.occupied() - Bitboard::square(self.king_square(!color));
        let pawns = self.pieces_of(color, PieceType::Pawn).shift(Direction::forward(color));
        let by_pawns = pawns.shift(Direction::East) | pawns.shift(Direction::West);
        let mut up_to_minors = by_pawns;
        for square in self.pieces_of(color, PieceType::Knight) {
            up_to_minors |= attacks::knight(square);
        }
        for square in self.pieces_of(color, PieceType::Bishop) {
            up_to_minors |= attacks::bishop(square, occupied);
        }
        let mut up_to_rooks = up_to_minors;
        for square in self.pieces_of(color, PieceType::Rook) {
            up_to_rooks |= attacks::rook(square, occupied);
        }
        let mut all = up_to_rooks | attacks::king(self.king_square(color));
        for square in self.pieces_of(color, PieceType::Queen) {
            all |= attacks::bishop(square, occupied) | attacks::rook(square, occupied);
        }
        Threats { by_pawns, up_to_minors, up_to_rooks, all }
    }
}
