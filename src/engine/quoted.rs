//! Quoting of input in messages.

use std::fmt;

/// Displays input in single quotes, escaped and cut after 80 characters, so that a message stays
/// one short line.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARS: usize = 80;
        let shown: String = self.0.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
        let rest = if self.0.chars().nth(MAX_CHARS).is_some() { "…" } else { "" };
        write!(f, "'{shown}{rest}'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_on_one_line() {
        assert_eq!(Quoted("a\tb\u{1b}[2J").to_string(), r"'a\tb\u{1b}[2J'");
        let long = "x".repeat(100_000);
        assert_eq!(Quoted(&long).to_string().chars().count(), 83);
    }
}
