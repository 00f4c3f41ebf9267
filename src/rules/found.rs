//! Lines that an engine found in the positions of a game.

use serde::Deserialize;

use crate::board::Board;
use crate::eval::chances::Chances;
use crate::pgn::PgnGame;
use crate::tools::analyse::FoundLine;
use crate::tools::json::ScoreRecord;
use crate::types::Depth;

use super::last_position;

/// Best line of a position in the words of `info`, from the point of view of the side to move.
#[derive(Deserialize)]
pub(super) struct Found {
    score: ScoreRecord,
    wdl: [u32; 3],
    pv: Vec<String>,
    depth: Depth,
    nodes: u64,
}

/// Parses what was found in the positions of a game, in their order.
pub(super) fn parsed(
    game: &PgnGame,
    found: Vec<Option<Found>>,
) -> Result<Vec<Option<FoundLine>>, String> {
    let mut board = game.start.clone();
    let mut moves = game.line.moves.iter();
    found
        .into_iter()
        .map(|found| {
            let line = found.map(|found| found.line(&board)).transpose();
            if let Some(played) = moves.next() {
                board.make_move_or_null(played.mv);
            }
            line
        })
        .collect()
}

impl Found {
    fn line(self, board: &Board) -> Result<FoundLine, String> {
        let [win, draw, loss] = self.wdl;
        Ok(FoundLine {
            score: self.score.score(),
            chances: Chances { win, draw, loss },
            line: last_position::parsed(board, &self.pv)?.into_iter().flatten().collect(),
            depth: self.depth,
            nodes: self.nodes,
        })
    }
}
