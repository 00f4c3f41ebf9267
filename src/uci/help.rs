//! Layout of help pages for a terminal of 80 columns.

use std::fmt::Write as _;

/// Column at which the explanations start.
const COLUMN: usize = 26;
const WIDTH: usize = 80;

/// Appends a section with a row for each usage; a long usage has its explanation on the next line.
pub(super) fn add_section(
    page: &mut String,
    title: &str,
    rows: impl IntoIterator<Item = (String, String)>,
) {
    let _ = write!(page, "\n{title}:\n");
    for (usage, help) in rows {
        let usage = format!("  {}", usage.trim_end());
        if usage.chars().count() + 1 < COLUMN {
            let _ = writeln!(page, "{usage:<COLUMN$}{help}");
        } else {
            let _ = writeln!(page, "{usage}\n{:COLUMN$}{help}", "");
        }
    }
}

/// Appends words separated by commas, wrapped.
pub(super) fn add_words<'a>(page: &mut String, words: impl IntoIterator<Item = &'a str>) {
    let mut line = String::from(" ");
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let comma = if words.peek().is_some() { "," } else { "" };
        if line.chars().count() + word.chars().count() + 2 > WIDTH {
            let _ = writeln!(page, "{line}");
            line = String::from(" ");
        }
        let _ = write!(line, " {word}{comma}");
    }
    let _ = writeln!(page, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_aligned() {
        let mut page = String::new();
        let rows = [("go [LIMIT …]", "search"), ("a usage that is too long", "explained below")];
        add_section(&mut page, "Title", rows.map(|(a, b)| (a.to_owned(), b.to_owned())));
        let expected = "\nTitle:\n  go [LIMIT …]            search\n  a usage that is too long\n";
        assert_eq!(page, format!("{expected}{:26}explained below\n", ""));
    }

    #[test]
    fn words_are_wrapped() {
        let mut page = String::new();
        add_words(&mut page, ["word"; 20]);
        assert!(page.lines().count() == 2 && page.ends_with("word, word\n"), "{page}");
        assert!(page.lines().all(|line| line.len() <= WIDTH), "{page}");
    }
}
