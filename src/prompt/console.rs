//! Console: executes the user's lines one by one and prints the replies.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::iter;
use std::ops::ControlFlow;
use std::process::ExitCode;

use crate::board::{Board, FenStyle, SanError, move_number, numbered_line};
use crate::cli::{self, Explain};
use crate::engine::protocol::{Go, JobCommand, Reply, Show};
use crate::engine::session_log::LogDirection;
use crate::engine::value::OptionSetting;
use crate::engine::{Command, about};
use crate::eval::Chances;
use crate::pgn::without_number;
use crate::platform::terminal::{HAS_KEYS, watch_output};
use crate::platform::{Instant, output};
use crate::search::{Info, Limits, Line};
use crate::text::{Quoted, fitted, short, suggest, wrapped};
use crate::types::{Bound, Color, Move, Score};
use crate::uci::commands::{find, parse_strictly};
use crate::uci::error::CommandError;
use crate::uci::input::InputLine;
use crate::uci::session::Session;
use crate::uci::setup::position_of;
use crate::uci::words::Words;
use crate::uci::{self, help};

use super::autosave::Autosaver;
use super::board_view;
use super::completion::Completion;
use super::editor::{Editor, UserInput, WIDTH};
use super::engine_game::{EngineGame, PlayState, Settings};
use super::played_game::PlayedGame;
use super::search_table;
use super::style::Style;

const PROMPT: &str = "tabia> ";
const QUESTION: &str = "Begin another game? [y/N] ";
/// File of `save` without a name.
const SAVE_FILE: &str = "tabia.pgn";

/// Reason to leave the prompt.
enum Exit {
    Quit,
    /// From `uci` on, the session is plain UCI.
    Uci,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Purpose {
    Analysis,
    /// The engine's move in a game.
    Move,
    Hint,
    Score,
}

pub(super) struct Console {
    editor: Editor,
    pub(super) style: Style,
    width: usize,
    pub(super) session: Session,
    /// Lines that wait for the engine.
    lines: VecDeque<String>,
    is_leaving: bool,
    /// Number of [`Reply::Position`] yet to come, one for each command.
    awaited: usize,
    purpose: Option<Purpose>,
    has_head: bool,
    last_line: Option<(Score, Line)>,
    pub(super) game: PlayedGame,
    pub(super) state: PlayState,
    pub(super) autosaver: Autosaver,
    /// Game to begin if the user agrees.
    pub(super) question: Option<Settings>,
}

/// Returns whether standard input and output are a terminal.
pub fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs a session at a terminal, which begins with this line. If the terminal cannot be used, reads
/// UCI instead.
pub fn run(line: Option<String>) -> ExitCode {
    watch_output();
    let editor = match Editor::start() {
        Ok(editor) => editor,
        Err(error) => {
            output::write_error(&format!("cannot start the prompt, reading UCI instead: {error}"));
            return uci::run();
        }
    };
    let mut console = Console::new(editor, Session::start(false));
    console.lines.extend(line);
    let exit = console.run();
    match exit {
        Exit::Uci => console.reset_engine(),
        Exit::Quit => console.print_left_game(),
    }
    let Console { mut editor, session, lines, .. } = console;
    session.serve(|reader| match exit {
        Exit::Uci => {
            let typed = iter::from_fn(|| editor.plain_line());
            // Pasted lines arrive together.
            let typed = typed.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
            if !reader.read(lines.into_iter().chain(typed).map(InputLine::Text)) {
                reader.send(Command::Stop);
                reader.send(Command::Quit);
            }
        }
        Exit::Quit => reader.send(Command::Quit),
    });
    ExitCode::SUCCESS
}

impl Console {
    fn new(editor: Editor, session: Session) -> Self {
        Self {
            editor,
            style: Style::of_environment(),
            width: WIDTH,
            session,
            lines: VecDeque::new(),
            is_leaving: false,
            awaited: 0,
            purpose: None,
            has_head: false,
            last_line: None,
            game: PlayedGame::new(Board::startpos()),
            state: PlayState::Open,
            autosaver: Autosaver::of_environment(),
            question: None,
        }
    }

