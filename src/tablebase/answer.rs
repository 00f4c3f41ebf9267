//! Answer to a look-up: results of a position and its moves, with their words.

use std::cmp::Reverse;
use std::fmt;

use crate::board::Board;

use super::ranking::KnownMove;
use super::{Tablebases, Wdl};

/// Results of a position and its moves, all for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablebaseAnswer {
    /// Result with the halfmove clock, if the moves are known; otherwise with a clock of zero.
    pub wdl: Wdl,
    /// Distance as in [`Tablebases::probe_dtz`]; `None` if only WDL tables are available.
    pub dtz: Option<i32>,
    /// Results of all legal moves, best first; empty if one of them is unknown.
    pub moves: Vec<KnownMove>,
}

impl Tablebases {
    /// Looks a position and its moves up. With `fifty_moves` the fifty-move rule applies to the
    /// moves. `None` if no valid WDL table has the position.
    pub fn answer(&self, board: &Board, fifty_moves: bool) -> Option<TablebaseAnswer> {
        let probed = self.probe_wdl(&mut board.clone())?;
        let dtz = self.probe_dtz(&mut board.clone());
        let mut moves =
            self.known_moves(board, &board.legal_moves(), fifty_moves).unwrap_or_default();
        moves.sort_by_key(|known| Reverse(known.rank()));
        // The results of the moves allow for the halfmove clock.
        let wdl = moves.first().map_or(probed, |best| best.wdl);
        Some(TablebaseAnswer { wdl, dtz, moves })
    }
}

impl TablebaseAnswer {
    /// Returns the result of the position, then a row for each move in SAN.
    pub fn table(&self, board: &Board) -> String {
        let Self { wdl, dtz, moves } = self;
        let side = board.side_to_move();
        let mut table = format!("{side} to move: {wdl}, DTZ {}\n", distance(*dtz));
        if !moves.is_empty() {
            table += &format!("\n  {:<8} {:>5}  result for {side}\n", "move", "DTZ");
        }
        for KnownMove { mv, wdl, dtz } in moves {
            table += &format!("  {:<8} {:>5}  {wdl}\n", board.san(*mv), distance(*dtz));
        }
        table + "\nDTZ: plies to the next capture or pawn move that keeps the result"
    }
}

fn distance(dtz: Option<i32>) -> String {
    dtz.map_or("-".to_owned(), |plies| plies.abs().to_string())
}

impl Wdl {
    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::CursedWin => "cursed-win",
            Self::Draw => "draw",
            Self::BlessedLoss => "blessed-loss",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CursedWin => "draw by the fifty-move rule, else a win",
            Self::BlessedLoss => "draw by the fifty-move rule, else a loss",
            Self::Win | Self::Draw | Self::Loss => self.name(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_words_and_distances() {
        let board = Board::from_fen("8/8/8/3k4/8/8/3KQ3/8 b - - 0 1").expect("legal");
        let known =
            |san: &str, wdl, dtz| KnownMove { mv: board.parse_san(san).expect("legal"), wdl, dtz };
        let moves = vec![known("Kd6", Wdl::BlessedLoss, Some(-14)), known("Kc5", Wdl::Loss, None)];
        let answer = TablebaseAnswer { wdl: Wdl::BlessedLoss, dtz: Some(-14), moves };
        assert_eq!(
            answer.table(&board),
            "Black to move: draw by the fifty-move rule, else a loss, DTZ 14\n\n  \
               move       DTZ  result for Black\n  \
               Kd6         14  draw by the fifty-move rule, else a loss\n  \
               Kc5          -  loss\n\n\
             DTZ: plies to the next capture or pawn move that keeps the result"
        );
    }
}
