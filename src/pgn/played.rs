//! A game that was played here, as PGN.

use crate::board::{Board, FenStyle, GameResult};
use crate::types::{CastlingSide, Color, File, Move, Square};

use super::game::{GameMove, PgnGame, PgnLine, Tags, result_text};

impl PgnGame {
    /// Makes a game of these legal moves. Sets the tag `Result`, and `Variant`, `SetUp` and `FEN`
    /// as the start position needs them.
    pub fn played(
        start: Board,
        moves: &[Move],
        mut tags: Tags,
        result: Option<GameResult>,
    ) -> Self {
        tags.set("Result", result_text(result));
        let fen = start.fen(FenStyle::Standard);
        if fen != Board::startpos().fen(FenStyle::Standard) {
            if has_chess960_castling(&start) {
                tags.set("Variant", "Chess960");
            }
            tags.set("SetUp", "1");
            tags.set("FEN", &fen);
        }
        let moves = moves.iter().map(|&mv| GameMove::new(Some(mv))).collect();
        let line = PgnLine { comments: Vec::new(), moves };
        Self { number: 1, tags, start, line, result, notes: Vec::new() }
    }
}

/// Returns whether a side may castle from other squares than in standard chess.
fn has_chess960_castling(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rook = |side| board.castling_rook_of(color, side).map(Square::file);
        let rooks = CastlingSide::ALL.map(rook);
        let is_standard = rooks[CastlingSide::King as usize].is_none_or(|file| file == File::H)
            && rooks[CastlingSide::Queen as usize].is_none_or(|file| file == File::A);
        let can_castle = rooks.iter().any(Option::is_some);
        can_castle && !(is_standard && board.king_square(color).file() == File::E)
    })
}
