//! Table of options: names, types, defaults, ranges and effects.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::platform::HAS_THREADS;
use crate::search::{TUNABLES, Tunable};
use crate::text::Quoted;
use crate::types::Depth;

use super::about;
use super::actor::Engine;
use super::level::{MAX_ELO, MAX_SKILL, MIN_ELO};
use super::value::{Number, OptionError, OptionSetting, OptionValue};

/// Option of the engine.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name in the spelling that chess programs look for.
    pub name: &'static str,
    /// One line for users.
    pub help: &'static str,
    /// Type, default and effect.
    pub kind: OptionKind,
}

/// Type, default and effect of an option.
#[derive(Debug)]
pub enum OptionKind {
    /// Integer in a range.
    Spin {
        /// Value before it is set.
        default: u32,
        /// Smallest value allowed.
        min: u32,
        /// Greatest value, which fits an `i32` as some chess programs require.
        max: u32,
        /// Unit of the value, or empty.
        unit: &'static str,
        /// Sets a value in range.
        apply: fn(&mut Engine, u32),
    },
    /// True or false.
    Check {
        /// Value before it is set.
        default: bool,
        /// Sets a value.
        apply: fn(&mut Engine, bool),
    },
    /// Action without a value.
    Button(fn(&mut Engine)),
    /// Text: one line, which may be empty.
    Text {
        /// Value before it is set.
        default: &'static str,
        /// Sets a value; `None` for a read-only text.
        apply: Option<fn(&mut Engine, &str)>,
    },
}

/// Largest `Hash` in MiB. A 32-bit program cannot allocate 2048 MiB at once, and needs some memory
/// for the rest.
pub const MAX_HASH: u32 = if usize::BITS >= 64 { 33_554_432 } else { 1024 };

/// Returns the range of `UCI_Elo`.
pub const fn elo_range() -> RangeInclusive<u32> {
    MIN_ELO..=MAX_ELO
}

/// Greatest number of search threads.
pub const MAX_THREADS: u32 = if HAS_THREADS { 1024 } else { 1 };

/// Maximum of `MultiPV`; the most moves known in a position are 218.
pub const MAX_MULTI_PV: u32 = 256;

/// Lists options: name, type with default and range, help, setter.
macro_rules! options {
    ($($name:literal, $kind:ident($($value:expr),*), $help:literal => $apply:expr;)+) => {
        &[$(OptionSpec { name: $name, help: $help, kind: $kind($($value,)* $apply) },)+]
    };
}

/// All options, in the order announced.
pub static OPTIONS: &[OptionSpec] = options! {
    "Hash", spin(16, 1, MAX_HASH, "MiB"), "size of the transposition table"
        => Engine::set_hash;
    "Threads", spin(1, 1, MAX_THREADS, ""), "number of search threads"
        => Engine::set_threads;
    "Clear Hash", button(), "clear the transposition table"
        => |engine| engine.pool.clear_hash();
    "Ponder", check(false), "the engine may think on the opponent's time"
        => |engine, on| engine.search_options.ponder = on;
    "MultiPV", spin(1, 1, MAX_MULTI_PV, ""), "number of best moves to show, with their PVs"
        => |engine, lines| engine.search_options.multi_pv = lines as usize;
    "Move Overhead", spin(20, 0, 5000, "ms"), "time lost per move between engine and clock"
        => |engine, ms| engine.search_options.move_overhead = Duration::from_millis(ms.into());
    "UCI_Chess960", check(false), "write castling as king takes rook"
        => Engine::set_chess960;
    "UCI_ShowWDL", check(false), "show win, draw and loss chances in permille"
        => |engine, on| engine.show_wdl = on;
    "UCI_AnalyseMode", check(false), "ignore OwnBook, UCI_LimitStrength and Skill Level"
        => |engine, on| engine.analyse_mode = on;
    "EvalFile", text(""), "network file; empty for the embedded network"
        => Some(Engine::set_network);
    "UCI_EngineAbout", text(about::ABOUT), "name, version, authors and licence; read-only"
        => None;
    "UCI_LimitStrength", check(false), "play at the strength of UCI_Elo"
        => |engine, on| engine.level.is_on = on;
    "UCI_Elo", spin(MAX_ELO, MIN_ELO, MAX_ELO, ""), "rating to play at with UCI_LimitStrength"
        => |engine, elo| engine.level.elo = elo;
    "Level Seed", spin(0, 0, i32::MAX as u32, ""),
        "seed of a level's moves; 0: random in each game"
        => |engine, seed| engine.level.seed = seed;
    "Skill Level", spin(MAX_SKILL, 0, MAX_SKILL, ""),
        "without UCI_LimitStrength: a level, 20 is full strength"
        => |engine, skill| engine.level.skill = skill;
    "SyzygyPath", text(""), "folders of Syzygy tablebases"
        => Some(Engine::set_tablebases);
    "SyzygyProbeDepth", spin(1, 1, 100, "plies"), "least depth for probing the largest tables"
        => |engine, plies| engine.search_options.tablebases.min_depth = plies as Depth;
    "Syzygy50MoveRule", check(true), "score wins that need too many moves as draws"
        => |engine, on| engine.search_options.tablebases.fifty_moves = on;
    "SyzygyProbeLimit", spin(7, 0, 7, "pieces"), "most pieces in a position that is probed"
        => |engine, pieces| engine.search_options.tablebases.max_pieces = pieces as usize;
    "OwnBook", check(false), "play moves from Book File"
        => |engine, on| engine.own_book.switch(on);
    "Book File", text(""), "opening book in Polyglot format"
        => Some(Engine::set_book);
    "Best Book Move", check(false), "always play the book move of greatest weight"
        => |engine, on| engine.own_book.best_only = on;
    "Debug Log File", text(""), "file that receives all input and output"
        => Some(Engine::set_log);
    "nodestime", spin(0, 0, 10_000, "nodes/ms"), "count nodes instead of time; 0 for real time"
        => |engine, nodes| engine.search_options.nodes_time = nodes.into();
};

