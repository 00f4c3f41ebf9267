//! Row of the table of tools: name, syntax, help and function.

use std::ffi::OsString;

use crate::uci::help::HelpPage;

pub(in crate::uci) struct Flag {
    /// Name with its dashes.
    pub(super) name: &'static str,
    /// Placeholder of its value; empty if it takes none.
    pub(super) value: &'static str,
    pub(super) help: &'static str,
}

impl Flag {
    fn row(&self) -> (String, String) {
        (format!("{} {}", self.name, self.value), self.help.to_owned())
    }
}

/// Receiver of a tool's lines.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&str);

pub(in crate::uci) struct ToolSpec {
    pub(in crate::uci) word: &'static str,
    /// Syntax of the arguments that follow.
    pub(in crate::uci) arguments: &'static str,
    /// Phrase that says what the tool does.
    pub(in crate::uci) purpose: &'static str,
    pub(in crate::uci) help: Help,
    /// Runs the tool; returns whether it succeeded.
    pub(in crate::uci) run: fn(&[OsString], Sink<'_>) -> Result<bool, ToolError>,
}

pub(in crate::uci) struct Help {
    pub(super) options: Options,
    pub(super) notes: &'static [&'static str],
    pub(super) examples: &'static [&'static str],
}

pub(in crate::uci) enum Options {
    /// Flags in groups.
    Flags(&'static [&'static [Flag]]),
    /// Usage and explanation of each option.
    Rows(fn() -> Vec<(String, String)>),
}

impl ToolSpec {
    pub(in crate::uci) fn add_help(&self, page: &mut HelpPage) {
        page.usages.push(format!("{} {}", self.word, self.arguments));
        page.purposes.push(self.purpose);
        page.notes = self.help.notes;
        page.options = match self.help.options {
            Options::Flags(groups) => groups.iter().copied().flatten().map(Flag::row).collect(),
            Options::Rows(rows) => rows(),
        };
        page.examples.extend(self.help.examples);
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(in crate::uci) enum ToolError {
    /// The arguments are not understood.
    Usage(String),
    Failure(String),
}
