//! Adds an analysis to its game.

use crate::eval::chances::score_text;
use crate::pgn::{GameMove, PgnGame, PgnLine};
use crate::types::{Move, Score};

use super::analysis::GameAnalysis;

/// Maximum plies of a variation.
const LINE_PLIES: usize = 10;

/// Command of a comment that holds a score. Source:
/// <https://www.chessprogramming.org/Portable_Game_Notation#Comment_Commands>
const COMMAND: &str = "[%eval ";

/// Adds a score to each move, a NAG and the better line to each bad move, and the opening. Only the
/// scores of an earlier analysis are replaced.
pub(super) fn annotate(game: &mut PgnGame, analysis: &GameAnalysis, annotator: &str) {
    if game.tags.get("Annotator").is_none() {
        game.tags.set("Annotator", annotator);
    }
    if let Some(opening) = analysis.opening
        && ["ECO", "Opening"].into_iter().all(|name| game.tags.get(name).is_none())
    {
        game.tags.set("ECO", &opening.eco);
        game.tags.set("Opening", &opening.name);
    }
    let pairs = analysis.positions.windows(2).zip(&analysis.moves);
    for (played, (pair, judged)) in game.line.moves.iter_mut().zip(pairs) {
        let [before, after] = pair else { continue };
        set_score(&mut played.comments, after.score);
        if let Some(judgement) = judged.judgement {
            add_nag(played, judgement.nag());
            add_variation(played, before.score, &before.line);
            for (score, line) in &before.other_lines {
                add_variation(played, *score, line);
            }
        }
    }
}

/// Adds a judgement unless the move has one: NAGs 1 to 6.
fn add_nag(played: &mut GameMove, nag: u16) {
    if !played.nags.iter().any(|known| (1..=6).contains(known)) {
        played.nags.insert(0, nag);
    }
}

/// Adds a line with its score, unless the move has it or begins it.
fn add_variation(played: &mut GameMove, score: Score, line: &[Move]) {
    let known = |variation: &PgnLine| {
        let moves: Vec<Option<Move>> = variation.moves.iter().map(|known| known.mv).collect();
        let better: Vec<Option<Move>> = line.iter().map(|&mv| Some(mv)).collect();
        moves.starts_with(&better) || better.starts_with(&moves)
    };
    if line.is_empty() || line.first().copied() == played.mv || played.variations.iter().any(known)
    {
        return;
    }
    let moves = line.iter().take(LINE_PLIES).map(|&mv| GameMove::new(Some(mv)));
    let mut variation = PgnLine { comments: Vec::new(), moves: moves.collect() };
    if let Some(first) = variation.moves.first_mut() {
        set_score(&mut first.comments, score);
    }
    played.variations.push(variation);
}

fn set_score(comments: &mut Vec<String>, score: Score) {
    for comment in comments.iter_mut() {
        *comment = without_score(comment);
    }
    comments.retain(|comment| !comment.is_empty());
    // A mate on the board needs no score.
    if score.mate_moves() == Some(0) {
        return;
    }
    let score = format!("{COMMAND}{}]", score_text(score).trim_start_matches('+'));
    match comments.first_mut() {
        Some(first) => *first = format!("{score} {first}"),
        None => comments.push(score),
    }
}

fn without_score(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once(COMMAND) else { return comment.to_owned() };
    let Some((_, after)) = rest.split_once(']') else { return comment.to_owned() };
    format!("{} {}", before.trim_end(), after.trim_start()).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_replace_those_of_an_earlier_analysis() {
        for (comment, expected) in [
            ("[%eval 0.31] [%clk 0:01]", "[%clk 0:01]"),
            ("good [%eval #-3] move", "good move"),
            ("[%eval 1.0]", ""),
            ("[%eval broken", "[%eval broken"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_score(comment), expected);
        }
    }
}
