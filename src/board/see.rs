//! Static exchange evaluation (SEE) of the captures on one square.

use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, PieceTypeMap, Score, Square};

use super::Board;

/// Looked up, not matched: a match became a jump that the CPU often mispredicts.
const VALUES: PieceTypeMap<Score> =
    PieceTypeMap::new([Score(100), Score(320), Score(330), Score(500), Score(950), Score(0)]);

/// Returns the value of a piece in exchanges, in hundredths of a pawn; 0 for the king, which is
/// never taken.
#[inline]
pub fn value(piece_type: PieceType) -> Score {
    VALUES[piece_type]
}

impl Board {
    /// Returns whether the exchange started by a legal move gains at least `threshold`.
    ///
    /// Both sides capture with their least valuable piece and may stop at any time. A pinned piece
    /// captures only along its pin.
    /// Source: <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::Score;
    ///
    /// // The knight takes a pawn that another pawn defends.
    /// let board = Board::from_fen("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1")?;
    /// let capture = board.parse_move("f3e5").expect("a legal move");
    /// assert!(!board.see_ge(capture, Score::ZERO));
    /// assert!(board.see_ge(capture, Score(100 - 320)));
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        if mv.is_castling() {
            return threshold <= Score::ZERO;
        }
        let (from, to) = (mv.from(), mv.to());
        let mut gain = self.victim(mv).map_or(Score::ZERO, value);
        let mut next_victim = value(self.moved_piece(mv).piece_type());
        if let Some(promotion) = mv.promotion() {
            next_victim = value(promotion);
            gain = gain + next_victim - value(PieceType::Pawn);
        }
        // Balance above the threshold if the opponent does not recapture.
        let mut balance = gain - threshold;
        if balance < Score::ZERO {
            return false;
        }
        // Balance if the opponent recaptures and the exchange ends there.
        balance = balance - next_victim;
        if balance >= Score::ZERO {
            return true;
        }

        let mut occupied = (self.occupied() - Bitboard::square(from)) | Bitboard::square(to);
        if mv.is_en_passant() {
            occupied = occupied - self.en_passant_victim(to).into();
        }
        let diagonal = self.pieces(PieceType::Bishop) | self.pieces(PieceType::Queen);
        let straight = self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen);
        let mut attackers = self.state().all_attackers(to, occupied);
        let mut side = !self.side_to_move();
        loop {
            attackers &= occupied;
            let own = attackers & self.colors(side);
            let Some((piece_type, taker)) = self.least_taker(own, side, to, occupied) else {
                break;
            };
            // The king captures only if no attacker is left to recapture, pinned ones included.
            if piece_type == PieceType::King && (attackers & self.colors(!side)).any() {
                break;
            }
            side = !side;
            // Balance of the capturing side if its piece is recaptured and the exchange ends there.
            balance = -balance - 1 - value(piece_type).0;
            if balance >= Score::ZERO || piece_type == PieceType::King {
                break;
            }
            occupied = occupied - taker.into();
            if attacks::diagonals(to).contains(taker) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            } else if attacks::orthogonals(to).contains(taker) {
                attackers |= attacks::rook(to, occupied) & straight;
            }
        }
        // The side that stops capturing has lost the exchange.
        side != self.side_to_move()
    }

    /// Returns the least valuable piece of `attackers` of `side` that may capture on `to`.
    #[inline]
    fn least_taker(
        &self,
        attackers: Bitboard,
        side: Color,
        to: Square,
        occupied: Bitboard,
    ) -> Option<(PieceType, Square)> {
        if attackers.is_empty() {
            return None;
        }
        let takers = attackers - self.pinned_in_exchange(side, to, occupied);
        let of_type = |piece_type| (takers & self.pieces(piece_type)).first();
        PieceType::ALL.into_iter().find_map(|piece_type| Some((piece_type, of_type(piece_type)?)))
    }

    /// Returns the only pieces, of any colour, between the king of `side` and an opposing slider
    /// other than that on `to`.
    #[inline]
    fn pinned_in_exchange(&self, side: Color, to: Square, occupied: Bitboard) -> Bitboard {
        let king = self.king_square(side);
        let in_line = (self.diagonal_sliders(!side) & attacks::diagonals(king))
            | (self.orthogonal_sliders(!side) & attacks::orthogonals(king));
        let snipers = (in_line & occupied) - to.into();
        snipers.into_iter().fold(Bitboard::EMPTY, |pinned, sniper| {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.more_than_one() { pinned } else { pinned | blockers }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_piece_captures_only_along_its_pin() {
        for (fen, capture, gain) in [
            // The knight on e6 defends d4, but is pinned to its king.
            ("4k3/8/4n3/8/3p4/5N2/8/3KR3 w - - 0 1", "f3d4", 100),
            ("4k3/8/4n3/8/3p4/5N2/8/3K4 w - - 0 1", "f3d4", 100 - 320),
            // The rook on e6 may take along the file.
            ("4k3/8/4r3/8/4p3/6N1/8/3KR3 w - - 0 1", "g3e4", 100),
            ("4k3/8/4r3/8/4p3/6N1/8/3K4 w - - 0 1", "g3e4", 100 - 320),
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            let mv = board.parse_move(capture).expect("a legal move");
            assert!(board.see_ge(mv, Score(gain)), "{fen}");
            assert!(!board.see_ge(mv, Score(gain + 1)), "{fen}");
        }
    }
}
