//! Text of scores and options in UCI notation, and of facts about the program.

use std::fmt::{self, Display};

use crate::engine::about;
use crate::engine::options::{OPTIONS, OptionKind, OptionSpec};
use crate::eval::network::SHAPE;
use crate::search::{TUNABLES, Tunable};
use crate::types::Score;

/// Value of an empty text option.
const EMPTY_VALUE: &str = "<empty>";

/// Score as in an info line: `cp 31`, `mate 3`, `mate -2`.
pub(crate) struct UciScore(pub(crate) Score);

impl Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0.0),
        }
    }
}

/// Returns the `option` lines of the reply to `uci`.
pub(crate) fn options() -> String {
    let options = OPTIONS.iter().map(option_line);
    let tunables = TUNABLES.iter().map(|parameter| tunable(parameter));
    options.chain(tunables).collect::<Vec<_>>().join("\n")
}

fn option_line(option: &OptionSpec) -> String {
    let text = match &option.kind {
        OptionKind::Spin { default, min, max, .. } => spin(default, min, max),
        OptionKind::Check { default, .. } => format!("check default {default}"),
        OptionKind::Button(_) => "button".to_owned(),
        OptionKind::Text { default: "", .. } => format!("string default {EMPTY_VALUE}"),
        OptionKind::Text { default, .. } => format!("string default {default}"),
    };
    format!("option name {} type {text}", option.name)
}

fn tunable(tunable: &Tunable) -> String {
    let Tunable { name, default, min, max, .. } = tunable;
    format!("option name {name} type {}", spin(default, min, max))
}

fn spin(default: impl Display, min: impl Display, max: impl Display) -> String {
    format!("spin default {default} min {min} max {max}")
}

pub(crate) fn is_empty_value(value: &str) -> bool {
    value.eq_ignore_ascii_case(EMPTY_VALUE)
}

/// Returns name, default and range of an option for the help page.
pub(crate) fn option_summary(option: &OptionSpec) -> String {
    let name = option.name;
    match &option.kind {
        OptionKind::Spin { default, min, max, unit, .. } => {
            format!("{name} = {default} ({min} to {max} {unit}").trim_end().to_owned() + ")"
        }
        OptionKind::Check { default, .. } => format!("{name} = {default}"),
        OptionKind::Text { default: "", .. } => format!("{name} = {EMPTY_VALUE}"),
        OptionKind::Button(_) | OptionKind::Text { .. } => name.to_owned(),
    }
}

/// Returns the facts of the build; `kernel` is the SIMD kernel in use.
pub(crate) fn build(kernel: &str) -> String {
    format!(
        "Compiler    {}\nTarget      {}\nFeatures    {}\nProfile     {}\n\
         Network     {SHAPE}, {kernel}",
        about::COMPILER,
        about::TARGET,
        about::CPU_FEATURES,
        about::PROFILE,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        for (score, text) in [
            (Score::mate_in(1), "mate 1"),
            (Score::mate_in(3), "mate 2"),
            (Score::mated_in(2), "mate -1"),
            (Score::mated_in(0), "mate 0"),
            (Score(-35), "cp -35"),
        ] {
            assert_eq!(UciScore(score).to_string(), text);
        }
    }

    #[test]
    fn search_parameters_are_spin_options() {
        static NUMBER: Tunable = Tunable::new("number", 4, -2..=8, 1);
        let text = "option name number type spin default 4 min -2 max 8";
        assert_eq!(tunable(&NUMBER), text);
    }

    #[test]
    fn options_have_their_type_and_default() {
        let texts: Vec<String> = OPTIONS.iter().map(option_line).collect();
        for text in [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Book File type string default <empty>",
        ] {
            assert!(texts.iter().any(|found| found == text), "{text}");
        }
        assert_eq!(option_summary(&OPTIONS[0]), "Hash = 16 (1 to 33554432 MiB)");
        assert_eq!(option_summary(&OPTIONS[1]), "Threads = 1 (1 to 1024)");
    }
}
