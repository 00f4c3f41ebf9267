//! Manual page, from the definition of the command line and the tables of UCI.

use std::io;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::engine::options::OPTIONS;
use crate::text::wrapped;
use crate::uci::commands;
use crate::uci::spelling::option_summary;

use super::prompt_words::PROMPT_WORDS;

/// Columns of a line of the source.
const WIDTH: usize = 78;

/// Title without a date, so that every build of a version has the same page.
const TITLE: &str = concat!(".TH TABIA 6 \"\" \"Tabia ", env!("CARGO_PKG_VERSION"), "\"\n");

/// Environment variables that no option names.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("RUST_LOG", "Level of the messages on standard error: warn, or debug for every command."),
    ("TABIA_DATA", "Folder of datagen without --out."),
    (
        "TABIA_GAMES",
        "Folder for the games of the prompt, instead of one in the user's data folder; off keeps none.",
    ),
    ("NO_COLOR", "If set, the prompt has no colours."),
];

/// Returns the manual page in roff, in ASCII.
pub(super) fn page(mut command: Command) -> String {
    command.build();
    let man = Man::new(command.clone());
    let mut page = TITLE.to_owned()
        + &rendered(|out| man.render_name_section(out))
        + &section("SYNOPSIS", |roff| usage(roff, &mut command.clone()))
        + &section("DESCRIPTION", |roff| notes(roff, &command))
        + &section("TOOLS", |_| {});
    for tool in command.get_subcommands() {
        page += &entry(tool);
    }
    page += &section("WORDS OF THE PROMPT", |roff| {
        PROMPT_WORDS.iter().for_each(|word| row(roff, word.usage, &format!("{}.", word.purpose)));
    });
    page += &section("COMMANDS OF UCI", |roff| {
        for spec in commands::all() {
            row(roff, &format!("{} {}", spec.word, spec.arguments), spec.help);
            for (usage, help) in spec.details {
                roff.control("RS", []);
                row(roff, usage, help);
                roff.control("RE", []);
            }
        }
    });
    page += &section("OPTIONS OF THE ENGINE", |roff| {
        roff.text([roman("The command setoption sets them.")]);
        OPTIONS.iter().for_each(|option| row(roff, &option_summary(option), option.help));
    });
    page += &section("EXIT STATUS", |roff| {
        roff.text([roman(
            "0 on success, 1 if the command failed, 2 if the arguments are not understood.",
        )]);
    });
    page += &section("ENVIRONMENT", |roff| {
        ENVIRONMENT.iter().for_each(|(name, help)| row(roff, name, help));
    });
    laid_out(&page.replace('…', "...").replace(r"\*(Aq", r"\(aq"))
}

/// Wraps long lines of text. A dot at the start would be a request.
fn laid_out(page: &str) -> String {
    let wrap = |line: &str| {
        let is_text = line.len() > WIDTH && !line.starts_with(['.', ' ']);
        if is_text { wrapped(line, "", WIDTH) } else { vec![line.trim_end().to_owned()] }
    };
    let guard = |(index, line): (usize, String)| {
        if index > 0 && line.starts_with('.') { format!(r"\&{line}") } else { line }
    };
    let lines = page.lines().flat_map(|line| wrap(line).into_iter().enumerate().map(guard));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the usage, purpose, arguments and examples of a tool.
fn entry(tool: &Command) -> String {
    let man = Man::new(tool.clone().mut_arg("help", |flag| flag.hide(true)));
    let mut head = Roff::new();
    head.control("SS", [tool.get_name()]);
    usage(&mut head, &mut tool.clone());
    head.control("PP", []);
    head.text([roman(format!(
        "{}.",
        tool.get_about().map(ToString::to_string).unwrap_or_default()
    ))]);
    notes(&mut head, tool);
    let parts = [
        rendered(|out| head.to_writer(out)),
        rendered(|out| man.render_options_section(out)),
        ".PP\n.nf\n".to_owned(),
        rendered(|out| man.render_extra_section(out)),
        ".fi\n".to_owned(),
    ];
    let lines = parts.iter().flat_map(|part| part.lines());
    let mut lines: Vec<_> =
        lines.filter(|line| !line.is_empty() && !line.starts_with(".SH")).collect();
    // Two line breaks in a row are one.
    lines.dedup();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn section(title: &str, content: impl FnOnce(&mut Roff)) -> String {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    content(&mut roff);
    rendered(|out| roff.to_writer(out))
}

fn notes(roff: &mut Roff, command: &Command) {
    if let Some(notes) = command.get_before_help() {
        roff.text([roman(notes.to_string())]);
    }
}

fn usage(roff: &mut Roff, command: &mut Command) {
    let usage = command.render_usage().to_string();
    roff.control("nf", []);
    for line in usage.trim_start_matches("Usage:").lines() {
        roff.text([roman(line.trim())]);
    }
    roff.control("fi", []);
}

fn row(roff: &mut Roff, usage: &str, help: &str) {
    roff.control("TP", []);
    roff.text([bold(usage.trim_end())]);
    roff.text([roman(help)]);
}

/// Returns what is written, without the preamble of each part.
fn rendered(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory takes all bytes");
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter(|line| !line.starts_with(".ie ") && !line.starts_with(".el "));
    lines.map(|line| format!("{line}\n")).collect()
}