    fn run(&mut self) -> Exit {
        let version = about::NAME_AND_VERSION;
        self.print(&format!("{version}: 'play' begins a game, 'help' explains, 'quit' leaves"));
        if self.lines.is_empty() {
            self.print_resumable_game();
        }
        let (input, replies) = (self.editor.input.clone(), self.session.replies.clone());
        loop {
            if self.is_busy() {
                if self.interrupt() {
                    continue;
                }
                self.editor.watch();
            } else if self.is_leaving {
                return Exit::Quit;
            } else if let Some(line) = self.lines.pop_front() {
                match self.execute(&line) {
                    ControlFlow::Break(exit) => return exit,
                    ControlFlow::Continue(()) => continue,
                }
            } else {
                let prompt = if self.question.is_some() { QUESTION } else { PROMPT };
                let board = self.game.board();
                let moves = || board.legal_moves().iter().map(|&mv| board.san(mv)).collect();
                let completion = || Completion { moves: moves() };
                self.editor.prompt(self.style.bold(prompt), completion);
            }
            crossbeam_channel::select! {
                recv(input) -> input => self.receive(input.unwrap_or(UserInput::End)),
                recv(replies) -> reply => match reply {
                    Ok(reply) => self.show(reply),
                    Err(_) => return Exit::Quit,
                },
            }
        }
    }

    /// Returns whether lines must wait for the engine.
    fn is_busy(&self) -> bool {
        self.awaited > 0 || self.purpose.is_some()
    }

    pub(super) fn print(&self, text: &str) {
        // Colours have no width, and lines with them are short.
        let is_plain = !text.contains('\x1b');
        let fitted = is_plain.then(|| fitted(text, self.width));
        self.session.printer.print(fitted.as_deref().unwrap_or(text));
    }

    pub(super) fn print_error(&self, error: &str) {
        let text = self.style.error(&fitted(&format!("error: {error}"), self.width));
        self.print(&text);
    }

    fn receive(&mut self, input: UserInput) {
        self.editor.note();
        match input {
            UserInput::Line { text, width } => {
                self.width = width;
                // Pasted lines arrive together; an empty line may be an answer.
                let lines = text.lines().chain(text.is_empty().then_some(""));
                lines.for_each(|line| self.receive_line(line.to_owned()));
            }
            UserInput::TypedAhead(text) => self.receive_line(text),
            UserInput::Stop => self.session.send(Command::Stop),
            UserInput::Unwatched => {}
            UserInput::Interrupt => {
                self.question = None;
                self.print("'quit' or Ctrl-D leaves");
            }
            UserInput::End => self.leave(),
        }
    }

    fn receive_line(&mut self, text: String) {
        self.session.reader.log.record(LogDirection::Input, &text);
        if self.is_busy() && matches!(text.trim(), "quit" | "exit") {
            self.leave();
        } else {
            self.lines.push_back(text);
        }
    }

    /// Executes a waiting line that acts on the running search. Returns whether there was one.
    fn interrupt(&mut self) -> bool {
        let is_interrupt =
            |line: &str| matches!(line, "stop" | "ponderhit" | "isready" | "quit" | "exit");
        // What follows these acts on a later search, or waits for the end of this one.
        let is_barrier =
            |line: &str| matches!(line.split_whitespace().next(), Some("go" | "play" | "wait"));
        let mut lines = self.lines.iter().map(|line| line.trim());
        let found = lines.position(|line| is_interrupt(line) || is_barrier(line));
        let Some(index) = found.filter(|&index| is_interrupt(self.lines[index].trim())) else {
            return false;
        };
        match self.lines.remove(index).as_deref().map(str::trim) {
            Some("stop") => self.session.send(Command::Stop),
            Some("ponderhit") => self.session.send(Command::PonderHit),
            Some("isready") => self.session.send(Command::IsReady),
            _ => self.leave(),
        }
        true
    }

    fn leave(&mut self) {
        self.session.send(Command::Stop);
        self.lines.clear();
        self.is_leaving = true;
    }