/// Other spellings in use, with the name in [`OPTIONS`].
const ALIASES: &[(&str, &str)] = &[("MoveOverhead", "Move Overhead")];

const fn spin(
    default: u32,
    min: u32,
    max: u32,
    unit: &'static str,
    apply: fn(&mut Engine, u32),
) -> OptionKind {
    assert!(min <= default && default <= max && max <= i32::MAX as u32);
    OptionKind::Spin { default, min, max, unit, apply }
}

const fn check(default: bool, apply: fn(&mut Engine, bool)) -> OptionKind {
    OptionKind::Check { default, apply }
}

const fn button(press: fn(&mut Engine)) -> OptionKind {
    OptionKind::Button(press)
}

const fn text(default: &'static str, apply: Option<fn(&mut Engine, &str)>) -> OptionKind {
    OptionKind::Text { default, apply }
}

impl OptionSpec {
    fn reset(&self, engine: &mut Engine) {
        match self.kind {
            OptionKind::Spin { default, apply, .. } => apply(engine, default),
            OptionKind::Check { default, apply } => apply(engine, default),
            OptionKind::Text { default, apply: Some(apply) } => apply(engine, default),
            OptionKind::Button(_) | OptionKind::Text { apply: None, .. } => {}
        }
    }

    /// Parses a value of the option's type.
    fn parse(&self, found: Option<&str>) -> Result<OptionValue, OptionError> {
        let name = self.name;
        match self.kind {
            OptionKind::Spin { min, max, unit, .. } => {
                Number::parse(name, found, min.into(), max.into(), unit).map(OptionValue::Number)
            }
            OptionKind::Check { .. } => {
                let found = found.ok_or(OptionError::NoValue(name))?;
                match found.to_ascii_lowercase().as_str() {
                    "true" => Ok(OptionValue::Check(true)),
                    "false" => Ok(OptionValue::Check(false)),
                    _ => Err(OptionError::bad_value(name, found, "'true' or 'false'")),
                }
            }
            OptionKind::Button(_) => Ok(OptionValue::Press),
            OptionKind::Text { .. } => Ok(OptionValue::Text),
        }
    }
}

impl Engine {
    pub(super) fn reset_options(&mut self) {
        for option in OPTIONS {
            option.reset(self);
        }
    }

    pub(super) fn set_option(&mut self, setting: OptionSetting) {
        let OptionSetting { name, found, value } = setting;
        self.debug_note(|| format!("set {name} to {}", Quoted(&found)));
        if let OptionValue::Number(Number { note: Some(note), .. }) = &value {
            self.note(note.clone());
        }
        match (find(name).map(|option| &option.kind), value) {
            (Some(OptionKind::Spin { apply, .. }), OptionValue::Number(number)) => {
                apply(self, number.used as u32);
            }
            (Some(OptionKind::Check { apply, .. }), OptionValue::Check(on)) => apply(self, on),
            (Some(OptionKind::Button(press)), OptionValue::Press) => press(self),
            (Some(OptionKind::Text { apply: Some(apply), .. }), OptionValue::Text) => {
                apply(self, &found);
            }
            (_, OptionValue::Number(number)) => {
                if let Some(tunable) = find_tunable(name) {
                    tunable.set(number.used);
                }
            }
            // A text that is read-only.
            _ => {}
        }
    }
}

