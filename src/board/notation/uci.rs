//! Moves in UCI notation.

use std::fmt;

use crate::board::Board;
use crate::types::{File, Move, PieceType, Square};

impl Board {
    /// Parses a legal move in UCI notation, with either spelling of castling (see
    /// [`Board::find_move`]).
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let board = Board::from_fen("8/P2k4/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = board.parse_move("e1g1").expect("the king's step");
    /// assert_eq!(board.parse_move("e1h1"), Some(castling));
    /// assert_eq!(castling.display(true).to_string(), "e1h1");
    /// assert!(board.parse_move("a7a8n").is_some());
    /// assert_eq!(board.parse_move("a7a8"), None);
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Option<Move> {
        let (from, to) = (text.get(..2)?, text.get(2..4)?);
        let promotion = match text.as_bytes()[4..] {
            [] => None,
            [letter] => Some(PieceType::from_letter(letter.into())?),
            _ => return None,
        };
        self.find_move(Square::parse(from)?, Square::parse(to)?, promotion)
    }

    /// Finds the legal move with this origin, target and promotion piece.
    ///
    /// The target of castling may be the rook's square (`e1h1`) or the king's (`e1g1`). In
    /// Chess960, where several moves may fit, an ordinary king move comes first, then castling by
    /// the rook's square.
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceType>,
    ) -> Option<Move> {
        let moves = self.legal_moves();
        let candidates =
            || moves.iter().copied().filter(|mv| mv.from() == from && mv.promotion() == promotion);
        let mut castlings = candidates().filter(|mv| mv.is_castling());
        candidates()
            .find(|mv| mv.to() == to && !mv.is_castling())
            .or_else(|| castlings.clone().find(|mv| mv.to() == to))
            .or_else(|| castlings.find(|mv| mv.king_target() == to))
    }
}

impl Move {
    /// Displays the move in UCI notation.
    ///
    /// Castling is the king's step (`e1g1`) if king and rook stand as in standard chess and
    /// `chess960` is off, otherwise king takes rook (`e1h1`).
    pub fn display(self, chess960: bool) -> impl fmt::Display {
        UciMove { mv: self, chess960 }
    }
}

struct UciMove {
    mv: Move,
    chess960: bool,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv;
        let is_standard =
            mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
        if mv.is_castling() && !self.chess960 && is_standard {
            return write!(f, "{}{}", mv.from(), mv.king_target());
        }
        write!(f, "{}{}", mv.from(), mv.to())?;
        match mv.promotion() {
            Some(piece_type) => write!(f, "{}", piece_type.letter()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a legal position")
    }

    #[test]
    fn every_legal_move_round_trips() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/8/8/2k5/2pP4/8/8/3K4 b - d3 0 1",
        ] {
            let board = board(fen);
            for mv in board.legal_moves() {
                for chess960 in [false, true] {
                    assert_eq!(board.parse_move(&mv.display(chess960).to_string()), Some(mv));
                }
            }
        }
    }

    #[test]
    fn an_ordinary_king_move_precedes_castling() {
        // King f1, rooks e1 and h1: f1g1 is both a king move and the king's step of castling.
        let board = board("3k4/8/8/8/8/8/8/4RK1R w HE - 0 1");
        let kind = |text| board.parse_move(text).map(|mv| (mv.to(), mv.is_castling()));
        assert_eq!(kind("f1g1"), Some((Square::G1, false)));
        assert_eq!(kind("f1h1"), Some((Square::H1, true)));
        assert_eq!(kind("f1e1"), Some((Square::E1, true)));
        assert_eq!(kind("f1c1"), Some((Square::E1, true)));
    }

    #[test]
    fn other_text_is_rejected() {
        let board = board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert!(board.parse_move("a7a8q").is_some());
        for text in
            ["", "a7", "a7a", "a7a8", "a7a8Q", "a7a8k", "a7a8p", "a7a8qq", "e1d1q", "a7é8", "0000"]
        {
            assert_eq!(board.parse_move(text), None, "{text}");
        }
    }
}
