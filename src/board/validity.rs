//! Rejects positions that no game can reach, by their pieces and checks.

use crate::attacks;
use crate::types::{Bitboard, Color, Piece, PieceType, Rank, Square};

use super::Board;

/// Reason why a position is rejected.
pub(super) struct Problem {
    /// Square at which the position is wrong, if it is a single one.
    pub(super) square: Option<Square>,
    pub(super) reason: String,
}

impl Problem {
    fn on(square: Square, reason: impl Into<String>) -> Self {
        Self { square: Some(square), reason: reason.into() }
    }

    fn general(reason: String) -> Self {
        Self { square: None, reason }
    }
}

impl Board {
    /// Checks the pieces and the side to move, the only parts that have to be set up.
    pub(super) fn check_pieces(&self) -> Result<(), Problem> {
        for color in Color::ALL {
            self.check_counts(color).map_err(Problem::general)?;
            let mut kings = self.pieces_of(color, PieceType::King).into_iter();
            if kings.next().is_none() {
                return Err(Problem::general(format!("{color} has no king")));
            }
            if let Some(second) = kings.next() {
                return Err(Problem::on(second, format!("{color} has more than one king")));
            }
        }
        let edges = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        if let Some(pawn) = (self.pieces(PieceType::Pawn) & edges).first() {
            return Err(Problem::on(pawn, format!("a pawn stands on {pawn}")));
        }
        let us = self.side_to_move();
        let own_king = self.king_square(us);
        let their_king = self.king_square(!us);
        if attacks::king(their_king).contains(own_king) {
            return Err(Problem::on(their_king, "the kings are adjacent"));
        }
        if self.attackers(us, their_king, self.occupied()).any() {
            let reason = format!("{us} is to move and can capture the king on {their_king}");
            return Err(Problem::on(their_king, reason));
        }
        self.check_checkers().map_err(|reason| Problem::on(own_king, reason))
    }

    fn check_counts(&self, color: Color) -> Result<(), String> {
        let all = self.colors(color).count();
        if all > 16 {
            return Err(format!("{color} has {all} pieces, the maximum is 16"));
        }
        let count = |piece_type| self.pieces_of(color, piece_type).count();
        let pawns = count(PieceType::Pawn);
        if pawns > 8 {
            return Err(format!("{color} has {pawns} pawns, the maximum is 8"));
        }
        // A move list has room for all positions reachable by promotion, but not for 15 queens.
        let promoted = count(PieceType::Queen).saturating_sub(1)
            + [PieceType::Rook, PieceType::Bishop, PieceType::Knight]
                .map(|piece_type| count(piece_type).saturating_sub(2))
                .iter()
                .sum::<usize>();
        if promoted + pawns > 8 {
            return Err(format!(
                "{color} has {pawns} pawns and at least {promoted} promoted pieces, the maximum \
                 is 8"
            ));
        }
        Ok(())
    }

    /// Rejects checks that no move can give: more than two, from opposite sides of the king, by two
    /// pawns or knights, or by two sliders where neither can have uncovered the other and no en
    /// passant capture can have uncovered both.
    fn check_checkers(&self) -> Result<(), String> {
        let us = self.side_to_move();
        let king = self.king_square(us);
        let checkers = self.attackers(!us, king, self.occupied());
        let squares: Vec<Square> = checkers.into_iter().collect();
        let [first, second] = squares[..] else {
            return match squares.len() {
                0 | 1 => Ok(()),
                count => Err(format!("{us} is in check from {count} pieces, the maximum is 2")),
            };
        };
        let leapers = self.pieces(PieceType::Pawn) | self.pieces(PieceType::Knight);
        let is_possible = !attacks::between(first, second).contains(king)
            && match (checkers & leapers).count() {
                0 => {
                    self.may_give_both(first, second)
                        || self.may_give_both(second, first)
                        || self.may_uncover_both(first, second)
                }
                count => count == 1,
            };
        if is_possible {
            return Ok(());
        }
        Err(format!("{us} is in check from {first} and {second}, which no move can give"))
    }

    /// Returns whether the slider on `moved` can have given check by leaving the line of the slider
    /// on `uncovered`, which then gives check too. Castling never gives two checks.
    fn may_give_both(&self, moved: Square, uncovered: Square) -> bool {
        let them = !self.side_to_move();
        let king = self.king_square(!them);
        let line = attacks::between(uncovered, king);
        let occupied = self.occupied();
        let is_diagonal = attacks::bishop(king, occupied).contains(uncovered);
        let origins = match self.piece_on(moved).map(Piece::piece_type) {
            // On a line of its own kind, it would have given check before the move.
            Some(PieceType::Bishop) if !is_diagonal => attacks::bishop(moved, occupied),
            Some(PieceType::Rook) if is_diagonal => attacks::rook(moved, occupied),
            _ => Bitboard::EMPTY,
        };
        let is_promotion = moved.rank() == Rank::Eighth.relative_to(them);
        let behind = moved.forward(!them).filter(|_| is_promotion);
        let promotions =
            behind.map_or(Bitboard::EMPTY, |behind| attacks::pawn(!them, moved) | behind.into());
        (line & (origins | promotions)).any()
    }

    /// Returns whether a capture en passant may have uncovered both checks: one line was blocked by
    /// the capturing pawn and the other by the captured one.
    fn may_uncover_both(&self, first: Square, second: Square) -> bool {
        let them = !self.side_to_move();
        let king = self.king_square(!them);
        let lines = [first, second].map(|checker| attacks::between(checker, king));
        let pawns = self.pieces_of(them, PieceType::Pawn);
        (pawns & Bitboard::rank(Rank::Sixth.relative_to(them))).into_iter().any(|pawn| {
            let captured = pawn.forward(!them).map_or(Bitboard::EMPTY, Bitboard::square);
            let origins = attacks::pawn(!them, pawn);
            let opens = |by_pawn: Bitboard, by_captured: Bitboard| {
                (by_pawn & origins).any() && (by_captured & captured).any()
            };
            opens(lines[0], lines[1]) || opens(lines[1], lines[0])
        })
    }

    /// Rejects checks by other pieces than `pawn` that were there before its double step over
    /// `passed`.
    pub(super) fn check_double_step(&self, passed: Square, pawn: Square) -> Result<(), String> {
        let us = self.side_to_move();
        let king = self.king_square(us);
        let origin = passed.forward(us).map_or(Bitboard::EMPTY, Bitboard::square);
        let before = (self.occupied() - pawn.into()) | origin;
        let checkers = self.attackers(!us, king, self.occupied()) - pawn.into();
        match (checkers & self.attackers(!us, king, before)).first() {
            None => Ok(()),
            Some(checker) => Err(format!(
                "the double step to {pawn} cannot have given the check from {checker} to {us}'s \
                 king"
            )),
        }
    }
}
