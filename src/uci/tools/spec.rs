//! Row of the table of tools: name, syntax, help and function.

use std::ffi::OsString;
use std::fmt::Write as _;

use crate::uci::help;

pub(in crate::uci) struct Flag {
    /// Name with its dashes.
    pub(super) name: &'static str,
    /// Placeholder of its value; empty if it takes none.
    pub(super) value: &'static str,
    pub(super) help: &'static str,
}

/// Receiver of a tool's lines.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&str);

pub(in crate::uci) struct ToolSpec {
    pub(in crate::uci) word: &'static str,
    /// Syntax of the arguments that follow.
    pub(in crate::uci) arguments: &'static str,
    pub(in crate::uci) help: &'static str,
    pub(in crate::uci) options: Help,
    /// Runs the tool; returns whether it succeeded.
    pub(in crate::uci) run: fn(&[OsString], Sink<'_>) -> Result<bool, ToolError>,
}

pub(in crate::uci) enum Help {
    /// Flags in groups, lines of explanation, examples.
    Flags {
        flags: &'static [&'static [Flag]],
        notes: &'static [&'static str],
        examples: &'static [&'static str],
    },
    Page(fn() -> Vec<String>),
}

impl ToolSpec {
    pub(in crate::uci) fn help_page(&self) -> String {
        let (flags, notes, examples) = match &self.options {
            Help::Flags { flags, notes, examples } => (flags, notes, examples),
            Help::Page(page) => return page().join("\n"),
        };
        let mut page =
            format!("Usage: tabia {} {}", self.word, self.arguments).trim_end().to_owned();
        let _ = write!(page, "\n\n{}\n", capitalised(self.help));
        if !notes.is_empty() {
            let _ = write!(page, "\n{}\n", notes.join("\n"));
        }
        let rows = flags.iter().copied().flatten();
        let rows = rows.map(|flag| (format!("{} {}", flag.name, flag.value), flag.help.to_owned()));
        if !flags.is_empty() {
            help::add_section(&mut page, "Options", rows);
        }
        let _ = write!(page, "\nExample:\n  {}", examples.join("\n  "));
        page
    }
}

/// Turns a phrase into a sentence.
fn capitalised(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

#[derive(Debug, PartialEq, Eq)]
pub(in crate::uci) enum ToolError {
    /// The arguments are not understood.
    Usage(String),
    Failure(String),
}
