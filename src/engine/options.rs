//! The one table of options: names, kinds, defaults, ranges, and the checks on what a user sends.

use std::error::Error;
use std::fmt;

use crate::engine::about;
use crate::engine::level::{MAX_ELO, MIN_ELO};
use crate::engine::protocol::Quoted;

/// An option as announced and checked.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name, exactly as interfaces look for it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
}

/// What values an option takes, and the setting they make.
#[derive(Debug)]
pub enum OptionKind {
    /// A whole number.
    Spin {
        /// Before anyone sets it.
        default: u32,
        /// The least value.
        min: u32,
        /// The greatest value; interfaces want it to fit in 32 bits.
        max: u32,
        /// The setting of a value in range.
        set: fn(u32) -> Setting,
    },
    /// True or false.
    Check {
        /// Before anyone sets it.
        default: bool,
        /// The setting of a value.
        set: fn(bool) -> Setting,
    },
    /// Something to press.
    Button(Setting),
    /// Any text.
    Text {
        /// Before anyone sets it.
        default: &'static str,
        /// The setting of a text; `None` for one that is only there to be read.
        set: Option<fn(String) -> Setting>,
    },
}

/// A checked value for the engine to act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The size of the transposition table in MiB.
    Hash(u32),
    /// The number of search threads.
    Threads(u32),
    /// Empty the transposition table.
    ClearHash,
    /// Whether the opponent's time will be used for thinking.
    Ponder(bool),
    /// The number of best lines to show.
    MultiPv(u32),
    /// Time lost between engine and clock, in milliseconds for each move.
    MoveOverhead(u32),
    /// Whether castling is written as king takes rook.
    Chess960(bool),
    /// Whether moves are played from the opening book.
    OwnBook(bool),
    /// The opening book; empty for none.
    BookFile(String),
    /// Whether the book's move of the greatest weight is always played.
    BestBookMove(bool),
    /// Whether the chances of each result are told with every score.
    ShowWdl(bool),
    /// Whether positions are looked into instead of played: the opening book rests, and strength is not limited.
    AnalyseMode(bool),
    /// Whether play is weakened to [`Elo`](Self::Elo).
    LimitStrength(bool),
    /// The rating to play at when strength is limited.
    Elo(u32),
    /// What the choice among good moves depends on when strength is limited.
    LevelSeed(u32),
    /// The folders of the tablebases, with the system's separator between them; empty for none.
    SyzygyPath(String),
    /// The least depth at which a search looks up positions with as many pieces as the largest table.
    SyzygyProbeDepth(u32),
    /// The most pieces of a position that is looked up in the tablebases.
    SyzygyProbeLimit(u32),
    /// Whether a win that takes too long counts as a draw.
    Syzygy50MoveRule(bool),
    /// The file of the network that judges positions; empty for the one in the program.
    EvalFile(String),
    /// The file that gets a copy of all input and output; empty for none.
    DebugLogFile(String),
    /// Nodes for each millisecond, to play by nodes instead of time; 0 for real time.
    NodesTime(u32),
}

/// The largest transposition table, in MiB.
pub(super) const MAX_HASH: u32 = 33_554_432;
/// The most search threads.
pub(super) const MAX_THREADS: u32 = 1024;

/// Every option, in the order announced.
pub static OPTIONS: &[OptionSpec] = &[
    spin("Hash", 16, 1, MAX_HASH, Setting::Hash),
    spin("Threads", 1, 1, MAX_THREADS, Setting::Threads),
    OptionSpec { name: "Clear Hash", kind: OptionKind::Button(Setting::ClearHash) },
    check("Ponder", false, Setting::Ponder),
    spin("MultiPV", 1, 1, 256, Setting::MultiPv),
    spin("Move Overhead", 20, 0, 5000, Setting::MoveOverhead),
    check("UCI_Chess960", false, Setting::Chess960),
    check("UCI_ShowWDL", false, Setting::ShowWdl),
    check("UCI_AnalyseMode", false, Setting::AnalyseMode),
    text("EvalFile", "", Some(Setting::EvalFile)),
    text("UCI_EngineAbout", about::ABOUT, None),
    check("UCI_LimitStrength", false, Setting::LimitStrength),
    spin("UCI_Elo", MAX_ELO, MIN_ELO, MAX_ELO, Setting::Elo),
    spin("Level Seed", 0, 0, i32::MAX as u32, Setting::LevelSeed),
    text("SyzygyPath", "", Some(Setting::SyzygyPath)),
    spin("SyzygyProbeDepth", 1, 1, 100, Setting::SyzygyProbeDepth),
    check("Syzygy50MoveRule", true, Setting::Syzygy50MoveRule),
    spin("SyzygyProbeLimit", 7, 0, 7, Setting::SyzygyProbeLimit),
    check("OwnBook", false, Setting::OwnBook),
    text("Book File", "", Some(Setting::BookFile)),
    check("Best Book Move", false, Setting::BestBookMove),
    text("Debug Log File", "", Some(Setting::DebugLogFile)),
    spin("nodestime", 0, 0, 10_000, Setting::NodesTime),
];

