//! What each of a position's moves leads to.

use super::table::Distance;
use super::{Tablebases, Wdl};
use crate::board::Board;
use crate::types::Move;

/// From so many plies without capture or pawn move on, a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// Of a game that is over as a draw.
const DRAWN: Distance = Distance { plies: 0, is_exact: true };

/// What the tables say of a move at the root, for the side that plays it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KnownMove {
    /// The move.
    pub mv: Move,
    /// The result it leads to; without the distance as if the game's counter stood at zero after the move.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move that keeps the result, as [`Tablebases::probe_dtz`] counts them, or
    /// `None` where only the results are known.
    pub dtz: Option<i32>,
}

impl KnownMove {
    /// The better a move, the higher: first the result, then sooner for wins and later for losses. Who always plays
    /// one of the highest rank wins what is won.
    pub fn rank(&self) -> (Wdl, i32) {
        (self.wdl, -self.dtz.unwrap_or(0))
    }
}

impl Tablebases {
    /// The results of these moves, the game's counter and repetitions considered; with `fifty_moves` false as if there
    /// were no fifty-move rule. Where a DTZ table is missing or damaged, they come without distances and counter;
    /// `None` where a WDL table is, too.
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
        let is_over = is_drawn(board, fifty_moves);
        let clock = i32::from(board.halfmove_clock());
        board.unmake_move();
        let Distance { plies, is_exact } = if is_over { DRAWN } else { self.dtz_after(board, mv)? };
        // The counter runs from before the move on, unless the move resets it.
        let before = if clock == 0 { 0 } else { clock - 1 };
        // In doubt nothing counts as won.
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

/// Whether the game is over by one of the rules about drawn games that tables know nothing of.
fn is_drawn(board: &Board, fifty_moves: bool) -> bool {
    board.is_threefold() || fifty_moves && board.is_fifty_move_draw()
}