    fn execute(&mut self, line: &str) -> ControlFlow<Exit> {
        let line = line.trim();
        if let Some(settings) = self.question.take()
            && self.answer(settings, line)
        {
            return ControlFlow::Continue(());
        }
        let arguments = line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim());
        let lower = line.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        match words[..] {
            ["quit" | "exit"] => return ControlFlow::Break(Exit::Quit),
            ["uci"] => {
                self.lines.push_front("uci".to_owned());
                return ControlFlow::Break(Exit::Uci);
            }
            [] => {}
            ["help" | "?"] => self.print(&cli::prompt_list()),
            ["help", "commands"] => self.print(&cli::help_list()),
            [word, "--help" | "-h"] | ["help", word] if word != "options" => match help_of(word) {
                Some(page) => self.print(&page),
                None => return self.run_command(line),
            },
            ["play" | "new", ..] => match Settings::parse(words[1..].iter().copied()) {
                Ok(settings) => self.play(settings),
                Err(error) => self.print_error(&error),
            },
            ["board"] => self.show_board(),
            ["undo" | "takeback"] => self.undo(),
            ["hint"] => self.quick_search(Purpose::Hint),
            ["score"] => self.quick_search(Purpose::Score),
            ["clock" | "time"] => self.show_clocks(),
            ["level"] => self.show_level(),
            ["level", ..] => self.set_level(arguments),
            ["review" | "analyse" | "analyze"] => self.review(),
            ["resign"] => self.resign(),
            ["draw"] => self.offer_draw(),
            ["save"] => self.save(SAVE_FILE),
            ["save", ..] => self.save(arguments),
            ["load", ..] => self.load(arguments),
            ["resume", ..] => self.resume(arguments),
            ["explain", ..] => self.explain(arguments),
            ["position", ..] => self.set_position(line),
            [word, ..] if find(word).is_some() && line.starts_with(word) => {
                return self.run_command(line);
            }
            _ => return self.try_move(line),
        }
        ControlFlow::Continue(())
    }

    /// Sends the board, and resets the options that the console has set.
    fn reset_engine(&self) {
        self.send_board();
        self.set_option("UCI_ShowWDL", false);
        self.set_option("UCI_AnalyseMode", false);
        self.set_strength(None);
    }

    fn run_command(&mut self, line: &str) -> ControlFlow<Exit> {
        let (command, errors) = parse_strictly(Words::of_line(line, Instant::now()));
        let command = command.filter(|_| errors.is_empty());
        for error in errors {
            self.report(error);
        }
        self.send_board();
        match command {
            Some(Command::Quit) => return ControlFlow::Break(Exit::Quit),
            Some(Command::Go(mut go)) => {
                if !self.game.board().has_legal_move() {
                    self.print_error("there is no legal move");
                    return ControlFlow::Continue(());
                }
                let is_endless = go.limits.infinite || go.limits.ponder;
                if is_endless && !HAS_KEYS {
                    self.print_error("go: expected a limit, for example 'go movetime 5000'");
                    return ControlFlow::Continue(());
                }
                let root_moves = go.search_moves.into_iter();
                go.search_moves = root_moves.map(|text| self.game.uci_move(text)).collect();
                if is_endless {
                    self.print("searching, Enter stops");
                }
                self.search(Purpose::Analysis, go);
            }
            Some(command) => self.session.send(command),
            None => return ControlFlow::Continue(()),
        }
        self.await_engine();
        ControlFlow::Continue(())
    }

    /// Lets further lines wait until the engine has executed what was sent.
    pub(super) fn await_engine(&mut self) {
        self.awaited += 1;
        self.session.send(Command::Show(Show::Position));
    }

    /// Sets up a position whose moves may be SAN, so that `undo` takes them back.
    fn set_position(&mut self, line: &str) {
        let mut words = Words::of_line(line, Instant::now());
        words.next();
        match position_of(&mut words).and_then(|position| PlayedGame::set_up(&position)) {
            Ok((game, notes)) => {
                self.replace_game(game);
                notes.iter().for_each(|note| self.print(&format!("position: {note}")));
            }
            Err(error) => self.print_error(&format!("position: {error}")),
        }
    }

