//! Which moves to play where the tables know the result.

use super::{Tablebases, Wdl};
use crate::board::Board;
use crate::types::Move;

/// From so many plies without capture or pawn move on, a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// What the tables say of the moves at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMoves {
    /// The moves that keep the result; of a win, those that get on with it fastest, so that it is won in the end.
    pub best: Vec<Move>,
    /// The result that they keep, the game's counter considered.
    pub wdl: Wdl,
    /// How many moves were looked up.
    pub probes: u64,
}

impl Tablebases {
    /// The best of these moves by distance, the game's counter and repetitions considered; with `fifty_moves` false as if
    /// there were no fifty-move rule. `None` if a table is missing or damaged: then all moves are equal.
    pub fn best_moves(
        &self,
        board: &Board,
        moves: &[Move],
        fifty_moves: bool,
    ) -> Option<RootMoves> {
        let mut board = board.clone();
        let mut ranked = Vec::new();
        for &mv in moves {
            ranked.push((self.rank(&mut board, mv, fifty_moves)?, mv));
        }
        let rank = ranked.iter().map(|&(rank, _)| rank).max()?;
        let best = ranked.iter().filter(|(own, _)| *own == rank).map(|&(_, mv)| mv).collect();
        Some(RootMoves { best, wdl: rank.0, probes: moves.len() as u64 })
    }

    /// The better a move, the higher: first the result, then sooner for wins and later for losses.
    fn rank(&self, board: &mut Board, mv: Move, fifty_moves: bool) -> Option<(Wdl, i32)> {
        board.make_move(mv);
        let is_over = board.is_threefold() || fifty_moves && board.is_fifty_move_draw();
        let clock = i32::from(board.halfmove_clock());
        board.unmake_move();
        let plies = if is_over { 0 } else { self.dtz_after(board, mv)? };
        // The counter runs from before the move on, unless the move resets it.
        let before = if clock == 0 { 0 } else { clock - 1 };
        let is_in_time = !fifty_moves || plies.abs() + before <= FIFTY_MOVES;
        let result = match (plies.signum(), is_in_time) {
            (0, _) => Wdl::Draw,
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (_, true) => Wdl::Loss,
            (_, false) => Wdl::BlessedLoss,
        };
        Some((result, -plies))
    }
}
