//! Help pages for a terminal of 80 columns, from the tables of commands and options.

use std::fmt::Write as _;

use crate::engine::options::OPTIONS;
use crate::text::{fitted, wrapped};

use super::commands::{CommandSpec, GROUPS, find};
use super::limits::argument_words;
use super::spelling::option_summary;

/// Column at which the explanations start.
const COLUMN: usize = 26;
const WIDTH: usize = 80;

/// Makes the page of a command from its usage, purpose, arguments with their explanations, and an
/// example.
pub(crate) fn page(
    usage: &str,
    purpose: &str,
    arguments: &[(&str, &str)],
    example: &str,
) -> String {
    let usage = wrapped(usage, "       ", WIDTH).join("\n");
    let mut page = format!("Usage: {}\n\n{}.\n", usage.trim_start(), fitted(purpose, WIDTH - 1));
    if !arguments.is_empty() {
        add_section(&mut page, "Arguments", arguments.iter().copied());
    }
    page + &format!("\nExample:\n  {example}")
}

/// Returns the list of all commands.
pub(crate) fn list() -> String {
    let mut page = String::new();
    for (title, specs) in GROUPS {
        let rows: Vec<_> = specs.iter().map(|spec| (spec.usage(), spec.help)).collect();
        add_section(&mut page, title, rows.iter().map(|(usage, help)| (usage.as_str(), *help)));
    }
    page.push_str("\nArguments of go:\n");
    let words = argument_words().collect::<Vec<_>>().join(", ");
    for line in wrapped(&words, "  ", WIDTH) {
        let _ = writeln!(page, "{line}");
    }
    page.trim().to_owned()
}

/// Returns the help page of a command.
pub(crate) fn page_of(word: &str) -> Option<String> {
    let spec @ CommandSpec { help, details, example, .. } = find(word)?;
    let [usage, example] = [&spec.usage(), *example].map(|words| format!("tabia {words}"));
    Some(page(&usage, help, details, &example))
}

/// Returns the list of the options with their defaults.
pub(crate) fn options_page() -> String {
    let mut page = String::from("Usage: setoption name NAME value VALUE\n");
    let rows: Vec<_> = OPTIONS.iter().map(|option| (option_summary(option), option.help)).collect();
    let rows = rows.iter().map(|(summary, help)| (summary.as_str(), *help));
    add_section(&mut page, "Options with their defaults", rows);
    page.trim_end().to_owned()
}

/// Appends a section with a row for each usage; a long usage has its explanation on the next line.
pub(crate) fn add_section<'a>(
    page: &mut String,
    title: &str,
    rows: impl IntoIterator<Item = (&'a str, &'a str)>,
) {
    let _ = write!(page, "\n{title}:\n");
    for (usage, help) in rows {
        let mut usage = format!("  {}", usage.trim_end());
        if usage.chars().count() + 1 >= COLUMN {
            let _ = writeln!(page, "{}", wrapped(&usage, "  ", WIDTH).join("\n"));
            usage.clear();
        }
        for line in wrapped(help, "", WIDTH - COLUMN) {
            let _ = writeln!(page, "{usage:<COLUMN$}{line}");
            usage.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::commands::all;

    #[test]
    fn explanations_are_aligned() {
        let mut page = String::new();
        let rows = [("go [LIMIT …]", "search"), ("a usage that is too long", "explained below")];
        add_section(&mut page, "Title", rows);
        let expected = "\nTitle:\n  go [LIMIT …]            search\n  a usage that is too long\n";
        assert_eq!(page, format!("{expected}{:26}explained below\n", ""));
        page.clear();
        add_section(&mut page, "Title", [("a", "word ".repeat(12).as_str())]);
        assert!(page.ends_with(&format!("word\n{:26}word\n", "")), "{page}");
    }

    #[test]
    fn pages_fit_in_80_columns() {
        let pages = all().filter_map(|spec| page_of(spec.word));
        for page in pages.chain([list(), options_page()]) {
            assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
        }
    }

    #[test]
    fn every_command_has_a_page_with_an_example() {
        for CommandSpec { word, .. } in all() {
            let page = page_of(word).expect("a page");
            assert!(page.starts_with(&format!("Usage: tabia {word}")), "{page}");
            let (_, example) = page.split_once("\n\nExample:\n  tabia ").expect("an example");
            let mut words = example.split(|letter: char| !letter.is_alphanumeric());
            assert!(words.any(|found| found == *word), "{page}");
        }
        assert_eq!(page_of("joho"), None);
    }
}
