//! A game of the user against the engine: sides, strength, clocks.

use std::fmt;
use std::time::{Duration, Instant};

use crate::board::GameResult;
use crate::cli::PLAY;
use crate::engine::options::elo_range;
use crate::engine::random_seed;
use crate::search::Limits;
use crate::text::{Quoted, clock};
use crate::types::{Color, ColorMap, Score};

/// Rating of the engine where none of `level`, `time` and `movetime` is given.
const DEFAULT_LEVEL: u32 = 1500;
const MAX_SECONDS: u64 = 24 * 60 * 60;
const MAX_TIME: Duration = Duration::from_secs(MAX_SECONDS);

/// Parsed arguments of `play`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    pub(super) user: Color,
    pub(super) start: GameStart,
    /// Rating of the engine; `None` for full strength.
    pub(super) level: Option<u32>,
    /// Base time and increment of each side.
    pub(super) time: Option<(Duration, Duration)>,
    /// Time of the engine for a move.
    pub(super) move_time: Option<Duration>,
    /// True to hide the scores of the engine's moves.
    pub(super) is_quiet: bool,
}

/// Position from which a game begins.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum GameStart {
    Standard,
    /// The position on the board.
    Here,
    /// A random start position.
    Chess960,
}

impl Settings {
    /// Parses the words after `play`.
    pub(super) fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut settings = Self {
            user: Color::White,
            start: GameStart::Standard,
            level: None,
            time: None,
            move_time: None,
            is_quiet: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_default();
            match word {
                "white" => settings.user = Color::White,
                "black" => settings.user = Color::Black,
                "random" => settings.user = random_color(),
                "here" => settings.start = GameStart::Here,
                "chess960" => settings.start = GameStart::Chess960,
                "quiet" => settings.is_quiet = true,
                "level" => settings.level = Some(parse_level(value())?),
                "time" => settings.time = Some(parse_time(value())?),
                "movetime" => settings.move_time = Some(parse_seconds(value())?),
                _ => return Err(format!("play: unknown word {}, expected {PLAY}", Quoted(word))),
            }
        }
        if settings.level.is_none() && settings.time.is_none() && settings.move_time.is_none() {
            settings.level = Some(DEFAULT_LEVEL);
        }
        Ok(settings)
    }

    pub(super) fn strength(&self) -> String {
        self.level.map_or_else(|| "full strength".to_owned(), |level| format!("level {level}"))
    }
}

/// Writes the words that [`Settings::parse`] reads, without the start position.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.user == Color::White { "white" } else { "black" })?;
        if let Some(level) = self.level {
            write!(f, " level {level}")?;
        }
        if let Some((time, increment)) = self.time {
            write!(f, " time {}+{}", time.as_secs_f64() / 60.0, increment.as_secs_f64())?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_secs_f64())?;
        }
        if self.is_quiet {
            f.write_str(" quiet")?;
        }
        Ok(())
    }
}

fn random_color() -> Color {
    if random_seed().is_multiple_of(2) { Color::White } else { Color::Black }
}

/// Parses the rating of a level.
pub(super) fn parse_level(word: &str) -> Result<u32, String> {
    let (min, max) = elo_range().into_inner();
    let level = word.parse().ok().filter(|level| elo_range().contains(level));
    let found = Quoted(word);
    level.ok_or_else(|| format!("level: expected {min} to {max}, found {found}"))
}

/// Parses a number of seconds or minutes, at most [`MAX_TIME`].
fn seconds_of(word: &str, unit: f64) -> Option<Duration> {
    let number: f64 = word.parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok().filter(|&time| time <= MAX_TIME)
}

fn parse_seconds(word: &str) -> Result<Duration, String> {
    let seconds = seconds_of(word, 1.0);
    seconds.ok_or_else(|| {
        let found = Quoted(word);
        format!("play movetime: expected 0 to {MAX_SECONDS} seconds, found {found}")
    })
}

