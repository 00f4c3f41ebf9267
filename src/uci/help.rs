//! Layout of help pages for a terminal of 80 columns.

use std::fmt::Write as _;

use crate::tools::text::wrapped;

/// Column at which the explanations start.
const COLUMN: usize = 26;
const WIDTH: usize = 80;

/// Help page of a word, which may be a command, a tool or both.
#[derive(Default)]
pub(crate) struct HelpPage {
    /// Command lines without `tabia`.
    pub(crate) usages: Vec<String>,
    /// Purposes, as phrases.
    pub(crate) purposes: Vec<&'static str>,
    pub(crate) notes: &'static [&'static str],
    /// Arguments with their explanations.
    pub(crate) arguments: &'static [(&'static str, &'static str)],
    /// Options with their explanations.
    pub(crate) options: Vec<(String, String)>,
    /// Lines for a shell.
    pub(crate) examples: Vec<&'static str>,
}

impl HelpPage {
    pub(crate) fn text(self) -> String {
        self.text_after("tabia ")
    }

    /// Returns the page with this before each usage.
    pub(crate) fn text_after(self, program: &str) -> String {
        let mut page = String::new();
        for (index, usage) in self.usages.iter().enumerate() {
            let start = if index == 0 { "Usage:" } else { "      " };
            let _ = writeln!(page, "{}", format!("{start} {program}{usage}").trim_end());
        }
        let purposes = self.purposes.into_iter().map(sentence);
        let _ = writeln!(page, "\n{}", purposes.collect::<Vec<_>>().join("\n"));
        if !self.notes.is_empty() {
            let _ = writeln!(page, "\n{}", self.notes.join("\n"));
        }
        if !self.arguments.is_empty() {
            let rows = self.arguments.iter();
            let rows = rows.map(|&(usage, help)| (usage.to_owned(), help.to_owned()));
            add_section(&mut page, "Arguments", rows);
        }
        if !self.options.is_empty() {
            add_section(&mut page, "Options", self.options);
        }
        let title = if self.examples.len() == 1 { "Example" } else { "Examples" };
        page + &format!("\n{title}:\n  {}", self.examples.join("\n  "))
    }
}

/// Turns a phrase into a sentence.
fn sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// Appends a section with a row for each usage; a long usage has its explanation on the next line.
pub(crate) fn add_section(
    page: &mut String,
    title: &str,
    rows: impl IntoIterator<Item = (String, String)>,
) {
    let _ = write!(page, "\n{title}:\n");
    for (usage, help) in rows {
        let mut usage = format!("  {}", usage.trim_end());
        if usage.chars().count() + 1 >= COLUMN {
            let _ = writeln!(page, "{usage}");
            usage.clear();
        }
        for line in wrapped(&help, "", WIDTH - COLUMN) {
            let _ = writeln!(page, "{usage:<COLUMN$}{line}");
            usage.clear();
        }
    }
}

/// Appends words separated by commas, wrapped.
pub(crate) fn add_words<'a>(page: &mut String, words: impl IntoIterator<Item = &'a str>) {
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
        page.clear();
        add_section(&mut page, "Title", [("a".to_owned(), "word ".repeat(12))]);
        assert!(page.ends_with(&format!("word\n{:26}word\n", "")), "{page}");
    }

    #[test]
    fn a_page_has_usage_purpose_options_and_examples() {
        let page = HelpPage {
            usages: vec!["perft FILE".to_owned(), "perft ".to_owned()],
            purposes: vec!["check a file", "count"],
            options: vec![("--json".to_owned(), "print JSON lines".to_owned())],
            examples: vec!["tabia perft 5"],
            ..HelpPage::default()
        };
        let expected = "Usage: tabia perft FILE\n       tabia perft\n\nCheck a file.\nCount.\n\n\
                        Options:\n  --json                  print JSON lines\n\n\
                        Example:\n  tabia perft 5";
        assert_eq!(page.text(), expected);
    }

    #[test]
    fn words_are_wrapped() {
        let mut page = String::new();
        add_words(&mut page, ["word"; 20]);
        assert!(page.lines().count() == 2 && page.ends_with("word, word\n"), "{page}");
        assert!(page.lines().all(|line| line.len() <= WIDTH), "{page}");
    }
}
