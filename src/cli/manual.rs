//! Manual page, from the table of commands and tools.
//!
//! Source of the format: man(7), the macros that groff and mandoc both know.

use std::fmt::Write as _;

use crate::tools::text::wrapped;

use crate::uci::help::HelpPage;

/// Columns of a line of the source.
const WIDTH: usize = 72;

/// Returns the manual page: commands in groups, and the options of the engine.
pub(super) fn page(groups: &[(&str, Vec<HelpPage>)], options: &[(String, String)]) -> String {
    let mut page = String::from(".\\\" Made by 'tabia man'.\n");
    page.push_str(concat!(
        ".TH TABIA 6 \"\" \"Tabia ",
        env!("CARGO_PKG_VERSION"),
        "\"\n.SH NAME\ntabia \\- chess engine\n"
    ));
    page.push_str(
        ".SH SYNOPSIS\n.B tabia\n.br\n.B tabia\n.I COMMAND\n.RI [ ARGUMENT \" ...]\"\n.br\n\
         .B tabia\n\\(dq\\fILINE\\fR\\(dq ...\n.br\n.B tabia\n.I COMMAND\n.B \\-\\-help\n\
         .SH DESCRIPTION\n\
         Tabia plays chess and analyses games. Chess programs use it by the UCI\n\
         protocol on standard input and output. At a terminal it has a prompt: type\n\
         \\fBhelp\\fR there.\n\
         With arguments it runs one command, or several lines of input, and ends.\n",
    );
    for (title, pages) in groups {
        let _ = writeln!(page, ".SH \"{}\"", escaped(&title.to_uppercase()));
        pages.iter().for_each(|entry| add_entry(&mut page, entry));
    }
    page.push_str(".SH \"OPTIONS OF THE ENGINE\"\nThe command \\fBsetoption\\fR sets them.\n");
    options.iter().for_each(|(name, help)| add_row(&mut page, name, help));
    page.push_str(
        ".SH \"EXIT STATUS\"\n0 on success, 1 if the command failed, 2 if the arguments are not\n\
         understood.\n\
         .SH ENVIRONMENT\n.TP\n.B RUST_LOG\nLevel of the messages on standard error:\n\
         \\fBwarn\\fR, or \\fBdebug\\fR for every command.\n\
         .TP\n.B TABIA_DATA\nFolder of \\fBdatagen\\fR without \\fB\\-\\-out\\fR.\n\
         .TP\n.B TABIA_SYZYGY\nFolders of \\fBtb\\fR without \\fB\\-\\-syzygy\\fR.\n\
         .TP\n.B NO_COLOR\nIf set, the prompt has no colours.\n",
    );
    page.truncate(page.trim_end().len());
    page
}

/// Appends the usages, the purpose, the options and the examples of a word.
fn add_entry(page: &mut String, entry: &HelpPage) {
    for (index, usage) in entry.usages.iter().enumerate() {
        let macro_name = if index == 0 { "TP" } else { "TQ" };
        let (word, arguments) = usage.split_once(' ').unwrap_or((usage, ""));
        let usage = format!("\\fB{}\\fR {}", escaped(word), escaped(arguments));
        let _ = writeln!(page, ".{macro_name}\n{}", usage.trim_end());
    }
    add_text(page, &format!("{}.", entry.purposes.join("; ")));
    entry.notes.iter().for_each(|line| add_line(page, line));
    if !entry.arguments.is_empty() {
        page.push_str(".RS\n");
        entry.arguments.iter().for_each(|(usage, help)| add_row(page, usage, help));
        page.push_str(".RE\n");
    }
    if !entry.options.is_empty() {
        page.push_str(".RS\n");
        entry.options.iter().for_each(|(usage, help)| add_row(page, usage, help));
        page.push_str(".RE\n");
    }
    if !entry.examples.is_empty() {
        page.push_str(".IP\n.nf\n");
        entry.examples.iter().for_each(|line| add_line(page, line));
        page.push_str(".fi\n");
    }
}

fn add_row(page: &mut String, usage: &str, help: &str) {
    let _ = writeln!(page, ".TP\n\\fB{}\\fR", escaped(usage.trim_end()));
    add_text(page, help);
}

fn add_text(page: &mut String, text: &str) {
    wrapped(text, "", WIDTH).iter().for_each(|line| add_line(page, line));
}

fn add_line(page: &mut String, line: &str) {
    // A dot or an apostrophe at the start would be a request.
    let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
    let _ = writeln!(page, "{guard}{}", escaped(line));
}

/// Escapes what roff would interpret, and all that is not ASCII.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '"' => escaped.push_str("\\(dq"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            '…' => escaped.push_str("..."),
            letter if letter.is_ascii() => escaped.push(letter),
            letter => _ = write!(escaped, "\\[u{:04X}]", letter as u32),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_part_of_an_entry() {
        let entry = HelpPage {
            usages: vec!["play FILE [N …]".to_owned(), "play ".to_owned()],
            purposes: vec!["play a file"],
            notes: &[".hidden files\\are played"],
            arguments: &[("depth N", "plies")],
            options: vec![("--out FILE".to_owned(), "'x' or über".to_owned())],
            examples: vec!["tabia play \"a b\""],
        };
        let page = page(&[("Tools", vec![entry])], &[("Hash = 16".to_owned(), "size".to_owned())]);
        let expected = ".SH \"TOOLS\"\n.TP\n\\fBplay\\fR FILE [N ...]\n.TQ\n\\fBplay\\fR\n\
                        play a file.\n\\&.hidden files\\eare played\n.RS\n.TP\n\\fBdepth N\\fR\nplies\n.RE\n.RS\n.TP\n\
                        \\fB\\-\\-out FILE\\fR\n\\&\\(aqx\\(aq or \\[u00FC]ber\n.RE\n.IP\n.nf\n\
                        tabia play \\(dqa b\\(dq\n.fi\n";
        assert!(page.contains(expected), "{page}");
        assert!(page.contains(".TP\n\\fBHash = 16\\fR\nsize\n") && page.is_ascii(), "{page}");
    }
}
