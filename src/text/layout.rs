//! Layout: cutting, wrapping, escaping.

/// Shortens a text with `…`, without control characters.
pub(crate) fn short(text: &str, length: usize) -> String {
    let mut letters: Vec<char> = text.chars().filter(|letter| !letter.is_control()).collect();
    if letters.len() > length {
        letters.truncate(length.saturating_sub(1));
        letters.push('…');
    }
    letters.into_iter().collect()
}

/// Escapes text for XML and HTML.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// Wraps words into lines of at most `width` characters, each after an indent.
pub(crate) fn wrapped(text: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_or_wrapped() {
        assert_eq!((short("abc", 3), short("abcd\n", 3)), ("abc".to_owned(), "ab…".to_owned()));
        assert_eq!(wrapped("one two three", "  ", 9), ["  one two", "  three"]);
    }
}