    /// Explains a move of the position on the board.
    fn explain(&mut self, arguments: &str) {
        let words = arguments.split_whitespace();
        match Explain::request(words, self.game.board().clone()) {
            Ok(explanation) => {
                self.send_board();
                self.session.send(Command::Job(JobCommand::Explain(Box::new(explanation))));
                self.await_engine();
            }
            Err(error) => self.print_error(&error),
        }
    }

    /// Reports an error. An unknown command may have been meant as a move.
    fn report(&mut self, error: CommandError) {
        let CommandError::UnknownCommand { found, suggestion } = &error else {
            return self.show(Reply::Error(error.into()));
        };
        let name = Quoted(found);
        if cli::prompt_names().any(|word| word == found) {
            return self.print_error(&format!("{name} takes no arguments"));
        }
        if cli::help_of(found).is_some() {
            return self.print_error(&format!(
                "{name} runs in a shell, not here: 'tabia {found} --help' explains"
            ));
        }
        match suggest(found, cli::prompt_names()).or(suggestion.as_deref()) {
            Some(word) => {
                self.print_error(&format!("unknown command {name}, did you mean '{word}'?"))
            }
            None => {
                self.print_error(&format!(
                    "{name} is neither a move nor a command, 'help' explains"
                ));
            }
        }
    }

