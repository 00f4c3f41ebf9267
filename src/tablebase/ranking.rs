//! Results of root moves.

use crate::board::Board;
use crate::types::Move;

use super::table::Distance;
use super::{Tablebases, Wdl};

/// Halfmove clock of a draw, in plies.
const FIFTY_MOVES: i32 = 100;

const DRAWN: Distance = Distance { plies: 0, is_exact: true };

/// Tablebase result of a root move, from the mover's point of view.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KnownMove {
    /// The root move.
    pub mv: Move,
    /// Result after the move. Without `dtz` it assumes a halfmove clock of zero after the move.
    pub wdl: Wdl,
    /// Distance as in [`Tablebases::probe_dtz`]; `None` if only WDL tables are available.
    pub dtz: Option<i32>,
}

impl KnownMove {
    /// Returns the rank of the move: by result, then shorter wins and longer losses.
    ///
    /// With distances, playing only moves of the highest rank wins every won position. Without
    /// them, all moves with one result have one rank.
    pub fn rank(&self) -> (Wdl, i32) {
        (self.wdl, -self.dtz.unwrap_or(0))
    }
}

impl Tablebases {
    /// Returns the results of these moves. A third repetition is a draw. With `fifty_moves` the
    /// fifty-move rule applies.
    ///
    /// Without valid DTZ tables the results have no distances and ignore the clock. `None` without
    /// valid WDL tables, or if a move leaves castling rights.
    pub fn known_moves(
        &self,
        board: &Board,
        moves: &[Move],
        fifty_moves: bool,
    ) -> Option<Vec<KnownMove>> {
        let mut board = board.clone();
        let mut all = |by: fn(&Self, &mut Board, Move, bool) -> Option<KnownMove>| {
            moves.iter().map(|&mv| by(self, &mut board, mv, fifty_moves)).collect::<Option<_>>()
        };
        all(Self::by_distance).or_else(|| all(Self::by_result))
    }

    fn by_distance(&self, board: &mut Board, mv: Move, fifty_moves: bool) -> Option<KnownMove> {
        board.make_move(mv);
        // The fifty-move rule is part of the distance below.
        let is_over = board.is_threefold();
        let clock = i32::from(board.halfmove_clock());
        board.unmake_move();
        let Distance { plies, is_exact } = if is_over { DRAWN } else { self.dtz_after(board, mv)? };
        // The clock before the move still counts, unless the move resets it.
        let before = if clock == 0 { 0 } else { clock - 1 };
        // An inexact distance may be one ply longer.
        let doubt = i32::from(plies > 0 && !is_exact);
        let is_in_time = !fifty_moves || plies.abs() + doubt + before <= FIFTY_MOVES;
        let wdl = match (plies.signum(), is_in_time) {
            (0, _) => Wdl::Draw,
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (_, true) => Wdl::Loss,
            (_, false) => Wdl::BlessedLoss,
        };
        Some(KnownMove { mv, wdl, dtz: Some(plies) })
    }

    fn by_result(&self, board: &mut Board, mv: Move, fifty_moves: bool) -> Option<KnownMove> {
        board.make_move(mv);
        let wdl =
            if is_drawn(board, fifty_moves) { Some(Wdl::Draw) } else { self.probe_wdl(board) };
        board.unmake_move();
        let wdl = match -wdl? {
            Wdl::CursedWin if !fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !fifty_moves => Wdl::Loss,
            wdl => wdl,
        };
        Some(KnownMove { mv, wdl, dtz: None })
    }
}

/// Returns whether the move ends the game by a draw rule that the tables do not cover.
fn is_drawn(board: &Board, fifty_moves: bool) -> bool {
    board.is_threefold() || fifty_moves && board.is_fifty_move_draw()
}
