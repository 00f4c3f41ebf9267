//! Layout: cutting, wrapping, escaping; durations and shares.

use std::time::Duration;

use super::quoted::visible;

/// Shortens a text with `…`, and makes it [`visible`].
pub(crate) fn short(text: &str, length: usize) -> String {
    let mut letters: Vec<char> = visible(text).chars().collect();
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

/// Wraps those lines of a text that are longer than `width` characters.
pub(crate) fn fitted(text: &str, width: usize) -> String {
    let fit = |line: &str| {
        let is_long = line.chars().count() > width;
        if is_long { wrapped(line, "", width) } else { vec![line.to_owned()] }
    };
    text.lines().flat_map(fit).collect::<Vec<_>>().join("\n")
}

/// Formats a duration: `0:30`, `1:01:01`.
pub(crate) fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Formats a share, from 0 to 1: `12.5 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_or_wrapped() {
        assert_eq!((short("abc", 3), short("abcd\u{7}", 3)), ("abc".to_owned(), "ab…".to_owned()));
        assert_eq!(wrapped("one two three", "  ", 9), ["  one two", "  three"]);
        assert_eq!(fitted("one two three\n  a  b\n", 9), "one two\nthree\n  a  b");
    }

    #[test]
    fn hours_are_shown_if_there_are_any() {
        let texts = [0, 62, 3599, 3661].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(texts, ["0:00", "1:02", "59:59", "1:01:01"]);
    }

    #[test]
    fn shares_have_a_decimal() {
        assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0 %", "12.5 %", "100.0 %"]);
    }
}