    /// Plays a move. Other text runs as a command, probably a misspelt one.
    fn try_move(&mut self, text: &str) -> ControlFlow<Exit> {
        let board = self.game.board();
        let typed = without_number(text).trim_start();
        let parsed = match board.parse_san(typed) {
            Err(SanError::NotAMove(_)) if self.begins_with_move(text) => {
                self.print_error("one move at a time, or 'position startpos moves e4 e5'");
                return ControlFlow::Continue(());
            }
            Err(SanError::NotAMove(_)) => board.parse_san(&respelt(typed)),
            parsed => parsed,
        };
        match parsed {
            Ok(mv) => self.user_move(mv),
            Err(SanError::NotAMove(_)) => return self.run_command(text),
            Err(error) => {
                if !self.reject_if_over() {
                    self.print_error(&error.to_string());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn begins_with_move(&self, text: &str) -> bool {
        let mut words = text.split_whitespace().map(without_number).filter(|word| !word.is_empty());
        words.next().is_some_and(|word| self.game.board().parse_san(word).is_ok())
    }

    pub(super) fn send_board(&self) {
        self.session.send(Command::Board(Box::new(self.game.board().clone())));
    }

    fn set_option(&self, name: &str, is_on: bool) {
        let parsed = OptionSetting::parse(name, Some(&is_on.to_string()));
        let setting = parsed.expect("an option that is true or false");
        self.session.send(Command::SetOption(setting));
    }

    fn set_strength(&self, level: Option<u32>) {
        self.session.send(Command::SetStrength(level));
    }

    fn search(&mut self, purpose: Purpose, go: Go) {
        self.purpose = Some(purpose);
        self.has_head = false;
        self.last_line = None;
        self.set_option("UCI_ShowWDL", true);
        // Analysis has full strength, also in a game at a level.
        self.set_option("UCI_AnalyseMode", purpose != Purpose::Move);
        self.set_strength(self.state.settings().and_then(|settings| settings.level));
        self.session.send(Command::Go(go));
    }

    pub(super) fn search_with(&mut self, purpose: Purpose, limits: Limits) {
        self.send_board();
        self.search(purpose, Go { limits, search_moves: Vec::new(), received: Instant::now() });
    }
}

/// Reactions to replies of the engine.
impl Console {
    fn show(&mut self, reply: Reply) {
        match reply {
            Reply::Position(board) => {
                self.awaited = self.awaited.saturating_sub(1);
                self.adopt(*board);
            }
            Reply::Info { info, chances } => self.show_info(&info, chances),
            Reply::BestMove { best, ponder } => self.end_search(best, ponder),
            Reply::CurrentMove { .. } | Reply::DrawScore => {}
            Reply::Board(board) => {
                self.show_board();
                let fen = board.fen(FenStyle::Standard);
                self.print(&format!("FEN  {fen}\nkey  {}", board.key()));
            }
            Reply::Moves(moves) => {
                let board = self.game.board();
                let moves: Vec<String> = moves.iter().map(|&mv| board.san(mv)).collect();
                self.print(&wrapped(&moves.join(" "), "", self.width).join("\n"));
            }
            Reply::Error(error) => self.print_error(&error.to_string()),
            Reply::Note(note) => self.print(&note),
            Reply::BookMove(mv) => {
                let san = self.game.board().san(mv);
                self.print(&format!("{san} is a book move"));
            }
            reply => self.session.printer.print_reply(&reply),
        }
    }

    /// Begins a new game if a command has set up another position.
    fn adopt(&mut self, board: Board) {
        let identity = |board: &Board| board.fen(FenStyle::Shredder);
        if identity(&board) != identity(self.game.board()) {
            self.replace_game(PlayedGame::new(board));
        }
    }

    fn replace_game(&mut self, game: PlayedGame) {
        self.print_left_game();
        self.autosaver.begin();
        self.game = game;
        self.state = PlayState::Open;
    }

    fn show_info(&mut self, info: &Info, chances: Option<Chances>) {
        if self.purpose == Some(Purpose::Move)
            && info.multi_pv == 1
            && let Some(game) = self.state.running_mut()
        {
            game.score = Some(info.score);
        }
        if self.purpose == Some(Purpose::Score) && info.multi_pv == 1 {
            self.last_line = Some((info.score, info.pv.clone()));
        }
        if self.purpose != Some(Purpose::Analysis) || info.depth == 0 {
            return;
        }
        if !self.has_head {
            self.has_head = true;
            self.print(&self.style.dim(search_table::head()));
        }
        // Skips the many depths that only confirm a mate.
        let line = (info.score, info.pv.clone());
        if !(info.score.is_mate() && self.last_line.as_ref() == Some(&line)) {
            self.print(&search_table::row(self.game.board(), info, chances, self.width));
        }
        self.last_line = Some(line);
    }

    fn end_search(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let purpose = self.purpose.take();
        let Some(best) = best else { return self.print("there is no legal move") };
        match purpose {
            Some(Purpose::Move) => self.engine_move(best),
            Some(Purpose::Hint) => {
                let san = self.game.board().san(best);
                self.print(&format!("hint: {san}"));
            }
            Some(Purpose::Score) => {
                let side = self.game.board().side_to_move();
                let score = self.last_line.as_ref().map(|(score, _)| *score);
                let text = score.map(|score| search_table::score(score, Bound::Exact, side));
                self.print(&format!("score: {} for White", text.unwrap_or_default()));
            }
            Some(Purpose::Analysis) | None => {
                let line: Vec<Move> = [Some(best), ponder].into_iter().flatten().collect();
                let line = numbered_line(self.game.board(), &line);
                self.print(&format!("best: {}", self.style.bold(&line)));
            }
        }
    }

    pub(super) fn show_board(&mut self) {
        let board = self.game.board();
        let bottom = self.state.running().map_or(Color::White, |game| game.settings.user);
        let drawing = board_view::draw(board, self.game.last_move(), bottom, self.style);
        let side = board.side_to_move();
        let clocks = self.state.running().and_then(EngineGame::clocks);
        let shown = clocks.map_or_else(String::new, |clocks| format!("   {clocks}"));
        self.print(&format!("{drawing}\n{} {side} to move{shown}", move_number(board)));
        if let Some(opening) = self.game.opening() {
            self.print(&short(&opening.to_string(), WIDTH));
        }
    }
}

/// Returns a move without the blanks in it, and with the capitals of castling: `d2 d4`, `o-o`.
fn respelt(text: &str) -> String {
    let joined: String = text.split_whitespace().collect();
    if joined.to_lowercase().starts_with("o-o") { joined.to_uppercase() } else { joined }
}

/// Returns the help page of a word of UCI or of the prompt.
fn help_of(word: &str) -> Option<String> {
    cli::prompt_page(word).or_else(|| help::page_of(word)).or_else(|| cli::help_of(word))
}
