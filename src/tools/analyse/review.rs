//! Judgement of a game whose positions somebody else has searched, such as the engine of a page.

use serde::Serialize;
use thiserror::Error;

use crate::eval::chances::Chances;
use crate::pgn::PgnGame;
use crate::types::{Depth, Move, Score};

use super::analysis::{Evaluation, GameAnalysis};
use super::annotate::annotate;
use super::records::GameRecord;

/// Best line of a position, from the point of view of the side to move.
#[derive(Clone, Debug)]
pub struct FoundLine {
    /// Normalised, as in the lines of `info`.
    pub score: Score,
    /// Probabilities of the results.
    pub chances: Chances,
    /// Moves that are legal from the position.
    pub line: Vec<Move>,
    /// Depth of the search.
    pub depth: Depth,
    /// Nodes of the search.
    pub nodes: u64,
}

/// Reason why a game cannot be reviewed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum ReviewError {
    /// A position in which the game goes on has no line; the number counts from 0.
    #[error("position {0} has not been searched")]
    NotSearched(usize),
    /// The game has another number of positions.
    #[error("{found} positions instead of {expected}")]
    Count {
        /// Number of positions given.
        found: usize,
        /// Number of positions of the game.
        expected: usize,
    },
}

/// Judges a game and annotates it as `analyse` does. Returns the record of `analyse --json`, which
/// docs/json.md describes.
///
/// `found` has an entry for each position of the game; those in which the game is over need no
/// line.
///
/// # Errors
/// If a line is missing.
pub fn review(
    game: &mut PgnGame,
    found: &[Option<FoundLine>],
    annotator: &str,
) -> Result<impl Serialize + use<>, ReviewError> {
    let moves = &game.line.moves;
    let expected = moves.len() + 1;
    if found.len() != expected {
        return Err(ReviewError::Count { found: found.len(), expected });
    }
    let mut board = game.start.clone();
    let mut positions = Vec::new();
    for (index, found) in found.iter().enumerate() {
        let is_last = index == moves.len();
        let side = board.side_to_move();
        let searched = || {
            found.as_ref().map(|found| Evaluation {
                score: found.score.for_white(side),
                chances: found.chances.for_white(side),
                line: found.line.clone(),
                other_lines: Vec::new(),
                depth: found.depth,
                nodes: found.nodes,
            })
        };
        let position = Evaluation::of_end(&board, is_last).or_else(searched);
        positions.push(position.ok_or(ReviewError::NotSearched(index))?);
        if let Some(played) = moves.get(index) {
            board.make_move_or_null(played.mv);
        }
    }
    let analysis = GameAnalysis::new(game, positions);
    let record = serde_json::to_value(GameRecord::new(None, game, &analysis));
    annotate(game, &analysis, annotator);
    Ok(record.expect("all keys are text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Reader;
    use crate::search::Limits;
    use crate::tools::analyse::analysis::analyse;
    use crate::tools::analyser::{Analyser, SearchSetup};
    use crate::types::Color;

    fn game(text: &str) -> PgnGame {
        Reader::new(text.as_bytes()).next().expect("a game").expect("legal")
    }

    #[test]
    fn a_review_equals_the_analysis_with_the_same_lines() {
        let text = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let setup = SearchSetup::new(limits, 1, 1);
        let mut analysed = game(text);
        let mut analyser = Analyser::new(&setup).expect("a megabyte");
        let analysis = analyse(&mut analyser, &analysed, &mut |_, _| {});
        let record =
            serde_json::to_value(GameRecord::new(None, &analysed, &analysis)).expect("text");
        annotate(&mut analysed, &analysis, "Tabia");

        let mut side = Color::White;
        let own_view = |position: &Evaluation| {
            let found = FoundLine {
                score: position.score.for_white(side),
                chances: position.chances.for_white(side),
                line: position.line.clone(),
                depth: position.depth,
                nodes: position.nodes,
            };
            side = !side;
            Some(found)
        };
        let mut found: Vec<_> = analysis.positions.iter().map(own_view).collect();
        // The mate on the board needs none.
        *found.last_mut().expect("positions") = None;
        let mut reviewed = game(text);
        let review = review(&mut reviewed, &found, "Tabia").expect("all positions");
        assert_eq!(serde_json::to_value(review).expect("text"), record);
        assert_eq!(reviewed.to_string(), analysed.to_string());
    }

    #[test]
    fn missing_lines_are_errors() {
        let mut game = game("1. e4 *");
        let mut error = |found: &[_]| review(&mut game, found, "").err();
        assert_eq!(error(&[None]), Some(ReviewError::Count { found: 1, expected: 2 }));
        assert_eq!(error(&[None, None]), Some(ReviewError::NotSearched(0)));
    }
}
