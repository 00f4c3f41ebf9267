//! Quoting of input in messages, so that a message stays one short line.

use std::fmt::{self, Write as _};

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
        let long = "x".repeat(100_000);
        assert_eq!(Quoted(&long).to_string().chars().count(), 83);
        assert_eq!((brief("a\tb"), brief(&long).chars().count()), (r"a\tb".to_owned(), 21));
    }
}