/// Other spellings in use: the name sent, the name in [`OPTIONS`].
const ALIASES: &[(&str, &str)] = &[("MoveOverhead", "Move Overhead")];

/// How interfaces write a text of no characters.
const EMPTY_TEXT: &str = "<empty>";

const fn spin(
    name: &'static str,
    default: u32,
    min: u32,
    max: u32,
    set: fn(u32) -> Setting,
) -> OptionSpec {
    assert!(min <= default && default <= max && max <= i32::MAX as u32);
    OptionSpec { name, kind: OptionKind::Spin { default, min, max, set } }
}

const fn check(name: &'static str, default: bool, set: fn(bool) -> Setting) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Check { default, set } }
}

const fn text(
    name: &'static str,
    default: &'static str,
    set: Option<fn(String) -> Setting>,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Text { default, set } }
}

impl OptionSpec {
    /// The setting in force before anyone sets it; `None` for what holds no value.
    pub fn default_setting(&self) -> Option<Setting> {
        match self.kind {
            OptionKind::Spin { default, set, .. } => Some(set(default)),
            OptionKind::Check { default, set } => Some(set(default)),
            OptionKind::Button(_) => None,
            OptionKind::Text { default, set } => set.map(|set| set(default.to_owned())),
        }
    }

    /// The setting that `value` makes, and whether the number had to be moved into the range.
    fn checked(&self, value: Option<&str>) -> Result<Checked, OptionError> {
        match &self.kind {
            OptionKind::Spin { min, max, set, .. } => {
                let clamp = |number: i64| number.clamp((*min).into(), (*max).into());
                let (used, clamped) = read_number(self.name, value, clamp)?;
                Ok(Checked { setting: Some(set(used as u32)), clamped })
            }
            OptionKind::Check { set, .. } => {
                let found = value.ok_or(OptionError::NoValue(self.name))?;
                let on = match found.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(OptionError::bad_value(self.name, found, "true or false")),
                };
                Ok(Checked { setting: Some(set(on)), clamped: None })
            }
            OptionKind::Button(setting) => {
                Ok(Checked { setting: Some(setting.clone()), clamped: None })
            }
            OptionKind::Text { set, .. } => {
                let found = value.filter(|text| !text.eq_ignore_ascii_case(EMPTY_TEXT));
                let setting = set.map(|set| set(found.unwrap_or_default().to_owned()));
                Ok(Checked { setting, clamped: None })
            }
        }
    }
}

/// The text after the option's name in the answer to `uci`.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spin { default, min, max, .. } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            Self::Check { default, .. } => write!(f, "type check default {default}"),
            Self::Button(_) => f.write_str("type button"),
            Self::Text { default: "", .. } => write!(f, "type string default {EMPTY_TEXT}"),
            Self::Text { default, .. } => write!(f, "type string default {default}"),
        }
    }
}

/// What a `setoption` comes to.
#[derive(Debug, PartialEq, Eq)]
pub struct Checked {
    /// What to do; `None` for an option that is only there to be read.
    pub setting: Option<Setting>,
    /// Whether the number lay outside the range.
    pub clamped: Option<Clamped>,
}

/// A number outside its range, and the one taken instead.
#[derive(Debug, PartialEq, Eq)]
pub struct Clamped {
    name: &'static str,
    found: String,
    used: i64,
}

impl fmt::Display for Clamped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, found, used } = self;
        write!(f, "{name}: {} is out of range, {used} is used", Quoted(found))
    }
}

/// Why an option was not set.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The value is missing.
    NoValue(&'static str),
    /// The value is of the wrong kind.
    BadValue {
        /// The option.
        name: &'static str,
        /// What was sent.
        found: String,
        /// What would have been right.
        wanted: &'static str,
    },
}