fn parse_time(word: &str) -> Result<(Duration, Duration), String> {
    let (minutes, increment) = word.split_once('+').unwrap_or((word, "0"));
    let time = seconds_of(minutes, 60.0).filter(|time| !time.is_zero());
    time.zip(seconds_of(increment, 1.0)).ok_or_else(|| {
        format!("play time: expected minutes+seconds, such as 5+3, found {}", Quoted(word))
    })
}

/// Formats the time left: `4:32`, below ten seconds `9.5`.
fn time_left(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        format!("{}.{}", time.as_secs(), time.subsec_millis() / 100)
    } else {
        clock(time)
    }
}

pub(super) struct EngineGame {
    pub(super) settings: Settings,
    /// Time left, if the game has clocks.
    clocks: Option<ColorMap<Duration>>,
    turn_began: Instant,
    /// Last score of the engine, from its own point of view.
    pub(super) score: Option<Score>,
}

impl EngineGame {
    pub(super) fn new(settings: Settings) -> Self {
        Self::resumed(settings, None)
    }

    /// Continues a game with these clocks, if it has clocks; `None` for full ones.
    pub(super) fn resumed(settings: Settings, clocks: Option<ColorMap<Duration>>) -> Self {
        let full = settings.time.map(|(time, _)| ColorMap::filled(time));
        let clocks = full.map(|full| clocks.unwrap_or(full));
        Self { settings, clocks, turn_began: Instant::now(), score: None }
    }

    /// Returns the time left at the start of the turn, if the game has clocks.
    pub(super) fn time_left(&self) -> Option<ColorMap<Duration>> {
        self.clocks
    }

    pub(super) fn limits(&self) -> Limits {
        let mut limits = Limits { move_time: self.settings.move_time, ..Limits::default() };
        if let (Some(clocks), Some((_, increment))) = (self.clocks, self.settings.time) {
            limits.time = ColorMap::new(Color::ALL.map(|color| Some(clocks[color])));
            limits.increment = ColorMap::filled(increment);
        }
        limits
    }

    /// Stops the clock of `side` and starts the other one. Returns false if its time was up.
    pub(super) fn press_clock(&mut self, side: Color) -> bool {
        let used = self.turn_began.elapsed();
        self.turn_began = Instant::now();
        let (Some(clocks), Some((_, increment))) = (&mut self.clocks, self.settings.time) else {
            return true;
        };
        let is_in_time = used <= clocks[side];
        clocks[side] = clocks[side].saturating_sub(used) + increment;
        is_in_time
    }

    /// Restarts the turn after moves were taken back.
    pub(super) fn restart_turn(&mut self) {
        self.turn_began = Instant::now();
    }

    /// Returns the time left while `side` is to move.
    pub(super) fn running_clocks(&self, side: Color) -> Option<String> {
        let mut clocks = self.clocks?;
        clocks[side] = clocks[side].saturating_sub(self.turn_began.elapsed());
        Some(Self::clocks_text(clocks))
    }

    /// Returns the time left at the start of the turn.
    pub(super) fn clocks(&self) -> Option<String> {
        self.clocks.map(Self::clocks_text)
    }

    fn clocks_text(clocks: ColorMap<Duration>) -> String {
        let [white, black] = Color::ALL.map(|color| time_left(clocks[color]));
        format!("White {white}, Black {black}")
    }
}

/// State of the game on the board.
pub(super) enum PlayState {
    /// The user plays both sides.
    Open,
    /// Game against the engine.
    Running(EngineGame),
    /// `settings` are those of a game against the engine.
    Over { settings: Option<Settings>, result: GameResult },
}

impl PlayState {
    pub(super) fn running(&self) -> Option<&EngineGame> {
        match self {
            Self::Running(game) => Some(game),
            Self::Open | Self::Over { .. } => None,
        }
    }

    pub(super) fn running_mut(&mut self) -> Option<&mut EngineGame> {
        match self {
            Self::Running(game) => Some(game),
            Self::Open | Self::Over { .. } => None,
        }
    }

