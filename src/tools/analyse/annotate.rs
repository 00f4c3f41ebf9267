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

/// Begins the sentences on a move, so that a later analysis can replace them.
const AUTHOR: &str = "Tabia: ";

/// Adds a score to each move, a NAG and the better line to each bad move with the sentences on it,
/// and the opening. Scores of an earlier analysis are replaced, and so are its sentences if there
/// are new ones.
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
        if let Some(words) = &judged.words {
            set_words(&mut played.comments, words);
        }
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

fn set_words(comments: &mut Vec<String>, words: &[String]) {
    for comment in comments.iter_mut() {
        *comment = without_words(comment);
    }
    comments.retain(|comment| !comment.is_empty());
    if !words.is_empty() {
        comments.insert(0, format!("{AUTHOR}{}", words.join(" ")));
    }
}

/// Removes sentences at the beginning of a comment or after a command, up to the next command.
fn without_words(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once(AUTHOR) else { return comment.to_owned() };
    let before = before.trim_end();
    if !before.is_empty() && !before.ends_with(']') {
        return comment.to_owned();
    }
    let after = rest.find("[%").map_or("", |at| &rest[at..]);
    format!("{before} {after}").trim().to_owned()
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

    #[test]
    fn sentences_replace_those_of_an_earlier_analysis() {
        for (comment, expected) in [
            ("Tabia: Loses a rook: 3... Qxa1.", ""),
            ("[%eval 0.31] Tabia: Allows mate in 1: 3... Qxf2#.", "[%eval 0.31]"),
            ("[%eval 0.31] Tabia: Loses a rook. [%clk 0:01] why", "[%eval 0.31] [%clk 0:01] why"),
            ("played as in Tabia: the opening", "played as in Tabia: the opening"),
        ] {
            assert_eq!(without_words(comment), expected);
        }
        let mut comments = vec!["[%clk 0:01]".to_owned()];
        for words in [&["One.".to_owned(), "Two.".to_owned()][..], &["Three.".to_owned()], &[]] {
            set_words(&mut comments, words);
            set_score(&mut comments, Score(31));
            let words = words.join(" ");
            let expected: &[&str] = match words.as_str() {
                "One. Two." => &["[%eval 0.31] Tabia: One. Two.", "[%clk 0:01]"],
                "Three." => &["[%eval 0.31] Tabia: Three.", "[%clk 0:01]"],
                _ => &["[%eval 0.31] [%clk 0:01]"],
            };
            assert_eq!(comments, expected);
        }
    }
}
