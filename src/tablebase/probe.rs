//! What the tables say of a position.
//!
//! The tables leave open what a capture decides (and DTZ tables what a pawn move decides), because such values compress
//! better. So those moves are looked at first.

use super::table::{Distance, Dtz, Kind};
use super::{Tablebases, Wdl};
use crate::board::Board;
use crate::types::{Move, PieceType};

/// A result, and whether a move that resets the fifty-move counter reaches it.
#[derive(Copy, Clone)]
struct Probed {
    wdl: Wdl,
    by_zeroing: bool,
}

impl Tablebases {
    /// Who wins, as if the fifty-move counter stood at zero. `None` if a table is missing or damaged, or there are
    /// castling rights.
    pub fn probe_wdl(&self, board: &mut Board) -> Option<Wdl> {
        if !self.may_have(board, usize::MAX) {
            return None;
        }
        Some(self.with_captures(board)?.wdl)
    }

    /// Plies to the next capture or pawn move that keeps the result: positive for a win, negative for a loss, 0 for a
    /// draw; 100 more, away from zero, for results that the fifty-move rule spoils. Some values are one too small, as
    /// many tables count in moves. `None` as for [`Self::probe_wdl`]; and of a side that is mated, the distance is -1.
    pub fn probe_dtz(&self, board: &mut Board) -> Option<i32> {
        if !self.may_have(board, usize::MAX) {
            return None;
        }
        self.dtz(board).map(|distance| distance.plies)
    }

    /// The result, by captures or by the table.
    fn with_captures(&self, board: &mut Board) -> Option<Probed> {
        self.with_moves(board, |_, mv| mv.is_capture())
    }

    /// The result, by these moves or by the table.
    fn with_moves(&self, board: &mut Board, is_tried: fn(&Board, Move) -> bool) -> Option<Probed> {
        let legal = board.legal_moves();
        let mut best = Wdl::Loss;
        let mut tried = 0;
        for &mv in &legal {
            if !is_tried(board, mv) {
                continue;
            }
            tried += 1;
            board.make_move(mv);
            let after = self.with_captures(board);
            board.unmake_move();
            best = best.max(-after?.wdl);
            if best == Wdl::Win {
                return Some(Probed { wdl: best, by_zeroing: true });
            }
        }
        // Without another move the table has nothing to add; with none at all, the position is mate or stalemate.
        let decided = tried > 0 && tried == legal.len();
        let wdl = if decided { best } else { self.table_wdl(board)? };
        if tried > 0 && best >= wdl {
            return Some(Probed { wdl: best, by_zeroing: best > Wdl::Draw || decided });
        }
        Some(Probed { wdl, by_zeroing: false })
    }

    fn table_wdl(&self, board: &Board) -> Option<Wdl> {
        if board.occupied().count() == 2 {
            return Some(Wdl::Draw);
        }
        self.ask(board, Kind::Wdl, |table| table.wdl(board))
    }

    /// [`Self::probe_dtz`] of a position that a table may have.
    fn dtz(&self, board: &mut Board) -> Option<Distance> {
        let probed = self.with_moves(board, is_zeroing)?;
        let wdl = probed.wdl;
        if wdl == Wdl::Draw || probed.by_zeroing {
            return Some(before_zeroing(wdl));
        }
        match self.ask(board, Kind::Dtz, |table| table.dtz(board, wdl))? {
            Dtz::Distance(Distance { plies, is_exact }) => {
                let plies = before_zeroing(wdl).plies + sign(wdl) * (plies - 1);
                Some(Distance { plies, is_exact })
            }
            Dtz::OtherSide => self.dtz_of_moves(board, wdl),
        }
    }

    /// The distance of a position that only has a table for the other side to move: one ply further than the best move.
    fn dtz_of_moves(&self, board: &mut Board, wdl: Wdl) -> Option<Distance> {
        let mut best: Option<Distance> = None;
        for mv in board.legal_moves() {
            let distance = self.dtz_after(board, mv)?;
            // Of a loss the longest, which is the least number, as of a win the shortest.
            if distance.plies.signum() == sign(wdl)
                && best.is_none_or(|best| distance.plies < best.plies)
            {
                best = Some(distance);
            }
        }
        // Mated: the tables count the mate as a reset of the counter.
        Some(best.unwrap_or(before_zeroing(Wdl::Loss)))
    }

    /// The distance if this move is played, for the side that plays it.
    pub(super) fn dtz_after(&self, board: &mut Board, mv: Move) -> Option<Distance> {
        let is_zeroing = is_zeroing(board, mv);
        board.make_move(mv);
        let distance = if is_zeroing {
            self.with_captures(board).map(|probed| before_zeroing(-probed.wdl))
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

/// Whether a move resets the fifty-move counter.
fn is_zeroing(board: &Board, mv: Move) -> bool {
    mv.is_capture() || board.pieces(PieceType::Pawn).contains(mv.from())
}

/// The distance of a position where the best move resets the counter.
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
