//! Arguments that clap parses, and its messages without the control characters of an argument.

use std::process::ExitCode;

use clap::Parser;
use clap::error::ContextValue;

use crate::platform::output;
use crate::text::visible;

pub(super) const USAGE_ERROR: u8 = 2;

/// Parses the arguments of this process, for the other programs of the workspace.
///
/// # Errors
/// If the arguments are wrong or ask for a page. It prints the error or the page and returns the
/// exit code of the process.
pub fn parse<A: Parser>() -> Result<A, ExitCode> {
    A::try_parse().map_err(print)
}

/// Prints an error or a page that was asked for. Returns the exit code of the process.
pub(super) fn print(error: clap::Error) -> ExitCode {
    let is_error = error.use_stderr();
    let text = message(error);
    if is_error {
        output::write_message(&text);
        ExitCode::from(USAGE_ERROR)
    } else {
        output::write(&format!("{text}\n"));
        ExitCode::SUCCESS
    }
}

/// Returns the text of an error or a page, with control characters shown by their code.
pub(super) fn message(mut error: clap::Error) -> String {
    // Its own line breaks stay, those of an argument do not.
    let in_one_line = |text: &str| text.replace('\n', "<U+000A>");
    let arguments = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(in_one_line(text)))),
        ContextValue::StyledStrs(tips) => {
            let tips = tips.iter().map(|tip| in_one_line(&tip.to_string()).into());
            Some((kind, ContextValue::StyledStrs(tips.collect())))
        }
        _ => None,
    });
    for (kind, value) in arguments.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    visible(error.to_string().trim_end()).into_owned()
}
