//! Moves of the user and of the engine, and the words of a game at the prompt: `play`, `undo`,
//! `hint`, `score`, `clock`, `level`, `draw`, `resign`, `review`, `save`, `load`, `resume`.

use std::sync::Arc;
use std::time::Duration;

use crate::board::{Board, GameResult};
use crate::engine::protocol::JobCommand;
use crate::engine::{Command, draw_refusal, random_seed};
use crate::search::Limits;
use crate::text::{ShownPath, short, visible};
use crate::tools::SearchSetup;
use crate::types::{Bound, Move};

use super::autosave::{AutosavedGame, Contents};
use super::calendar::age_text;
use super::console::{Console, Purpose};
use super::editor::WIDTH;
use super::engine_game::{EngineGame, GameStart, PlayState, Settings, parse_level};
use super::paths::home_expanded;
use super::pgn_file;
use super::played_game::PlayedGame;
use super::saved_game::{self, SavedGame};
use super::search_table;

/// Time of a search for a hint or a score.
const QUICK_SEARCH_TIME: Duration = Duration::from_secs(1);
/// Nodes for each position of a review.
const REVIEW_NODES: u64 = 100_000;
/// Threads of a review. With one, a game gets the same review again.
const REVIEW_THREADS: usize = 1;
/// TT size of a review in MiB.
const REVIEW_HASH_MIB: usize = 64;
/// Maximum number of games that `resume` lists.
const MAX_LISTED: usize = 9;

