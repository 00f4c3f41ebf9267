//! Suggestions for misspelt words.

/// Longer words get no suggestion: comparing takes time in proportion to the length.
const MAX_BYTES: usize = 64;

/// Returns the only candidate that starts with `word`, or else the most similar one, if at most a
/// third of its letters differ. Dashes before the word do not count.
pub(crate) fn suggest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if word.len() > MAX_BYTES {
        return None;
    }
    let word = word.trim_start_matches('-').to_lowercase();
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let mut extensions = candidates.iter().filter(|c| c.to_lowercase().starts_with(&word));
    if !word.is_empty()
        && let (Some(only), None) = (extensions.next(), extensions.next())
    {
        return Some(only);
    }
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(&word, &c.to_lowercase()), c))
        .filter(|(distance, c)| distance * 3 <= c.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_words_are_suggested() {
        let words = ["help", "quit", "position", "go", "Move Overhead"];
        for (word, suggestion) in [
            ("HELP", Some("help")),
            ("q", Some("quit")),
            ("qiut", Some("quit")),
            ("exit", None),
            ("--help", Some("help")),
            ("postion", Some("position")),
            ("move overhaed", Some("Move Overhead")),
            ("joho", None),
            ("", None),
        ] {
            assert_eq!(suggest(word, words), suggestion, "{word}");
        }
        let long = "x".repeat(MAX_BYTES);
        assert_eq!(suggest(&long, [long.as_str()]), Some(long.as_str()));
        assert_eq!(suggest(&format!("{long}x"), [format!("{long}x").as_str()]), None);
    }
}
