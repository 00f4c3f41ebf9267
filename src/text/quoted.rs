//! Foreign text in messages and on a terminal: a message stays one short line, and no character
//! controls the terminal or the direction of the text.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::path::Path;

/// Displays input in single quotes, escaped and cut after 80 characters.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARS: usize = 80;
        f.write_char('\'')?;
        write_escaped(f, self.0, MAX_CHARS)?;
        f.write_char('\'')
    }
}

/// Displays the path of a file, escaped and cut after 1000 characters.
pub struct ShownPath<'a>(pub &'a Path);

impl fmt::Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARS: usize = 1000;
        write_escaped(f, &self.0.to_string_lossy(), MAX_CHARS)
    }
}

/// Replaces controls and characters without a sign of their own, such as direction marks, by their
/// code: `<U+202E>`. Line breaks and blanks stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let shown = |letter: char| {
        if is_hidden(letter) { format!("<U+{:04X}>", letter as u32) } else { letter.to_string() }
    };
    if text.chars().any(is_hidden) { text.chars().map(shown).collect() } else { text.into() }
}

fn is_hidden(letter: char) -> bool {
    match letter {
        '\n' | ' '..='~' => false,
        '\u{85}' | '\u{2028}' | '\u{2029}' => true,
        _ if letter.is_control() => true,
        _ if letter.is_whitespace() => false,
        // An accent is shown with the letter before it.
        _ => format!("a{letter}").escape_debug().nth(1) == Some('\\'),
    }
}

/// Returns a word of input, escaped and cut after 20 characters.
pub(crate) fn brief(word: &str) -> String {
    const MAX_CHARS: usize = 20;
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = write_escaped(&mut text, word, MAX_CHARS);
    text
}

fn write_escaped(out: &mut impl fmt::Write, text: &str, max_chars: usize) -> fmt::Result {
    for letter in text.chars().take(max_chars) {
        match letter {
            // Paths of Windows and apostrophes stay readable.
            '\\' | '\'' | '"' => out.write_char(letter)?,
            _ => write!(out, "{}", letter.escape_debug())?,
        }
    }
    if text.chars().nth(max_chars).is_some() { out.write_char('…') } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_on_one_line() {
        assert_eq!(Quoted("a\tb\u{1b}[2J").to_string(), r"'a\tb\u{1b}[2J'");
        assert_eq!(Quoted(r"C:\what's new").to_string(), r"'C:\what's new'");
        assert_eq!(ShownPath(Path::new("a\x1b/b\n")).to_string(), r"a\u{1b}/b\n");
        let long = "x".repeat(100_000);
        assert_eq!(Quoted(&long).to_string().chars().count(), 83);
        assert_eq!(ShownPath(Path::new(&long)).to_string().chars().count(), 1001);
        assert_eq!((brief("a\tb"), brief(&long).chars().count()), (r"a\tb".to_owned(), 21));
    }

    #[test]
    fn hidden_characters_are_shown_by_their_code() {
        assert_eq!(
            visible("a\u{202e}b\x1b[2J\u{9b}\u{ffff}"),
            "a<U+202E>b<U+001B>[2J<U+009B><U+FFFF>"
        );
        for text in ["a line\nand another", "Gru\u{308}nfeld 象棋 ♘\u{a0}x", "\u{fffd}"] {
            assert!(matches!(visible(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