impl Console {
    /// Begins a game, or asks first if that leaves an unfinished one.
    pub(super) fn play(&mut self, settings: Settings) {
        if !self.has_unfinished_game() {
            return self.begin_game(settings);
        }
        let number = self.game.board().fullmove_number();
        let fate = if self.autosaver.is_saved() {
            ". It is kept for 'resume'."
        } else {
            " and would be lost."
        };
        self.print(&format!("Your game at move {number} is not finished{fate}"));
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

    /// Returns whether there is a game against the engine in which both sides have moved.
    pub(super) fn has_unfinished_game(&self) -> bool {
        self.state.running().is_some() && self.game.plies_since_beginning() > 1
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
        self.autosaver.begin();
        self.play_against(EngineGame::new(settings));
        self.continue_game();
    }

    /// Rejects a move with an error if a game against the engine is over. Returns whether it is.
    pub(super) fn reject_if_over(&self) -> bool {
        let is_over = matches!(self.state, PlayState::Over { settings: Some(_), .. });
        if is_over {
            self.print_error(
                "the game is over: 'undo' takes moves back, 'play' begins a new game, 'play here' \
                 begins one from this position",
            );
        }
        is_over
    }

    pub(super) fn user_move(&mut self, mv: Move) {
        if self.reject_if_over() {
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
        self.autosave();
        let side = self.game.board().side_to_move();
        match self.state.running() {
            Some(game) if game.settings.user != side => {
                let limits = game.limits();
                self.search_with(Purpose::Move, limits);
            }
            _ => self.show_board(),
        }
    }

    /// Writes a game of `play` to its file, from the first move on, and also if its moves are taken
    /// back then.
    fn autosave(&mut self) {
        let has_begun = self.game.plies_since_beginning() > 0 || self.autosaver.has_file();
        if self.state.settings().is_none() || !has_begun {
            return;
        }
        let text = saved_game::pgn(&self.game, &self.state).to_string();
        if let Err(error) = self.autosaver.write(&text) {
            self.print(&format!("note: this game is not kept: {error}"));
        }
    }

    fn end_game(&mut self, result: GameResult, reason: &str) {
        self.state.end(result);
        self.autosave();
        let text = self.style.bold(&format!("{}, {reason}.", result.text()));
        self.print(&format!("{text} 'review' analyses the game, 'save' adds it to a file."));
    }

    pub(super) fn undo(&mut self) {
        // In a game, back to the user's turn: one ply if the user's move ended the game, else two.
        // As Black after Tabia's first move only one can be taken back, and Tabia moves again.
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
    pub(super) fn quick_search(&mut self, purpose: Purpose) {
        if self.game.end().is_some() {
            return self.print_error("the game is over");
        }
        let limits = Limits { move_time: Some(QUICK_SEARCH_TIME), ..Limits::default() };
        self.search_with(purpose, limits);
    }

    pub(super) fn show_clocks(&self) {
        let side = self.game.board().side_to_move();
        match self.state.running().map(|game| game.running_clocks(side)) {
            Some(Some(clocks)) => self.print(&clocks),
            Some(None) => {
                self.print("This game has no clocks: 'play time 5+3' begins one with clocks.");
            }
            None => self.print_error("there is no game: 'play time 5+3' begins one"),
        }
    }

    /// Shows the level of the game.
    pub(super) fn show_level(&mut self) {
        match self.state.running_mut().map(|game| game.settings.level) {
            None => self.print_error("there is no game: 'play level 1200' begins one"),
            Some(None) => self.print("Tabia plays at full strength; 'level 1200' changes that."),
            Some(Some(level)) => self.print(&format!("Tabia plays at level {level}.")),
        }
    }

    /// Changes the level of the game.
    pub(super) fn set_level(&mut self, arguments: &str) {
        match (parse_level(arguments), self.state.running_mut()) {
            (Err(error), _) => self.print_error(&error),
            (Ok(level), None) => {
                self.print_error(&format!("there is no game: 'play level {level}' begins one"));
            }
            (Ok(level), Some(game)) => {
                game.settings.level = Some(level);
                self.autosave();
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
        let setup = SearchSetup::new(limits, REVIEW_THREADS, REVIEW_HASH_MIB);
        let game = Arc::new(saved_game::pgn(&self.game, &self.state));
        self.send_board();
        self.session.send(Command::Job(JobCommand::Review { game, setup }));
        self.await_engine();
    }

    pub(super) fn resign(&mut self) {
        match self.state.running() {
            Some(game) => self.end_game(GameResult::win_of(!game.settings.user), "you resign"),
            None => self.print_error("there is no game: 'play' begins one"),
        }
    }

    pub(super) fn offer_draw(&mut self) {
        let Some(game) = self.state.running() else {
            return self.print_error("there is no game: 'play' begins one");
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
        match pgn_file::append(&path, earlier.map_or("", |(_, text)| text), &text) {
            Ok(written) => {
                self.print(&format!("saved to {}", ShownPath(&path)));
                self.game.saved = Some((path, written));
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
        match pgn_file::read_game(&path, number) {
            Ok((game, note)) => {
                self.print(&visible(&format!("Game {number}: {}", game.title)));
                if let Some(note) = note {
                    self.print(&note);
                }
                self.print_left_game();
                self.autosaver.begin();
                self.continue_saved(game);
            }
            Err(error) => self.print_error(&format!("{}: {error}", ShownPath(&path))),
        }
    }

    /// Replaces the game on the board by one that was read.
    fn continue_saved(&mut self, saved: SavedGame) {
        self.game = saved.game;
        match (saved.opponent, saved.result) {
            (Some(opponent), _) => self.play_against(opponent),
            (None, Some(result)) => self.state = PlayState::Over { settings: None, result },
            (None, None) => self.state = PlayState::Open,
        }
        self.continue_game();
    }

    /// Makes the game on the board one against this opponent. Prints the sides, and clears the
    /// engine's tables.
    fn play_against(&mut self, opponent: EngineGame) {
        let settings = opponent.settings;
        self.state = PlayState::Running(opponent);
        self.print(&format!("You have {} against {}.", settings.user, settings.strength()));
        self.session.send(Command::NewGame);
    }

    /// Prints what becomes of an unfinished game that is left.
    pub(super) fn print_left_game(&self) {
        if let Some(text) = self.left_game_text() {
            self.print(text);
        }
    }

    fn left_game_text(&self) -> Option<&'static str> {
        self.has_unfinished_game().then(|| {
            if self.autosaver.is_saved() {
                "Your game is kept: 'resume' takes it up."
            } else {
                "Your game is left unfinished."
            }
        })
    }

    /// Takes up the unfinished game of this number, the last one being number 1. Without a number,
    /// lists them if there are several.
    pub(super) fn resume(&mut self, argument: &str) {
        let contents = match self.autosaver.others(SavedGame::unfinished) {
            Ok(contents) => contents,
            Err(error) => return self.print_error(&format!("resume: {error}")),
        };
        for file in contents.rejected {
            self.print(&format!("note: {file}"));
        }
        let mut games = contents.games;
        let number = match argument {
            "" if games.len() > 1 => return self.list_games(&games),
            "" => Some(1),
            word => word.parse().ok(),
        };
        let index = number.and_then(|number: usize| number.checked_sub(1));
        match index.filter(|&index| index < games.len()) {
            Some(index) => {
                let left = self.left_game_text();
                match self.autosaver.take(games.swap_remove(index)) {
                    Ok(game) => {
                        if let Some(text) = left {
                            self.print(text);
                        }
                        self.continue_saved(game);
                    }
                    Err(error) => self.print_error(&format!("resume: {error}")),
                }
            }
            None if games.is_empty() => self.print_error("there is no unfinished game"),
            None => self.print_error(&format!("resume: expected 1 to {}", games.len())),
        }
    }

    fn list_games(&self, games: &[AutosavedGame<SavedGame>]) {
        for (game, number) in games.iter().zip(1..=MAX_LISTED) {
            self.print(&short(&format!("{number}  {}", description(game)), WIDTH));
        }
        if games.len() > MAX_LISTED {
            self.print(&format!("… and {} more", games.len() - MAX_LISTED));
        }
        if let Some(folder) = self.autosaver.folder().map(ShownPath) {
            self.print(&format!("'resume 1' takes up the first. All games are in\n{folder}"));
        }
    }

    /// Prints the last unfinished game, at the start of the session.
    pub(super) fn print_resumable_game(&self) {
        let Ok(Contents { games, rejected }) = self.autosaver.others(SavedGame::unfinished) else {
            return;
        };
        for file in rejected {
            self.print(&format!("note: {file}"));
        }
        if let Some(last) = games.first() {
            self.print(&short(&format!("'resume' takes up: {}", description(last)), WIDTH));
        }
    }
}

/// Describes an unfinished game: `White against level 1000, move 12, 3 hours ago: C50 …`.
fn description(autosaved: &AutosavedGame<SavedGame>) -> String {
    let SavedGame { game, opponent, .. } = &autosaved.game;
    let sides = opponent.as_ref().map_or_else(String::new, |opponent| {
        let settings = opponent.settings;
        format!("{} against {}, ", settings.user, settings.strength())
    });
    let opening = game.opening().map_or_else(String::new, |opening| format!(": {opening}"));
    let number = game.board().fullmove_number();
    format!("{sides}move {number}, {}{opening}", age_text(autosaved.age()))
}