impl OptionError {
    fn bad_value(name: &'static str, found: &str, wanted: &'static str) -> Self {
        Self::BadValue { name, found: found.to_owned(), wanted }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "setoption: no option is called {}", Quoted(name)),
            Self::NoValue(name) => write!(f, "setoption {name}: the value is missing"),
            Self::BadValue { name, found, wanted } => {
                write!(f, "setoption {name}: {} is not {wanted}", Quoted(found))
            }
        }
    }
}

impl Error for OptionError {}

/// Checks a name and a value, without white space around it, against the table. Names and values are not case-sensitive.
///
/// # Errors
/// When no option has the name, or the value is missing or not of its kind. A number outside the range is no error.
pub fn check_setting(name: &str, value: Option<&str>) -> Result<Checked, OptionError> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(name.to_owned()))?
        .checked(value)
}

/// The number sent for an option, moved into its range by `clamp`, and a remark if that has changed it.
pub(super) fn read_number(
    name: &'static str,
    value: Option<&str>,
    clamp: impl FnOnce(i64) -> i64,
) -> Result<(i64, Option<Clamped>), OptionError> {
    let found = value.ok_or(OptionError::NoValue(name))?;
    let number =
        parse_number(found).ok_or_else(|| OptionError::bad_value(name, found, "a whole number"))?;
    let used = clamp(number);
    let clamped = (used != number).then(|| Clamped { name, found: found.to_owned(), used });
    Ok((used, clamped))
}

/// A whole number of any length; those that no `i64` holds become the nearest one.
pub fn parse_number(word: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match word.parse() {
        Ok(number) => Some(number),
        Err(error) => match std::num::ParseIntError::kind(&error) {
            PosOverflow => Some(i64::MAX),
            NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &str, value: &str) -> Option<Setting> {
        check_setting(name, Some(value)).expect("a good value").setting
    }

    #[test]
    fn names_and_values_are_not_case_sensitive() {
        assert_eq!(setting("hash", "64"), Some(Setting::Hash(64)));
        assert_eq!(setting("uci_chess960", "TRUE"), Some(Setting::Chess960(true)));
        assert_eq!(setting("moveoverhead", "7"), Some(Setting::MoveOverhead(7)));
        assert_eq!(setting("MOVE OVERHEAD", "7"), Some(Setting::MoveOverhead(7)));
        assert_eq!(
            check_setting("Clear hash", None).expect("ok").setting,
            Some(Setting::ClearHash)
        );
    }

    #[test]
    fn numbers_out_of_range_are_moved_into_it() {
        for (name, sent, used) in [
            ("Hash", "0", Setting::Hash(1)),
            ("Hash", "99999999999999999999", Setting::Hash(33_554_432)),
            ("Threads", "-99999999999999999999", Setting::Threads(1)),
            ("MultiPV", "257", Setting::MultiPv(256)),
        ] {
            let checked = check_setting(name, Some(sent)).expect("clamped");
            assert_eq!(checked.setting, Some(used));
            let note = checked.clamped.expect("a note").to_string();
            assert!(note.contains(name) && note.contains(sent), "{note}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (name, value, part) in [
            ("Hash", Some("abc"), "'abc' is not a whole number"),
            ("Hash", None, "value is missing"),
            ("Ponder", Some("maybe"), "'maybe' is not true or false"),
            ("Hush", Some("1"), "'Hush'"),
            ("", Some("1"), "''"),
        ] {
            let error = check_setting(name, value).expect_err("wrong").to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn empty_text_has_three_spellings() {
        for value in [None, Some(""), Some("<EMPTY>")] {
            let checked = check_setting("Debug Log File", value).expect("ok");
            assert_eq!(checked.setting, Some(Setting::DebugLogFile(String::new())));
        }
    }

    #[test]
    fn names_differ_and_defaults_pass_their_own_check() {
        for (index, option) in OPTIONS.iter().enumerate() {
            let name = option.name;
            assert!(OPTIONS[..index].iter().all(|o| !o.name.eq_ignore_ascii_case(name)), "{name}");
            let text = option.kind.to_string();
            let default = text
                .split_once("default ")
                .map(|(_, rest)| rest.split_once(" min ").map_or(rest, |(default, _)| default));
            let checked = check_setting(name, default).expect("a default is a good value");
            assert_eq!(checked.clamped, None, "{name}");
            if let Some(setting) = option.default_setting() {
                assert_eq!(checked.setting, Some(setting), "{name}");
            }
        }
    }
}
