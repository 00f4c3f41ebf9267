//! Parts of the JSON lines that several tools write. docs/json.md explains them.

use serde::{Deserialize, Serialize};

use crate::types::Score;

/// Version of all records; changes only if a field is removed or changes its meaning.
const VERSION: u32 = 1;

/// Score: `{"cp": 31}` or `{"mate": -3}`.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScoreRecord {
    /// Hundredths of a pawn, normalised.
    Cp(i32),
    /// Moves until mate, negative for the side that is mated.
    Mate(i32),
}

impl ScoreRecord {
    /// Takes a normalised score from White's view.
    pub(super) fn for_white(score: Score) -> Self {
        score.mate_moves().map_or(Self::Cp(score.0), Self::Mate)
    }

    /// Returns the score. What was read may have any number.
    pub(crate) fn score(self) -> Score {
        /// Longest mate in moves.
        const LONGEST: i32 = 120;
        match self {
            Self::Cp(hundredths) => Score(hundredths).clamp_to_eval(),
            Self::Mate(moves) if moves > 0 => Score::mate_in(2 * moves.min(LONGEST) as usize - 1),
            Self::Mate(moves) => Score::mated_in(2 * -moves.max(-LONGEST) as usize),
        }
    }
}

/// Rounds to hundredths.
pub fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Returns a record as a line, which begins with the version and the record's type. It has no
/// control characters, so that it can be shown on a terminal.
pub fn line<T: Serialize>(kind: &'static str, record: &T) -> String {
    #[derive(Serialize)]
    struct Line<'a, T> {
        v: u32,
        #[serde(rename = "type")]
        kind: &'static str,
        #[serde(flatten)]
        record: &'a T,
    }
    let line = Line { v: VERSION, kind, record };
    let text = serde_json::to_string(&line).expect("all keys are text");
    // Those that JSON allows stand in strings, such as the names of files.
    let escaped = |letter: char| match letter {
        '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", letter as u32),
        _ => letter.to_string(),
    };
    if text.chars().any(char::is_control) { text.chars().map(escaped).collect() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_control_characters() {
        let file = "a\u{1b}\u{7f}\u{9b}é\n";
        let text = line("game", &serde_json::json!({ "file": file }));
        assert!(text.ends_with(r#""file":"a\u001b\u007f\u009bé\n"}"#), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read["file"], file);
    }
}
