//! A game of the prompt as PGN and back, with what a game against the engine needs to go on.

use std::env;
use std::time::Duration;

use crate::board::GameResult;
use crate::engine::about;
use crate::pgn::{PgnGame, Reader, Tags, result_text};
use crate::types::{Color, ColorMap};

use super::engine_game::{EngineGame, PlayState, Settings};
use super::played_game::PlayedGame;

/// Tag with the arguments of `play`, such as `black level 1200`.
const PLAY: &str = "TabiaPlay";
/// Tag with the seconds left to White and Black.
const CLOCKS: &str = "TabiaClocks";

/// Game that was read.
pub(super) struct SavedGame {
    pub(super) game: PlayedGame,
    /// Opponent of a game that has not ended.
    pub(super) opponent: Option<EngineGame>,
    /// Result of a game that has ended.
    pub(super) result: Option<GameResult>,
    /// Players and result: `Anderssen – Kieseritzky, 1-0`.
    pub(super) title: String,
}

/// Returns the game on the board as PGN.
pub(super) fn pgn(game: &PlayedGame, state: &PlayState) -> PgnGame {
    game.pgn(tags(game, state), state.result())
}

fn tags(game: &PlayedGame, state: &PlayState) -> Tags {
    if let (Some(tags), None) = (&game.tags, state.settings()) {
        return tags.clone();
    }
    let name = ["USER", "USERNAME"].map(env::var).into_iter().find_map(Result::ok);
    let user = name.unwrap_or_else(|| "?".to_owned());
    let settings = state.settings();
    let [white, black] = match settings {
        None => [user.clone(), user],
        Some(settings) => {
            let engine = format!("Tabia {}, {}", about::VERSION, settings.strength());
            if settings.user == Color::White { [user, engine] } else { [engine, user] }
        }
    };
    let mut tags = Tags::default();
    for (name, value) in [
        ("Event", "Game at the terminal"),
        ("Site", "?"),
        ("Date", &game.date),
        ("Round", "-"),
        ("White", &white),
        ("Black", &black),
    ] {
        tags.set(name, value);
    }
    let Some(settings) = settings else { return tags };
    if let Some((time, increment)) = settings.time {
        let control = format!("{}+{}", time.as_secs_f64(), increment.as_secs_f64());
        tags.set("TimeControl", &control);
    }
    tags.set(PLAY, &settings.to_string());
    if let Some(clocks) = state.running().and_then(EngineGame::time_left) {
        let [white, black] = Color::ALL.map(|side| clocks[side].as_secs_f64());
        tags.set(CLOCKS, &format!("{white} {black}"));
    }
    tags
}

impl SavedGame {
    /// Takes the moves of a game, up to its end or the fault that cuts it short.
    ///
    /// # Errors
    /// If the game has null moves, or its opponent is not understood.
    pub(super) fn of(pgn: PgnGame) -> Result<Self, String> {
        let player = |name| pgn.tags.get(name).unwrap_or("?");
        let title =
            format!("{} – {}, {}", player("White"), player("Black"), result_text(pgn.result));
        let play = pgn.tags.get(PLAY).map(|words| Settings::parse(words.split_whitespace()));
        let clocks = pgn.tags.get(CLOCKS).map(parse_clocks).transpose()?;
        let mut game = PlayedGame::new(pgn.start);
        if let Some(date) = pgn.tags.get("Date") {
            date.clone_into(&mut game.date);
        }
        for played in pgn.line.moves {
            game.play(played.mv.ok_or("a null move cannot be played")?);
        }
        let is_open = pgn.result.is_none() && game.end().is_none();
        let play = play.transpose()?.filter(|_| is_open);
        let opponent = play.map(|settings| EngineGame::resumed(settings, clocks));
        game.tags = Some(pgn.tags);
        Ok(Self { game, opponent, result: pgn.result, title })
    }

    /// Parses the text of a game against the engine. Returns `None` if it has ended.
    ///
    /// # Errors
    /// If the text is anything else.
    pub(super) fn unfinished(text: &str) -> Result<Option<Self>, String> {
        let mut games = Reader::new(text.as_bytes());
        let game = games.next().ok_or("it is empty")?.map_err(|error| error.to_string())?;
        if let Some(fault) = game.cut {
            return Err(fault.to_string());
        }
        if game.tags.get(PLAY).is_none() || games.next().is_some() {
            return Err("it is not one game against Tabia".to_owned());
        }
        Self::of(game).map(|saved| saved.opponent.is_some().then_some(saved))
    }
}

fn parse_clocks(text: &str) -> Result<ColorMap<Duration>, String> {
    let seconds = |word: &str| Duration::try_from_secs_f64(word.parse().ok()?).ok();
    let times = text.split_once(' ').and_then(|(white, black)| seconds(white).zip(seconds(black)));
    let (white, black) = times.ok_or_else(|| format!("bad {CLOCKS}"))?;
    Ok(ColorMap::new([white, black]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, GameResult};

    fn played(start: Board, moves: &[&str], play: &str) -> (PlayedGame, PlayState) {
        let mut game = PlayedGame::new(start);
        for san in moves {
            let mv = game.board().parse_san(san).expect("legal");
            game.play(mv);
        }
        let settings = Settings::parse(play.split_whitespace()).expect("valid");
        (game, PlayState::Running(EngineGame::new(settings)))
    }

    #[test]
    fn an_unfinished_game_comes_back_as_it_was() {
        let chess960 = Board::chess960_startpos(1, 1);
        for (start, moves, play) in [
            (Board::startpos(), &["e4", "e5", "Nf3"][..], "black level 1200"),
            (Board::startpos(), &["d4"], "white time 0.05+3"),
            (chess960, &["e4"], "white movetime 0.5"),
        ] {
            let (game, mut state) = played(start, moves, play);
            let side = game.board().side_to_move();
            state.running_mut().expect("running").press_clock(side);
            let text = pgn(&game, &state).to_string();
            let saved = SavedGame::unfinished(&text).expect("a game").expect("unfinished");
            assert_eq!(saved.game.board().key(), game.board().key(), "{text}");
            let opponent = saved.opponent.expect("an opponent");
            assert_eq!(Some(opponent.settings), state.settings(), "{text}");
            assert_eq!(opponent.time_left(), state.running().and_then(EngineGame::time_left));
            assert_eq!(saved.game.date, game.date);
        }
    }

    #[test]
    fn what_is_not_such_a_game_is_named() {
        let (game, mut state) = played(Board::startpos(), &["e4", "e5"], "level 1200");
        let text = pgn(&game, &state).to_string();
        state.end(GameResult::Draw);
        assert!(SavedGame::unfinished(&pgn(&game, &state).to_string()).expect("a game").is_none());
        for (damaged, reason) in [
            (text.replace("e5", "e6 e7"), "'e7' is not a legal move"),
            (text.replace("level 1200", "level 9"), "level: expected 500 to 3000"),
            (text.replace(PLAY, "Play"), "it is not one game against Tabia"),
            (text.repeat(2), "it is not one game against Tabia"),
            (text.replace("e5", "--"), "a null move"),
            ("\0".to_owned(), ""),
        ] {
            let error = SavedGame::unfinished(&damaged).err().expect("an error");
            assert!(error.contains(reason), "{damaged}: {error}");
        }
    }
}
