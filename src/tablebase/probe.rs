//! Results and distances of positions.
//!
//! Tables hold arbitrary values where a capture decides, and DTZ tables also where a pawn move
//! does, because this compresses better. So these moves are searched before a table is read.

use crate::board::Board;
use crate::types::{Move, PieceType};

use super::table::{Distance, Dtz, Kind};
use super::{Tablebases, Wdl};

/// A result, and whether a capture or pawn move reaches it.
#[derive(Copy, Clone)]
struct Probed {
    wdl: Wdl,
    by_zeroing: bool,
}

impl Tablebases {
    /// Probes the result, assuming a halfmove clock of zero.
    ///
    /// Returns `None` without a valid table, or with castling rights.
    pub fn probe_wdl(&self, board: &mut Board) -> Option<Wdl> {
        if !self.may_have(board, usize::MAX) {
            return None;
        }
        Some(self.search_captures(board)?.wdl)
    }

    /// Probes the plies to the next capture or pawn move that keeps the result.
    ///
    /// Positive for a win, negative for a loss, 0 for a draw, -1 if checkmated. Results that the
    /// fifty-move rule spoils are 100 further from zero. Distances may be one too small, as many
    /// tables count in moves. `None` as for [`Self::probe_wdl`].
    pub fn probe_dtz(&self, board: &mut Board) -> Option<i32> {
        self.dtz(board).map(|distance| distance.plies)
    }

    fn search_captures(&self, board: &mut Board) -> Option<Probed> {
        self.search_moves(board, |_, mv| mv.is_capture())
    }

    /// Returns the result by searching the selected moves, then by the table.
    fn search_moves(
        &self,
        board: &mut Board,
        is_tried: fn(&Board, Move) -> bool,
    ) -> Option<Probed> {
        let legal = board.legal_moves();
        let mut best = Wdl::Loss;
        let mut tried = 0;
        for &mv in &legal {
            if !is_tried(board, mv) {
                continue;
            }
            tried += 1;
            board.make_move(mv);
            let after = self.search_captures(board);
            board.unmake_move();
            best = best.max(-after?.wdl);
            if best == Wdl::Win {
                return Some(Probed { wdl: best, by_zeroing: true });
            }
        }
        // The table is not needed if all moves were tried. It has the results of checkmate and
        // stalemate.
        let is_decided = tried > 0 && tried == legal.len();
        let wdl = if is_decided { best } else { self.table_wdl(board)? };
        if tried > 0 && best >= wdl {
            return Some(Probed { wdl: best, by_zeroing: best > Wdl::Draw || is_decided });
        }
        Some(Probed { wdl, by_zeroing: false })
    }

    fn table_wdl(&self, board: &Board) -> Option<Wdl> {
        if board.occupied().count() == 2 {
            return Some(Wdl::Draw);
        }
        self.query(board, Kind::Wdl, |table| table.wdl(board))
    }

    /// Returns [`Self::probe_dtz`] with its exactness.
    fn dtz(&self, board: &mut Board) -> Option<Distance> {
        if !self.may_have(board, usize::MAX) {
            return None;
        }
        let probed = self.search_moves(board, is_zeroing)?;
        let wdl = probed.wdl;
        if wdl == Wdl::Draw || probed.by_zeroing {
            return Some(before_zeroing(wdl));
        }
        match self.query(board, Kind::Dtz, |table| table.dtz(board, wdl))? {
            Dtz::Distance(Distance { plies, is_exact }) => {
                let plies = before_zeroing(wdl).plies + sign(wdl) * (plies - 1);
                Some(Distance { plies, is_exact })
            }
            Dtz::OtherSide => self.dtz_of_moves(board, wdl),
        }
    }

    /// Returns the best distance after a move, for a table of the other side to move.
    fn dtz_of_moves(&self, board: &mut Board, wdl: Wdl) -> Option<Distance> {
        let mut best: Option<Distance> = None;
        for mv in board.legal_moves() {
            let distance = self.dtz_after(board, mv)?;
            // The smallest number is the shortest win and the longest loss.
            if distance.plies.signum() == sign(wdl)
                && best.is_none_or(|best| distance.plies < best.plies)
            {
                best = Some(distance);
            }
        }
        // Checkmate: the tables count it as a reset of the clock.
        Some(best.unwrap_or(before_zeroing(Wdl::Loss)))
    }

    /// Returns the distance after a move from the mover's point of view.
    pub(super) fn dtz_after(&self, board: &mut Board, mv: Move) -> Option<Distance> {
        let is_zeroing = is_zeroing(board, mv);
        board.make_move(mv);
        let distance = if is_zeroing {
            self.probe_wdl(board).map(|wdl| before_zeroing(-wdl))
        } else if board.in_check() && !board.has_legal_move() {
            Some(before_zeroing(Wdl::Win))
        } else {
            self.dtz(board).map(|Distance { plies, is_exact }| Distance {
                plies: -plies - plies.signum(),
                is_exact,
            })
        };
        board.unmake_move();
        distance
    }
}

fn is_zeroing(board: &Board, mv: Move) -> bool {
    mv.is_capture() || board.pieces(PieceType::Pawn).contains(mv.from())
}

/// Returns the distance of a position whose best move resets the halfmove clock.
const fn before_zeroing(wdl: Wdl) -> Distance {
    let plies = match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -101,
        Wdl::Draw => 0,
        Wdl::CursedWin => 101,
        Wdl::Win => 1,
    };
    Distance { plies, is_exact: true }
}

const fn sign(wdl: Wdl) -> i32 {
    (wdl as i32).signum()
}