    pub(super) fn settings(&self) -> Option<Settings> {
        match self {
            Self::Open => None,
            Self::Running(game) => Some(game.settings),
            Self::Over { settings, .. } => *settings,
        }
    }

    pub(super) fn result(&self) -> Option<GameResult> {
        match self {
            Self::Open | Self::Running(_) => None,
            Self::Over { result, .. } => Some(*result),
        }
    }

    pub(super) fn end(&mut self, result: GameResult) {
        *self = Self::Over { settings: self.settings(), result };
    }

    /// Leaves a game that is over: the user now plays both sides.
    pub(super) fn reopen(&mut self) {
        if let Self::Over { .. } = self {
            *self = Self::Open;
        }
    }

    /// Continues a game that is over, with new clocks.
    pub(super) fn resume(&mut self) {
        if let Self::Over { settings, .. } = self {
            *self =
                settings.map_or(Self::Open, |settings| Self::Running(EngineGame::new(settings)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Settings, String> {
        Settings::parse(text.split_whitespace())
    }

    #[test]
    fn settings_have_defaults_and_combine() {
        let default = parse("").expect("valid");
        assert_eq!((default.user, default.level), (Color::White, Some(1500)));
        assert_eq!(default.start, GameStart::Standard);
        assert_eq!(parse("here black").map(|here| here.start), Ok(GameStart::Here));
        assert_eq!(parse("chess960").map(|game| game.start), Ok(GameStart::Chess960));
        let quiet = parse("quiet").expect("valid");
        assert!(quiet.is_quiet && !default.is_quiet);
        let full = parse("black time 5+3").expect("valid");
        let (minutes, seconds) = (Duration::from_secs(300), Duration::from_secs(3));
        assert_eq!((full.user, full.level), (Color::Black, None));
        assert_eq!(full.time, Some((minutes, seconds)));
        let weak = parse("level 1000 movetime 0.5").expect("valid");
        assert_eq!((weak.level, weak.move_time), (Some(1000), Some(Duration::from_millis(500))));
        assert_eq!(weak.strength(), "level 1000");
        for settings in [default, full, weak, quiet] {
            assert_eq!(parse(&settings.to_string()), Ok(settings));
        }
    }

    #[test]
    fn errors_say_what_is_expected() {
        for (text, error) in [
            ("level 9", "level: expected 500 to 3000, found '9'"),
            ("level", "level: expected 500 to 3000, found ''"),
            ("time x", "play time: expected minutes+seconds, such as 5+3, found 'x'"),
            ("time 0", "play time: expected minutes+seconds, such as 5+3, found '0'"),
            ("movetime -1", "play movetime: expected 0 to 86400 seconds, found '-1'"),
            ("movetime 1e18", "play movetime: expected 0 to 86400 seconds, found '1e18'"),
        ] {
            assert_eq!(parse(text), Err(error.to_owned()), "{text}");
        }
        let error = parse("joho").expect_err("unknown");
        assert!(error.starts_with("play: unknown word 'joho', expected play [white|"), "{error}");
    }

    #[test]
    fn clocks_run_for_the_side_to_move() {
        let settings = parse("time 1+2").expect("valid");
        let mut game = EngineGame::new(settings);
        assert_eq!(game.clocks().as_deref(), Some("White 1:00, Black 1:00"));
        assert!(
            game.running_clocks(Color::Black).is_some_and(|text| text.starts_with("White 1:00,"))
        );
        assert!(game.press_clock(Color::White));
        assert_eq!(game.clocks().as_deref(), Some("White 1:01, Black 1:00"));
        let limits = game.limits();
        assert!(limits.time[Color::White] > limits.time[Color::Black]);
        game.clocks = Some(ColorMap::filled(Duration::ZERO));
        assert!(!game.press_clock(Color::Black));
    }

    #[test]
    fn the_last_seconds_have_tenths() {
        let left = |ms| time_left(Duration::from_millis(ms));
        assert_eq!([left(272_900), left(10_000), left(9_960)], ["4:32", "0:10", "9.9"]);
    }
}
