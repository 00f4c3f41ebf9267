//! Quoting of input in messages.

use std::fmt::{self, Write as _};

/// Displays input in single quotes, escaped and cut after 80 characters, so that a message stays
/// one short line.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARS: usize = 80;
        f.write_char('\'')?;
        for letter in self.0.chars().take(MAX_CHARS) {
            match letter {
                // Paths of Windows and apostrophes stay readable.
                '\\' | '\'' | '"' => f.write_char(letter)?,
                _ => write!(f, "{}", letter.escape_debug())?,
            }
        }
        let rest = if self.0.chars().nth(MAX_CHARS).is_some() { "…" } else { "" };
        write!(f, "{rest}'")
    }
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
    }
}
