//! Pages of the command line: help, manual and completions, from the tables of commands and tools.

use std::ffi::OsString;

use crate::engine::options::OPTIONS;
use crate::text::Quoted;
use crate::uci::commands::{self, COMMANDS};
use crate::uci::help::{self, HelpPage};
use crate::uci::notation;

use super::arguments::Arguments;
use super::completions::{self, Completion, Shell};
use super::manual;
use super::spec::{Flags, Help, Sink, ToolError, ToolSpec};
use super::table::TOOLS;

/// Tools that print a page.
static PAGES: &[&ToolSpec] = &[
    &ToolSpec {
        word: "man",
        arguments: "",
        purpose: "print the manual page, in roff",
        help: Help { flags: Flags::Listed(&[]), notes: &[], examples: &["tabia man"] },
        run: |arguments, sink| {
            Arguments::parse("man", 0, &[], arguments)?;
            sink(&manual_page());
            Ok(true)
        },
    },
    &ToolSpec {
        word: "completions",
        arguments: "bash|zsh|fish|powershell",
        purpose: "print the completions for a shell",
        help: Help { flags: Flags::Listed(&[]), notes: &[], examples: &["tabia completions bash"] },
        run: run_completions,
    },
];

fn tools() -> impl Iterator<Item = &'static ToolSpec> {
    TOOLS.iter().chain(PAGES).copied()
}

pub(super) fn find(word: &str) -> Option<&'static ToolSpec> {
    tools().find(|spec| spec.word == word)
}

/// Returns the words of all commands and tools.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|spec| spec.word).chain(tools().map(|spec| spec.word))
}

/// Returns the list of all commands and tools.
pub(crate) fn help_page() -> String {
    let mut page = String::from(
        "Usage: tabia                        play and analyse; without a terminal, by UCI\n       \
                tabia COMMAND [ARGUMENT …]   run one command and exit\n       \
                tabia \"LINE\" \"LINE\" …        run lines of input and exit\n       \
                tabia COMMAND --help         explain a command, with an example\n       \
                tabia --help | --version\n",
    );
    let rows = tools().map(|spec| (format!("{} {}", spec.word, spec.arguments), spec.purpose));
    let rows = rows.map(|(usage, purpose)| (usage, purpose.to_owned()));
    help::add_section(&mut page, "Tools of the command line", rows);
    page + "\n" + &commands::help_page()
}

fn run_completions(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("completions", 1, &[], arguments)?;
    let [word] = arguments.words() else {
        return Err(arguments.usage("expected bash, zsh, fish or powershell"));
    };
    let name = word.to_string_lossy();
    let shell = Shell::ALL.iter().find(|(known, _)| *known == name).map(|&(_, shell)| shell);
    let shell = shell.ok_or_else(|| arguments.usage(format!("unknown word {}", Quoted(&name))))?;
    sink(&completions::script(shell, &completed_commands()));
    Ok(true)
}

/// Returns all words, commands of UCI first, and each once.
fn distinct_words() -> Vec<&'static str> {
    let mut distinct: Vec<&str> = Vec::new();
    for word in words() {
        if !distinct.contains(&word) {
            distinct.push(word);
        }
    }
    distinct
}

fn completed_commands() -> Vec<Completion> {
    let pages = distinct_words().into_iter().filter_map(page_of);
    pages.map(|page| Completion::new(&page)).collect()
}

fn manual_page() -> String {
    let is_standard = |word: &&str| commands::find(word).is_some_and(|spec| spec.is_standard);
    let (uci, others): (Vec<_>, Vec<_>) = distinct_words().into_iter().partition(is_standard);
    let (tools, commands) = others.into_iter().partition(|word: &&str| find(word).is_some());
    let pages = |words: Vec<&str>| words.into_iter().filter_map(page_of).collect();
    let groups = [
        ("UCI commands", pages(uci)),
        ("Other commands", pages(commands)),
        ("Tools of the command line", pages(tools)),
    ];
    let options: Vec<_> = OPTIONS
        .iter()
        .map(|option| (notation::option_summary(option), option.help.to_owned()))
        .collect();
    manual::page(&groups, &options)
}

/// Returns the help page of a word: that of the command, of the tool, or of both.
pub(crate) fn help_page_of(word: &str) -> Option<String> {
    page_of(word).map(HelpPage::text)
}

fn page_of(word: &str) -> Option<HelpPage> {
    let (tool, command) = (find(word), commands::find(word));
    if tool.is_none() && command.is_none() {
        return None;
    }
    let mut page = HelpPage::default();
    if let Some(tool) = tool {
        tool.add_help(&mut page);
    }
    if let Some(command) = command {
        command.add_help(&mut page);
    }
    Some(page)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_list_fits_in_80_columns() {
        let page = help_page();
        assert!(page.starts_with("Usage: "));
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }

    fn has_word(text: &str, word: &str) -> bool {
        text.split(|letter: char| !letter.is_alphanumeric()).any(|found| found == word)
    }

    #[test]
    fn the_manual_and_the_completions_have_every_word() {
        let manual = manual_page();
        let scripts =
            Shell::ALL.map(|(_, shell)| completions::script(shell, &completed_commands()));
        for word in words() {
            assert!(manual.contains(&format!("\\fB{word}\\fR")), "{word}");
            assert!(scripts.iter().all(|script| has_word(script, word)), "{word}");
        }
        for option in OPTIONS {
            assert!(manual.contains(option.name), "{}", option.name);
        }
        let usage = find("completions").expect("a tool").arguments;
        assert_eq!(Shell::ALL.map(|(name, _)| name).join("|"), usage);
    }

    #[test]
    fn every_word_has_a_page_with_an_example_in_80_columns() {
        for word in words() {
            let page = help_page_of(word).expect("a page");
            assert!(page.starts_with(&format!("Usage: tabia {word}")), "{page}");
            let (_, examples) = page.split_once("\nExample").expect("an example");
            assert!(has_word(examples, word) && examples.contains("\n  tabia "), "{page}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        }
        assert_eq!(help_page_of("joho"), None);
        let both = help_page_of("perft").expect("a page");
        assert!(both.contains("tabia perft FILE") && both.contains("tabia perft DEPTH"), "{both}");
    }

    #[test]
    fn the_readme_lists_all_commands() {
        let readme = include_str!("../../README.md");
        let (_, section) = readme.split_once("\n## Commands\n").expect("the heading");
        let section = section.split("\n## ").next().expect("at least one piece");
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|line| line.split('|').nth(1));
        let listed: BTreeSet<&str> = cells
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .filter_map(|usage| usage.split(' ').next())
            .collect();
        assert_eq!(listed, words().collect());
    }
}
