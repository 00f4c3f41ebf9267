//! Moves on the board and games against the engine: begin, play, take back, end, save, resume.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::board::{Board, GameResult};
use crate::engine::protocol::JobCommand;
use crate::engine::{Command, draw_refusal, random_seed};
use crate::files;
use crate::pgn::Reader;
use crate::search::Limits;
use crate::text::{ShownPath, short, visible};
use crate::tools::SearchSetup;
use crate::types::{Bound, Move};

use super::console::{Console, Purpose};
use super::editor::WIDTH;
use super::engine_game::{EngineGame, GameStart, PlayState, Settings, parse_level};
use super::game_keeper::{Contents, KeptGame};
use super::paths::home_expanded;
use super::played_game::PlayedGame;
use super::saved_game::{self, SavedGame};
use super::search_table;

/// Time of a search for a hint or a score.
const GLANCE_TIME: Duration = Duration::from_secs(1);
/// Nodes for each position of a review.
const REVIEW_NODES: u64 = 100_000;
/// Maximum number of games that `resume` lists.
const MAX_LISTED: usize = 9;

impl Console {
    /// Begins a game, or asks first if that leaves an unfinished one.
    pub(super) fn play(&mut self, settings: Settings) {
        if !self.has_unfinished_game() {
            return self.begin_game(settings);
        }
        let number = self.game.board().fullmove_number();
        self.print(&if self.keeper.is_kept() {
            format!("Your game at move {number} is not finished. It is kept for 'resume'.")
        } else {
            format!("Your game at move {number} is not finished and would be lost.")
        });
        self.question = Some(settings);
    }

    /// Answers the question of [`Self::play`]. Returns false if the line is no answer.
    pub(super) fn answer(&mut self, settings: Settings, line: &str) -> bool {
        match line.to_lowercase().as_str() {
            "y" | "yes" => self.begin_game(settings),
            "" | "n" | "no" => self.print("The game goes on."),
            _ => return false,
        }
        true
    }

    /// Returns whether there is a game in which both sides have moved.
    pub(super) fn has_unfinished_game(&self) -> bool {
        self.state.running().is_some() && self.game.plies() > 1
    }

    fn begin_game(&mut self, settings: Settings) {
        match settings.start {
            GameStart::Standard => self.game = PlayedGame::new(Board::startpos()),
            GameStart::Here => self.game.begin_here(),
            GameStart::Chess960 => {
                let number = (random_seed() % u64::from(Board::CHESS960_STARTS)) as u16;
                self.game = PlayedGame::new(Board::chess960_startpos(number, number));
            }
        }
        self.keeper.begin();
        self.state = PlayState::Running(EngineGame::new(settings));
        self.introduce();
        self.continue_game();
    }

    /// Refuses moves after the end of a game against the engine. Returns whether it has ended.
    pub(super) fn refuses_moves(&self) -> bool {
        let is_over = matches!(self.state, PlayState::Over { settings: Some(_), .. });
        if is_over {
            self.print_error(
                "the game is over: 'undo' goes on, 'play' begins another, 'play here' from this \
                 position",
            );
        }
        is_over
    }

    pub(super) fn user_move(&mut self, mv: Move) {
        if self.refuses_moves() {
            return;
        }
        let side = self.game.board().side_to_move();
        self.game.play(mv);
        self.state.reopen();
        let is_in_time = self.state.running_mut().is_none_or(|game| game.press_clock(side));
        if !is_in_time {
            return self.end_game(GameResult::win_of(!side), "your time is up");
        }
        self.continue_game();
    }

    pub(super) fn engine_move(&mut self, mv: Move) {
        let side = self.game.board().side_to_move();
        let text = self.game.play(mv);
        let (is_in_time, score) = match self.state.running_mut() {
            Some(game) => (game.press_clock(side), game.score),
            None => (true, None),
        };
        let is_quiet = self.state.settings().is_some_and(|settings| settings.is_quiet);
        let shown = score.filter(|_| !is_quiet).map_or_else(String::new, |score| {
            format!("   {} for White", search_table::score(score, Bound::Exact, side))
        });
        self.print(&format!("Tabia plays {}{shown}", self.style.bold(&text)));
        if !is_in_time {
            return self.end_game(GameResult::win_of(!side), "Tabia's time is up");
        }
        self.continue_game();
    }

    fn continue_game(&mut self) {
        if let Some((result, reason)) = self.game.end() {
            self.show_board();
            return self.end_game(result, reason);
        }
        self.keep();
        let side = self.game.board().side_to_move();
        match self.state.running() {
            Some(game) if game.settings.user != side => {
                let limits = game.limits();
                self.search_with(Purpose::Move, limits);
            }
            _ => self.show_board(),
        }
    }

    /// Writes a game of `play` to its file, from the first move on.
    fn keep(&mut self) {
        if self.state.settings().is_none() || self.game.plies() == 0 {
            return;
        }
        if let Err(error) = self.keeper.write(&saved_game::pgn(&self.game, &self.state).to_string())
        {
            self.print(&format!("note: this game is not kept: {error}"));
        }
    }

