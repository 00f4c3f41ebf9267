//! Row of the table of tools: name, syntax, help and function.

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

use crate::uci::help::HelpPage;

pub(super) struct Flag {
    /// Name with its dashes.
    pub(super) name: Cow<'static, str>,
    /// Placeholder of its value; empty if it takes none.
    pub(super) value: &'static str,
    pub(super) help: Cow<'static, str>,
}

impl Flag {
    fn row(&self) -> (String, String) {
        (format!("{} {}", self.name, self.value), self.help.to_string())
    }
}

/// Receiver of a tool's lines.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&str);

pub(super) struct ToolSpec {
    pub(super) word: &'static str,
    /// Syntax of the arguments that follow.
    pub(super) arguments: &'static str,
    /// Purpose, as a phrase.
    pub(super) purpose: &'static str,
    pub(super) help: Help,
    /// Runs the tool; returns whether it succeeded.
    pub(super) run: fn(&[OsString], Sink<'_>) -> Result<bool, ToolError>,
}

pub(super) struct Help {
    pub(super) flags: Flags,
    pub(super) notes: &'static [&'static str],
    pub(super) examples: &'static [&'static str],
}

pub(super) enum Flags {
    /// Groups of flags.
    Listed(&'static [&'static [Flag]]),
    /// Builds the flags from another table.
    Computed(fn() -> Vec<Flag>),
}

impl ToolSpec {
    pub(super) fn add_help(&self, page: &mut HelpPage) {
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

/// Stop flag that is never set: a signal ends the process.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ToolError {
    /// The arguments are not understood.
    Usage(String),
    Failure(String),
}