impl OptionSetting {
    /// Parses the name and the value of an option or a search parameter. Names, `true` and `false`
    /// are not case-sensitive. Numbers out of range are clamped with a note.
    ///
    /// # Errors
    /// If there is no such option, or the value is not of its type.
    pub fn parse(name: &str, value: Option<&str>) -> Result<Self, OptionError> {
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let name = alias.map_or(name, |(_, name)| name);
        let found = value.unwrap_or_default().to_owned();
        if let Some(tunable) = find_tunable(name) {
            let Tunable { name, min, max, .. } = *tunable;
            let number = Number::parse(name, value, min.into(), max.into(), "")?;
            return Ok(Self { name, found, value: OptionValue::Number(number) });
        }
        let option = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        Ok(Self { name: option.name, found, value: option.parse(value)? })
    }
}

fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Returns a search parameter; none without the feature `tune`.
fn find_tunable(name: &str) -> Option<&'static Tunable> {
    TUNABLES.iter().copied().find(|tunable| tunable.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::engine::protocol::Reply;
    use crate::engine::session_log::SessionLog;
    use crate::search::{self, Limits, SearchRequest};

    fn engine_with(name: &str, value: Option<&str>) -> (Engine, Vec<String>) {
        let (replies, outbox) = crossbeam_channel::unbounded();
        let mut engine = Engine::new(replies, SessionLog::default()).expect("a small pool");
        engine.set_option(OptionSetting::parse(name, value).expect("a valid value"));
        let notes = outbox.try_iter().filter_map(|reply| match reply {
            Reply::Note(note) => Some(note),
            Reply::Chess960(_) => None,
            reply => panic!("{reply:?}"),
        });
        let notes = notes.collect();
        (engine, notes)
    }

    #[test]
    fn names_and_values_are_not_case_sensitive() {
        assert_eq!(engine_with("multipv", Some("64")).0.search_options.multi_pv, 64);
        assert!(engine_with("uci_showwdl", Some("TRUE")).0.show_wdl);
        for name in ["moveoverhead", "MOVE OVERHEAD"] {
            let overhead = engine_with(name, Some("7")).0.search_options.move_overhead;
            assert_eq!(overhead, Duration::from_millis(7));
        }
    }

    #[test]
    fn the_hash_table_is_cleared() {
        let (mut engine, _) = engine_with("MultiPV", Some("1"));
        let limits = Limits { depth: Some(8), ..Limits::default() };
        search::run(&mut engine.pool, SearchRequest::new(Board::startpos(), limits));
        let entry = |engine: &Engine| engine.pool.tt().probe(Board::startpos().search_key(), 0, 0);
        assert!(entry(&engine).is_some());
        engine.set_option(OptionSetting::parse("Clear hash", None).expect("a button"));
        assert!(entry(&engine).is_none());
    }

    #[test]
    fn numbers_out_of_range_are_clamped_with_a_note() {
        let (engine, notes) = engine_with("MultiPV", Some("257"));
        assert_eq!(engine.search_options.multi_pv, 256);
        assert_eq!(notes, ["MultiPV: 257 is above the maximum of 256, which is used"]);
        let (engine, notes) = engine_with("Move Overhead", Some("-99999999999999999999"));
        assert_eq!(engine.search_options.move_overhead, Duration::ZERO);
        assert_eq!(
            notes,
            ["Move Overhead: -99999999999999999999 is below the minimum of 0 ms, which is used"]
        );
    }

    #[test]
    fn errors_name_the_option_and_the_value() {
        for (name, value, message) in [
            ("Hash", Some("abc"), "Hash: expected an integer, found 'abc'"),
            ("Hash", None, "setoption: Hash needs 'value' and a value"),
            ("Ponder", Some("maybe"), "Ponder: expected 'true' or 'false', found 'maybe'"),
            ("Hush", Some("1"), "setoption: unknown option 'Hush'"),
            ("", Some("1"), "setoption: unknown option ''"),
        ] {
            let error = OptionSetting::parse(name, value).expect_err("an error").to_string();
            assert_eq!(error, message);
        }
    }

    #[test]
    fn names_are_distinct() {
        for (index, option) in OPTIONS.iter().enumerate() {
            let name = option.name;
            assert!(OPTIONS[..index].iter().all(|o| !o.name.eq_ignore_ascii_case(name)), "{name}");
        }
    }
}
