//! Moves on the board and games against the engine: begin, play, take back, end, save.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Duration;

use crate::board::{Board, GameResult};
use crate::engine::{Command, about, draw_refusal};
use crate::files;
use crate::pgn::Tags;
use crate::search::Limits;
use crate::types::{Bound, Color, Move};

use super::calendar::today;
use super::console::{Console, Purpose};
use super::engine_game::{EngineGame, PlayState, Settings};
use super::played_game::PlayedGame;
use super::search_table;

const HINT_TIME: Duration = Duration::from_secs(1);

impl Console {
    pub(super) fn begin_game(&mut self, settings: Settings) {
        if !settings.is_here {
            self.game = PlayedGame::new(Board::startpos());
        }
        self.state = PlayState::Running(EngineGame::new(settings));
        self.print(&format!("You have {} against {}.", settings.user, settings.strength()));
        self.session.send(Command::NewGame);
        self.continue_game();
    }

    pub(super) fn user_move(&mut self, mv: Move) {
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
        let shown = score.map_or_else(String::new, |score| {
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
        let side = self.game.board().side_to_move();
        match self.state.running() {
            Some(game) if game.settings.user != side => {
                let limits = game.limits();
                self.search_with(Purpose::Move, limits);
            }
            _ => self.show_board(),
        }
    }

    fn end_game(&mut self, result: GameResult, reason: &str) {
        self.state.end(result);
        let text = self.style.bold(&format!("{}, {reason}.", result.text()));
        self.print(&format!("{text} 'save' keeps the game."));
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

    pub(super) fn give_hint(&mut self) {
        if self.game.end().is_some() {
            return self.print_error("the game is over");
        }
        self.search_with(Purpose::Hint, Limits { move_time: Some(HINT_TIME), ..Limits::default() });
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
        match draw_refusal(self.game.plies(), game.score) {
            None => self.end_game(GameResult::Draw, "agreed"),
            Some(reason) => self.print(&reason),
        }
    }

    pub(super) fn save(&mut self, path: &str) {
        let text = self.game.pgn(self.tags(), self.state.result());
        let file = files::open_with(path.as_ref(), OpenOptions::new().append(true).create(true));
        match file.and_then(|mut file| writeln!(file, "{text}")) {
            Ok(()) => self.print(&format!("saved to {path}")),
            Err(error) => self.print_error(&format!("{path}: {error}")),
        }
    }

    fn tags(&self) -> Tags {
        let name = ["USER", "USERNAME"].map(env::var).into_iter().find_map(Result::ok);
        let user = name.unwrap_or_else(|| "?".to_owned());
        let [white, black] = match self.state.settings() {
            None => [user.clone(), user],
            Some(settings) => {
                let engine = format!("Tabia {}, {}", about::VERSION, settings.strength());
                if settings.user == Color::White { [user, engine] } else { [engine, user] }
            }
        };
        let mut tags = Tags::default();
        let date = today();
        for (name, value) in [
            ("Event", "Game at the terminal"),
            ("Site", "?"),
            ("Date", &date),
            ("Round", "-"),
            ("White", &white),
            ("Black", &black),
        ] {
            tags.set(name, value);
        }
        if let Some((time, increment)) = self.state.settings().and_then(|settings| settings.time) {
            let control = format!("{}+{}", time.as_secs_f64(), increment.as_secs_f64());
            tags.set("TimeControl", &control);
        }
        tags
    }
}
