//! Row of the table of tools: name, syntax, help and function.

use std::borrow::Cow;
use std::ffi::OsString;

use crate::uci::help::HelpPage;

pub(in crate::uci) struct Flag {
    /// Name with its dashes.
    pub(in crate::uci) name: Cow<'static, str>,
    /// Placeholder of its value; empty if it takes none.
    pub(in crate::uci) value: &'static str,
    pub(in crate::uci) help: Cow<'static, str>,
}

impl Flag {
    fn row(&self) -> (String, String) {
        (format!("{} {}", self.name, self.value), self.help.to_string())
    }
}

/// Receiver of a tool's lines.
pub(in crate::uci) type Sink<'a> = &'a mut dyn FnMut(&str);

pub(in crate::uci) struct ToolSpec {
    pub(in crate::uci) word: &'static str,
    /// Syntax of the arguments that follow.
    pub(in crate::uci) arguments: &'static str,
    /// Purpose, as a phrase.
    pub(in crate::uci) purpose: &'static str,
    pub(in crate::uci) help: Help,
    /// Runs the tool; returns whether it succeeded.
    pub(in crate::uci) run: fn(&[OsString], Sink<'_>) -> Result<bool, ToolError>,
}

pub(in crate::uci) struct Help {
    pub(in crate::uci) flags: Flags,
    pub(in crate::uci) notes: &'static [&'static str],
    pub(in crate::uci) examples: &'static [&'static str],
}

pub(in crate::uci) enum Flags {
    /// Groups of flags.
    Listed(&'static [&'static [Flag]]),
    /// Builds the flags from another table.
    Computed(fn() -> Vec<Flag>),
}

impl ToolSpec {
    pub(in crate::uci) fn add_help(&self, page: &mut HelpPage) {
        page.usages.push(format!("{} {}", self.word, self.arguments));
        page.purposes.push(self.purpose);
        page.notes = self.help.notes;
        page.options = match self.help.flags {
            Flags::Listed(groups) => groups.iter().copied().flatten().map(Flag::row).collect(),
            Flags::Computed(flags) => flags().iter().map(Flag::row).collect(),
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