    fn end_game(&mut self, result: GameResult, reason: &str) {
        self.state.end(result);
        self.keep();
        let text = self.style.bold(&format!("{}, {reason}.", result.text()));
        self.print(&format!("{text} 'review' analyses the game, 'save' adds it to a file."));
    }

    pub(super) fn undo(&mut self) {
        // In a game the user is to move again, also after a move of his own has ended it.
        let user = self.state.settings().map(|settings| settings.user);
        let plies = if user == Some(self.game.board().side_to_move()) { 2 } else { 1 };
        let taken = (0..plies).filter(|_| self.game.take_back()).count();
        if taken == 0 {
            return self.print_error("there is no move to take back");
        }
        self.state.resume();
        if let Some(game) = self.state.running_mut() {
            game.restart_turn();
        }
        self.continue_game();
    }

    /// Searches for a short time, to show a move or the score.
    pub(super) fn glance(&mut self, purpose: Purpose) {
        if self.game.end().is_some() {
            return self.print_error("the game is over");
        }
        self.search_with(purpose, Limits { move_time: Some(GLANCE_TIME), ..Limits::default() });
    }

    pub(super) fn show_clocks(&self) {
        let side = self.game.board().side_to_move();
        match self.state.running().map(|game| game.running_clocks(side)) {
            Some(Some(clocks)) => self.print(&clocks),
            Some(None) => self.print("This game has no clocks, 'play time 5+3' begins one."),
            None => self.print_error("there is no game, 'play time 5+3' begins one"),
        }
    }

    /// Changes the level of the game.
    pub(super) fn set_level(&mut self, word: &str) {
        match (parse_level(word), self.state.running_mut()) {
            (Err(error), _) => self.print_error(&error),
            (Ok(level), None) => {
                self.print_error(&format!("there is no game, 'play level {level}' begins one"));
            }
            (Ok(level), Some(game)) => {
                game.settings.level = Some(level);
                self.print(&format!("Tabia plays on at level {level}."));
            }
        }
    }

    /// Analyses the game on the board.
    pub(super) fn review(&mut self) {
        if self.game.plies() == 0 {
            return self.print_error("there are no moves to review");
        }
        let limits = Limits { nodes: Some(REVIEW_NODES), ..Limits::default() };
        let setup = SearchSetup::new(limits, 1, 64);
        let game = Arc::new(saved_game::pgn(&self.game, &self.state));
        self.send_board();
        self.session.send(Command::Job(JobCommand::Review { game, setup }));
        self.await_engine();
    }

    pub(super) fn resign(&mut self) {
        match self.state.running() {
            Some(game) => self.end_game(GameResult::win_of(!game.settings.user), "you resign"),
            None => self.print_error("there is no game, 'play' begins one"),
        }
    }

    pub(super) fn offer_draw(&mut self) {
        let Some(game) = self.state.running() else {
            return self.print_error("there is no game, 'play' begins one");
        };
        match draw_refusal(self.game.board(), self.game.plies(), game.score) {
            None => self.end_game(GameResult::Draw, "agreed"),
            Some(reason) => self.print(&reason),
        }
    }

    pub(super) fn save(&mut self, path: &str) {
        let path = home_expanded(path);
        let text = format!("{}\n", saved_game::pgn(&self.game, &self.state));
        let earlier = self.game.saved.as_ref().filter(|(saved, _)| *saved == path);
        match append(&path, earlier.map_or("", |(_, text)| text), &text) {
            Ok(()) => {
                self.print(&format!("saved to {}", ShownPath(&path)));
                self.game.saved = Some((path, text));
            }
            Err(error) => self.print_error(&format!("{}: {error}", ShownPath(&path))),
        }
    }

    /// Loads a game of a PGN file, the first if its number does not follow the name.
    pub(super) fn load(&mut self, arguments: &str) {
        let numbered = arguments
            .rsplit_once(char::is_whitespace)
            .and_then(|(name, last)| Some((name.trim_end(), last.parse().ok()?)));
        let (name, number) = numbered.unwrap_or((arguments, 1_usize));
        if name.is_empty() || number == 0 {
            return self.print_error("load: expected a PGN file, and the number of a game, from 1");
        }
        let path = home_expanded(name);
        match loaded(&path, number) {
            Ok((game, note)) => {
                self.print(&visible(&format!("Game {number}: {}", game.title)));
                note.iter().for_each(|note| self.print(note));
                self.say_left_game();
                self.keeper.begin();
                self.take_up(game);
            }
            Err(error) => self.print_error(&format!("{}: {error}", ShownPath(&path))),
        }
    }

    fn take_up(&mut self, saved: SavedGame) {
        self.game = saved.game;
        self.state = match (saved.opponent, saved.result) {
            (Some(opponent), _) => PlayState::Running(opponent),
            (None, Some(result)) => PlayState::Over { settings: None, result },
            (None, None) => PlayState::Open,
        };
        self.introduce();
        self.continue_game();
    }

