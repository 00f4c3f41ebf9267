//! Lines that an engine found in the positions of a game.

use serde::Deserialize;

use crate::board::Board;
use crate::eval::chances::Chances;
use crate::pgn::PgnGame;
use crate::tools::analyse::FoundLine;
use crate::types::{Depth, Score};

use super::last_position;

/// Best line of a position in the words of `info`, from the point of view of the side to move.
#[derive(Deserialize)]
pub(super) struct Found {
    score: UciScore,
    wdl: [u32; 3],
    pv: Vec<String>,
    depth: Depth,
    nodes: u64,
}

/// Score as UCI has it: hundredths of a pawn, normalised, or moves until mate.
#[derive(Copy, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum UciScore {
    Cp(i32),
    Mate(i32),
}

impl UciScore {
    pub(super) fn score(self) -> Score {
        /// Longest mate in moves. A page may send any number.
        const LONGEST: i32 = 120;
        match self {
            Self::Cp(hundredths) => Score(hundredths).clamp_to_eval(),
            Self::Mate(moves) if moves > 0 => Score::mate_in(2 * moves.min(LONGEST) as usize - 1),
            Self::Mate(moves) => Score::mated_in(2 * -moves.max(-LONGEST) as usize),
        }
    }
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