    /// Names the opponent of a game that begins or goes on.
    fn introduce(&self) {
        if let Some(settings) = self.state.running().map(|game| game.settings) {
            self.print(&format!("You have {} against {}.", settings.user, settings.strength()));
            self.session.send(Command::NewGame);
        }
    }

    /// Tells what becomes of an unfinished game that is left.
    pub(super) fn say_left_game(&self) {
        if let Some(text) = self.left_game() {
            self.print(text);
        }
    }

    fn left_game(&self) -> Option<&'static str> {
        self.has_unfinished_game().then(|| {
            if self.keeper.is_kept() {
                "Your game is kept: 'resume' takes it up."
            } else {
                "Your game is left unfinished."
            }
        })
    }

    /// Takes up the unfinished game of this number, the last one being number 1. Without a number,
    /// lists them if there are several.
    pub(super) fn resume(&mut self, argument: &str) {
        let contents = match self.keeper.others(SavedGame::unfinished) {
            Ok(contents) => contents,
            Err(error) => return self.print_error(&format!("resume: {error}")),
        };
        contents.rejected.iter().for_each(|file| self.print(&format!("note: {file}")));
        let mut games = contents.games;
        let number = match argument {
            "" if games.len() > 1 => return self.list(&games),
            "" => Some(1),
            word => word.parse().ok(),
        };
        let index = number.and_then(|number: usize| number.checked_sub(1));
        match index.filter(|&index| index < games.len()) {
            Some(index) => {
                let left = self.left_game();
                match self.keeper.take(games.swap_remove(index)) {
                    Ok(game) => {
                        left.iter().for_each(|text| self.print(text));
                        self.take_up(game);
                    }
                    Err(error) => self.print_error(&format!("resume: {error}")),
                }
            }
            None if games.is_empty() => self.print_error("there is no unfinished game"),
            None => self.print_error(&format!("resume: expected 1 to {}", games.len())),
        }
    }

    fn list(&self, games: &[KeptGame<SavedGame>]) {
        for (kept, number) in games.iter().zip(1..=MAX_LISTED) {
            self.print(&short(&format!("{number}  {}", described(kept)), WIDTH));
        }
        if let Some(more @ 1..) = games.len().checked_sub(MAX_LISTED) {
            self.print(&format!("… and {more} more"));
        }
        let folder = self.keeper.folder().map(|path| ShownPath(path).to_string());
        let folder = folder.unwrap_or_default();
        self.print(&format!("'resume 1' takes up the first. All games are in\n{folder}"));
    }

    /// Names the last unfinished game at the start of the session.
    pub(super) fn announce_kept_game(&self) {
        let Ok(Contents { games, rejected }) = self.keeper.others(SavedGame::unfinished) else {
            return;
        };
        rejected.iter().for_each(|file| self.print(&format!("note: {file}")));
        if let Some(last) = games.first() {
            self.print(&short(&format!("'resume' takes up: {}", described(last)), WIDTH));
        }
    }
}

/// Describes an unfinished game: `White against level 1000, move 12, 3 hours ago: C50 …`.
fn described(kept: &KeptGame<SavedGame>) -> String {
    let SavedGame { game, opponent, .. } = &kept.game;
    let sides = opponent.as_ref().map_or_else(String::new, |opponent| {
        let settings = opponent.settings;
        format!("{} against {}, ", settings.user, settings.strength())
    });
    let opening = game.opening().map_or_else(String::new, |opening| format!(": {opening}"));
    let number = game.board().fullmove_number();
    format!("{sides}move {number}, {}{opening}", age_text(kept.age()))
}

/// Formats an age in its largest unit: `2 hours ago`.
fn age_text(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

/// Appends a text to a file, in place of `earlier` if the file ends with that.
fn append(path: &Path, earlier: &str, text: &str) -> io::Result<()> {
    let mut file = files::open_with(
        path,
        OpenOptions::new().read(true).write(true).create(true).truncate(false),
    )?;
    let length = file.metadata()?.len();
    let start = match length.checked_sub(earlier.len() as u64) {
        Some(start) if text_from(&mut file, start)? == earlier.as_bytes() => start,
        _ => length,
    };
    file.seek(SeekFrom::Start(start))?;
    file.write_all(text.as_bytes())?;
    file.set_len(start + text.len() as u64)
}

fn text_from(file: &mut File, start: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut text)?;
    Ok(text)
}

/// Reads a game of a PGN file. Returns it with a note if it is cut short.
fn loaded(path: &Path, number: usize) -> Result<(SavedGame, Option<String>), String> {
    let input = files::open(path).map_err(|error| error.to_string())?;
    let game = Reader::new(input).nth(number - 1).ok_or("there is no such game")?;
    let game = game.map_err(|error| error.to_string())?;
    let note = game.cut.as_ref().map(|fault| format!("note: {fault}; the game ends there"));
    Ok((SavedGame::of(game)?, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let texts = [59, 60, 7_100, 7_200, 172_800].map(|age| age_text(Duration::from_secs(age)));
        assert_eq!(texts, ["just now", "1 minute ago", "1 hour ago", "2 hours ago", "2 days ago"]);
    }
}
