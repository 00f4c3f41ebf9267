//! The session at a terminal, on a pseudo-terminal.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use tabia::board::GameResult;
use tabia::pgn::Reader;

use crate::session::{program, run, scratch, wait_for};

/// Time limit for each expected text.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Program at a pseudo-terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Output since the last expected text.
    unread: String,
    /// Modes before the program started.
    usual_modes: LocalModes,
}

impl Terminal {
    /// Starts the program without colours.
    fn start() -> Self {
        let mut command = program();
        command.env("NO_COLOR", "1");
        Self::run(command)
    }

    /// Starts the program, which keeps its games in this folder.
    fn keeping(folder: &Path) -> Self {
        let mut command = program();
        command.env("NO_COLOR", "1").env("TABIA_GAMES", folder);
        Self::run(command)
    }

    fn run(mut command: Command) -> Self {
        command.env("TERM", "xterm-256color");
        Self::run_as_it_is(command)
    }

    /// Runs a command that names its kind of terminal.
    fn run_as_it_is(mut command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let copy = |fd: &OwnedFd| fd.try_clone().unwrap();
        command.env("LC_ALL", "C.UTF-8");
        command.stdin(copy(&slave)).stdout(copy(&slave)).stderr(slave);
        let usual_modes = tcgetattr(&master).unwrap().local_modes;
        let child = command.spawn().expect("the program starts");
        drop(command);
        let mut output = File::from(copy(&master));
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end of the program is an error of its terminal.
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keyboard: File::from(master), screen, unread: String::new(), usual_modes }
    }

    fn modes(&self) -> LocalModes {
        tcgetattr(&self.keyboard).unwrap().local_modes
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn enter(&mut self, line: &str) {
        self.press(&format!("{line}\r"));
    }

    /// Waits until the program has written a text, and returns what it wrote up to there.
    fn expect(&mut self, text: &str) -> String {
        let end = Instant::now() + TIMEOUT;
        loop {
            if let Some(at) = self.unread.find(text) {
                let rest = self.unread.split_off(at + text.len());
                return std::mem::replace(&mut self.unread, rest);
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => self.unread.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("no {text:?}:\n{}", self.unread),
            }
        }
    }

    /// Returns what the program wrote until its end.
    fn rest(&mut self) -> String {
        let bytes: Vec<u8> = self.screen.iter().flatten().collect();
        std::mem::take(&mut self.unread) + &String::from_utf8_lossy(&bytes)
    }

    fn finish(&mut self) {
        assert!(wait_for(&mut self.child).success());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Both fail if the program has ended already.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

#[test]
fn moves_are_played_and_searched_in_san() {
    let mut terminal = Terminal::start();
    terminal.expect("'play' begins a game, 'help' explains, 'quit' leaves");
    terminal.enter("e4");
    let board = terminal.expect("1... Black to move");
    assert!(board.contains(" 4  .  .  .  . [P] .  .  . "), "{board}");
    terminal.enter("c7c5");
    terminal.expect("2. White to move");
    terminal.enter("Ke3");
    terminal.expect("error: 'Ke3' is not a legal move");
    terminal.enter("Nf9");
    terminal.expect("error: 'Nf9' is neither a move nor a command, 'help' explains");
    terminal.enter("go depth 8");
    let table = terminal.expect("best: 2. ");
    assert!(table.contains("line (White's view)") && table.contains("8/"), "{table}");
    terminal.enter("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    terminal.enter("moves");
    terminal.expect("Kd1 Kf1 Kd2 Kf2 e3 e4");
    terminal.enter("undo");
    terminal.expect("error: there is no move to take back");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn enter_and_control_c_stop_a_search_and_control_d_leaves() {
    let mut terminal = Terminal::start();
    for key in ["\r", "stop\r", "\n", "\x03"] {
        terminal.enter("go infinite");
        terminal.expect("searching, Enter stops");
        terminal.expect("12/");
        assert!(!terminal.modes().intersects(LocalModes::ECHO | LocalModes::ISIG));
        terminal.press(key);
        terminal.expect("best: 1. ");
        terminal.expect("tabia> ");
    }
    terminal.press("\x03");
    terminal.expect("'quit' or Ctrl-D leaves");
    terminal.enter("go infinite");
    terminal.expect("12/");
    terminal.press("\x04");
    terminal.finish();
    assert_eq!(terminal.modes(), terminal.usual_modes);
}

#[test]
fn stop_and_ponderhit_act_on_the_search_before_them() {
    let mut terminal = Terminal::start();
    terminal.expect("tabia> ");
    terminal.press("\x1b[200~go infinite\nstop\x1b[201~\r");
    terminal.expect("best: 1. ");
    terminal.enter("go ponder movetime 100");
    terminal.expect("searching, Enter stops");
    terminal.enter("d");
    terminal.enter("ponderhit");
    terminal.expect("best: 1. ");
    terminal.expect("FEN  ");
    terminal.expect("tabia> ");
    terminal.press("\x1b[200~go infinite\nisready\nquit\x1b[201~\r");
    terminal.expect("readyok");
    terminal.finish();
}

/// The line editor leaves such a terminal to the system.
#[test]
fn a_terminal_without_line_editing_echoes_and_reads_its_own_lines() {
    let mut command = program();
    command.env("TERM", "dumb");
    let mut terminal = Terminal::run_as_it_is(command);
    terminal.expect("'quit' leaves");
    terminal.enter("e5\x7f4");
    terminal.expect("1... Black to move");
    terminal.enter("go infinite");
    terminal.expect("9/");
    terminal.press("\r");
    terminal.expect("best: 1... ");
    terminal.expect("tabia> ");
    terminal.enter("fen");
    terminal.expect("fen\r\nrnbqkbnr/");
    terminal.expect("tabia> ");
    terminal.press("\x04");
    terminal.finish();
}

/// Without room for open files, `poll` fails at each call.
#[cfg(target_os = "linux")]
#[test]
fn a_session_whose_keys_cannot_be_read_ends() {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

    let mut terminal = Terminal::start();
    terminal.enter("go infinite");
    terminal.expect("9/");
    let none = Rlimit { current: Some(0), ..getrlimit(Resource::Nofile) };
    prlimit(Some(Pid::from_child(&terminal.child)), Resource::Nofile, none).unwrap();
    terminal.finish();
}

#[test]
fn keys_act_at_any_moment_of_a_search() {
    let mut terminal = Terminal::start();
    terminal.expect("tabia> ");
    terminal.enter("hint");
    // The line editor, which drops what follows Ctrl-C, has read the line.
    terminal.expect("\x1b[?2004l");
    terminal.press("\x03");
    terminal.expect("hint: ");
    // A mate has many rows at once, and keys come in between.
    terminal.enter("position fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1");
    for milliseconds in [0, 1, 2, 5, 20, 100] {
        terminal.expect("tabia> ");
        terminal.enter("go infinite");
        terminal.expect("searching, Enter stops");
        thread::sleep(Duration::from_millis(milliseconds));
        terminal.press("\r");
        terminal.expect("best: 1. Re8#");
    }
    terminal.expect("tabia> ");
    // Typed ahead, with the key that stops.
    terminal.enter("go infinite");
    terminal.expect("1/");
    terminal.press("\r\rRe8#\r");
    terminal.expect("1-0, checkmate.");
    terminal.enter("go");
    terminal.expect("error: there is no legal move");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn lines_are_read_as_a_person_means_them() {
    let mut terminal = Terminal::start();
    terminal.expect("tabia> ");
    terminal.press("\x1b[200~1. e4\n1… e5\x1b[201~\r");
    terminal.expect("2. White to move");
    terminal.enter("flip --help");
    terminal.expect("Usage: tabia flip");
    terminal.expect("Example:");
    terminal.enter("joho --help");
    terminal.expect("'joho' is neither a move nor a command");
    terminal.enter("how do i flip the board");
    terminal.expect("'how' is neither a move nor a command");
    terminal.enter("Resing");
    terminal.expect("error: unknown command 'Resing', did you mean 'resign'?");
    terminal.enter("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    terminal.expect("error: position: bad FEN");
    terminal.enter("go depth 2");
    terminal.expect("best: 2. ");
    terminal.enter("Play Black level 1000");
    terminal.expect("1... Black to move");
    terminal.enter("Resign");
    terminal.expect("1-0, you resign.");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn positions_and_root_moves_may_be_in_san() {
    let mut terminal = Terminal::start();
    terminal.enter("position startpos moves e4 e5 2. Nf3 g8f6");
    terminal.enter("undo");
    terminal.expect("2... Black to move");
    terminal.enter("undo");
    terminal.expect("2. White to move");
    terminal.enter("go depth 3 searchmoves Qh5 Ke2");
    let table = terminal.expect("best: 2. ");
    assert!(!table.contains("error"), "{table}");
    terminal.expect("Q");
    terminal.enter("position startpos moves e4 e5 Ke3");
    terminal.expect("error: position: ply 3: 'Ke3' is not a legal move");
    terminal.enter("uci\nposition startpos moves e4");
    terminal.expect("info string error: position: illegal move 'e4' at ply 1");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn a_lost_game_goes_on_after_undo() {
    let mut terminal = Terminal::start();
    terminal.enter("position startpos moves f3 e5");
    // A level below 2250 may overlook the mate.
    terminal.enter("play here white level 2250");
    terminal.enter("g4");
    terminal.expect("0-1, checkmate.");
    terminal.enter("e4");
    terminal.expect("error: the game is over: 'undo' takes moves back");
    terminal.enter("undo");
    terminal.expect("2. White to move");
    terminal.enter("e4");
    terminal.expect("Tabia plays ");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn mistakes_are_told_and_nothing_is_done() {
    let mut terminal = Terminal::start();
    terminal.enter("go depth");
    terminal.expect("error: go depth");
    terminal.enter("e4 e5");
    terminal.expect("error: one move at a time");
    terminal.enter("play --help");
    terminal.expect("Example:\r\n  play black level 1200");
    terminal.enter("board");
    let shown = terminal.expect("1. White to move");
    assert!(!shown.contains("best:"), "{shown}");
    terminal.enter("save /dev/null");
    terminal.expect("error: /dev/null: not a regular file");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn a_move_of_the_position_on_the_board_is_explained() {
    let mut terminal = Terminal::start();
    terminal.enter("position fen 4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1");
    terminal.enter("explain Ng4 --nodes 20000");
    terminal.expect("Ng4 is a blunder: White's winning chances fall from 50 % to ");
    terminal.expect("Played ");
    terminal.enter("explain Nd4");
    terminal.expect("error: explain: 'Nd4' is not a legal move");
    terminal.enter("Nxd5");
    terminal.expect("1... Black to move");
    terminal.enter("explain Kd7 --depth 3");
    terminal.expect("Kd7 is ");
    terminal.enter("position startpos");
    terminal.enter("explain e4 --movetime 86400000");
    // Enter stops it; before the search it does nothing.
    let (is_stopped, mut keyboard) =
        (AtomicBool::new(false), terminal.keyboard.try_clone().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| {
            let end = Instant::now() + TIMEOUT;
            while !is_stopped.load(Ordering::Relaxed) && Instant::now() < end {
                keyboard.write_all(b"\r").unwrap();
                thread::sleep(Duration::from_millis(50));
            }
        });
        terminal.expect("stopped");
        is_stopped.store(true, Ordering::Relaxed);
    });
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn after_uci_the_session_is_plain() {
    let mut terminal = Terminal::start();
    terminal.enter("uci\nisready");
    terminal.expect("id name Tabia ");
    terminal.expect("uciok\r\n");
    terminal.expect("readyok\r\n");
    terminal.enter("position startpos moves e2e4");
    terminal.enter("go infinite");
    terminal.expect("info depth 9 ");
    terminal.enter("isready");
    terminal.expect("readyok\r\n");
    terminal.enter("stop");
    terminal.expect("bestmove ");
    terminal.enter("e4");
    terminal.expect("info string error: unknown command 'e4'");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn a_game_is_played_taken_back_and_saved() {
    let path = scratch("terminal.pgn");
    // `save` adds the missing line end.
    fs::write(&path, "1. f3 e5 0-1").unwrap();
    let save = format!("save {}", path.display());
    let mut terminal = Terminal::start();
    terminal.enter("resign");
    terminal.expect("error: there is no game: 'play' begins one");
    terminal.enter("play black level 1000");
    terminal.expect("You have Black against level 1000.");
    terminal.expect("Tabia plays 1. ");
    terminal.expect("1... Black to move");
    terminal.enter("a6");
    terminal.expect("Tabia plays 2. ");
    terminal.expect("2... Black to move");
    terminal.enter(&save);
    terminal.expect("saved to ");
    terminal.enter("undo");
    terminal.expect("1... Black to move");
    terminal.enter("h6");
    terminal.expect("Tabia plays 2. ");
    terminal.enter("hint");
    terminal.expect("hint: ");
    // At the level, no search is that deep.
    terminal.enter("go depth 9");
    terminal.expect("9/");
    terminal.expect("best: 2... ");
    terminal.enter("draw");
    terminal
        .expect("Tabia agrees to a draw from move 20 of the game on, or when no pawn can move.");
    terminal.enter("resign");
    terminal.expect("1-0, you resign.");
    terminal.enter("a5");
    terminal.expect("error: the game is over: 'undo' takes moves back");
    terminal.enter(&save);
    terminal.expect("saved to ");
    terminal.enter("play level 500");
    terminal.expect("1. White to move");
    terminal.enter(&save);
    terminal.expect("saved to ");
    terminal.enter("quit");
    terminal.finish();

    let games: Vec<_> = Reader::new(File::open(&path).unwrap()).map(Result::unwrap).collect();
    fs::remove_file(path).unwrap();
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    let expected = [GameResult::BlackWins, GameResult::WhiteWins].map(Some);
    assert_eq!(results, [expected[0], expected[1], None], "the game is replaced, no other one");
    assert_eq!(games[1].tags.get("Result"), Some("1-0"));
    assert!(games[1].tags.get("White").unwrap().ends_with(", level 1000"));
    assert_eq!(games[1].line.moves.len(), 3);
}

#[test]
fn an_unfinished_game_is_kept_however_the_prompt_ends() {
    let folder = scratch("games");
    let mut terminal = Terminal::keeping(&folder);
    terminal.enter("play level 500");
    terminal.enter("e4");
    terminal.expect("Tabia plays 1... ");
    terminal.expect("2. White to move");
    drop(terminal);

    let mut terminal = Terminal::keeping(&folder);
    terminal.expect("'resume' takes up: White against level 500, move 2, just now");
    terminal.enter("resume");
    terminal.expect("You have White against level 500.");
    terminal.expect("2. White to move");
    terminal.enter("d3");
    terminal.expect("3. White to move");
    for (answer, effect) in [("", "The game goes on."), ("no", "The game goes on."), ("fen", " w ")]
    {
        terminal.enter("play black level 500");
        terminal.expect("Your game at move 3 is not finished. It is kept for 'resume'.");
        terminal.expect("Begin another game? [y/N] ");
        terminal.enter(answer);
        terminal.expect(effect);
    }
    terminal.enter("play black level 500");
    terminal.expect("[y/N] ");
    terminal.enter("y");
    terminal.expect("1... Black to move");
    terminal.enter("a6");
    terminal.expect("2... Black to move");
    terminal.expect("tabia> ");
    terminal.press("\x04");
    terminal.expect("Your game is kept: 'resume' takes it up.");
    terminal.finish();

    fs::write(folder.join("other.pgn"), "1. e4 *").unwrap();
    let mut terminal = Terminal::keeping(&folder);
    terminal.expect("other.pgn is not a game");
    terminal.expect("other.pgn.aside\r\n");
    terminal.enter("resume");
    terminal.expect("1  Black against level 500, move 2, just now");
    terminal.expect("2  White against level 500, move 3, just now");
    terminal.expect("All games are in");
    terminal.enter("resume 3");
    terminal.expect("error: resume: expected 1 to 2");
    terminal.enter("resume 2");
    terminal.expect("3. White to move");
    terminal.enter("resign");
    terminal.expect("0-1, you resign.");
    terminal.enter("quit");
    terminal.finish();

    let games = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path| Reader::new(File::open(path).unwrap()).next().unwrap().unwrap().result;
    let mut results: Vec<_> = games().map(read).collect();
    results.sort_by_key(Option::is_some);
    assert_eq!(results, [None, None, Some(GameResult::BlackWins)], "{:?}", games().last());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_kept_game_has_its_last_level_and_no_moves_taken_back() {
    let folder = scratch("undone");
    let mut terminal = Terminal::keeping(&folder);
    terminal.enter("play level 500");
    terminal.expect("1. White to move");
    terminal.enter("e4");
    terminal.expect("2. White to move");
    terminal.enter("level 800");
    terminal.expect("Tabia plays on at level 800.");
    drop(terminal);

    let mut terminal = Terminal::keeping(&folder);
    terminal.expect("'resume' takes up: White against level 800, move 2, just now");
    terminal.enter("resume");
    terminal.expect("You have White against level 800.");
    terminal.expect("2. White to move");
    terminal.enter("undo");
    terminal.expect("1. White to move");
    drop(terminal);

    let mut terminal = Terminal::keeping(&folder);
    terminal.expect("'resume' takes up: White against level 800, move 1, just now");
    terminal.enter("resume");
    terminal.expect("1. White to move");
    terminal.enter("quit");
    terminal.finish();
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_game_that_cannot_be_kept_goes_on() {
    let mut terminal = Terminal::keeping(Path::new("/dev/null/games"));
    terminal.enter("play level 500");
    terminal.enter("e4");
    terminal.expect("note: this game is not kept: /dev/null/games: Not a directory");
    terminal.expect("2. White to move");
    terminal.enter("d3");
    let shown = terminal.expect("3. White to move");
    assert!(!shown.contains("not kept"), "{shown}");
    terminal.enter("play");
    terminal.expect("is not finished and would be lost.");
    terminal.enter("n");
    terminal.enter("resume");
    terminal.expect("error: resume: /dev/null/games: Not a directory");
    terminal.enter("quit");
    terminal.expect("Your game is left unfinished.");
    terminal.finish();
}

/// Beside the moves in SAN, and in the words of other programs.
#[test]
fn words_and_moves_that_players_try_are_understood() {
    let mut terminal = Terminal::start();
    terminal.expect("tabia> ");
    for (line, effect) in [
        ("d2 d4", "1... Black to move"),
        ("n f6", "2. White to move"),
        ("takeback", "1... Black to move"),
        ("position fen 4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "tabia> "),
        ("o-o", "2. White to move"),
        ("d2 d9", "error: "),
        ("?", "Play and analyse:"),
        ("clock", "error: there is no game: 'play time 5+3' begins one"),
        ("level 1200", "error: there is no game: 'play level 1200' begins one"),
        ("level", "error: there is no game: 'play level 1200' begins one"),
        ("review", "accuracy"),
        ("takeback 2", "error: 'takeback' takes no arguments"),
        ("white", "error: 'white' is neither a move nor a command, 'help' explains"),
        ("epd a.epd", "error: 'epd' runs in a shell, not here: 'tabia epd --help' explains"),
        ("position startpos", "tabia> "),
        ("score", "score: +0."),
        ("review", "error: there are no moves to review"),
        ("new time 5+3", "You have White against full strength."),
        ("clock", "White 4:5"),
        ("level 1200", "Tabia plays on at level 1200."),
        ("level 500 600", "error: level: expected 500 to 3000, found '500 600'"),
        ("level", "Tabia plays at level 1200."),
        ("play chess960 quiet level 500", "You have White against level 500."),
    ] {
        terminal.enter(line);
        terminal.expect(effect);
    }
    terminal.expect("1. White to move");
    // The screen fits in 80 columns.
    terminal.enter("play purple");
    terminal.expect("error: play: unknown word 'purple'");
    let shown = terminal.expect("[quiet]");
    assert!(shown.contains("\r\n") && shown.lines().all(|line| line.len() <= 80), "{shown}");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn scores_are_hidden_and_draws_are_agreed_in_simple_endings() {
    let mut terminal = Terminal::start();
    terminal.enter("position fen 4k3/8/8/8/8/7n/8/R3K3 w - - 0 1");
    terminal.enter("play here white movetime 0.1 quiet");
    terminal.enter("draw");
    terminal.expect("Tabia has to make a move before it agrees to a draw.");
    terminal.enter("Ra7");
    let shown = terminal.expect("2. White to move");
    assert!(shown.contains("Tabia plays 1... ") && !shown.contains("for White"), "{shown}");
    terminal.enter("draw");
    terminal.expect("1/2-1/2, agreed.");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn a_game_is_reviewed_in_characters() {
    let mut terminal = Terminal::start();
    terminal.enter("position startpos moves e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#");
    terminal.enter("review");
    let shown = terminal.expect("3... Nf6??");
    assert!(
        shown.contains("accuracy") && shown.contains("100 % │") && shown.contains('█'),
        "{shown}"
    );
    terminal.expect(", better 3... ");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn tab_completes_words_and_moves() {
    let mut terminal = Terminal::start();
    terminal.expect("tabia> ");
    terminal.press("pla\t");
    terminal.press("black lev\t");
    terminal.press("500\r");
    terminal.expect("You have Black against level 500.");
    terminal.expect("1... Black to move");
    terminal.expect("tabia> ");
    terminal.press("Nc\t\r");
    terminal.expect("2... Black to move");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn a_loaded_game_keeps_its_tags_and_its_result() {
    let (path, copy) = (scratch("resigned.pgn"), scratch("copy.pgn"));
    let text = "[White \"A\"]\n[Black \"B\u{202e}\"]\n[Round \"3\"]\n\n1. e4 e5 1-0\n";
    fs::write(&path, text).unwrap();
    let _unused = fs::remove_file(&copy);
    let mut terminal = Terminal::start();
    terminal.enter(&format!("load {}", path.display()));
    terminal.expect("Game 1: A – B<U+202E>, 1-0");
    terminal.enter(&format!("save {}", copy.display()));
    terminal.expect("saved to ");
    terminal.enter("quit");
    terminal.finish();
    let saved = fs::read_to_string(copy).unwrap();
    for part in ["[White \"A\"]", "[Round \"3\"]", "[Result \"1-0\"]", "1. e4 e5 1-0"] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
}

/// `tabia play …` is the prompt with that line; without a terminal it is an error.
#[test]
fn the_command_line_begins_a_game() {
    let mut command = program();
    command.env("NO_COLOR", "1").args(["play", "black", "level", "500"]);
    let mut terminal = Terminal::run(command);
    terminal.expect("You have Black against level 500.");
    terminal.expect("1... Black to move");
    terminal.enter("quit");
    terminal.finish();

    for (arguments, code, message) in [
        (&["play"][..], 2, "error: play: its input and output have to be a terminal"),
        (&["play level 1000"][..], 2, "error: play: its input and output have to be a terminal"),
        (&["undo"][..], 2, "error: 'undo' is a word of the prompt, which 'tabia' alone starts"),
        (&["play", "--help"][..], 0, "Usage: play [white|black|random]"),
        (&["help", "resume"][..], 0, "Usage: resume [N]"),
    ] {
        let run = run(arguments);
        assert_eq!(run.code, Some(code), "{run:?}");
        let lines = [run.stdout, run.stderr].concat();
        assert!(lines[0].starts_with(message), "{lines:?}");
    }
}

#[test]
fn a_saved_game_is_loaded_and_goes_on() {
    let path = scratch("loaded.pgn");
    fs::write(&path, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Ke2 Ke7 3. Ke2 1-0\n").unwrap();
    // Started beside the file: a long path would wrap the lines that name it.
    let mut command = program();
    command.env("NO_COLOR", "1").current_dir(path.parent().unwrap());
    let mut terminal = Terminal::run(command);
    terminal.enter("play level 500");
    terminal.enter("e4");
    terminal.expect("2. White to move");
    let shown = path.file_name().unwrap().display();
    terminal.enter(&format!("save {shown}"));
    terminal.expect("saved to ");
    terminal.enter(&format!("load {shown}"));
    terminal.expect("Game 1: A – B, ");
    terminal.expect("note: game 1, White's move 3, ");
    terminal.expect("Your game is left unfinished.");
    terminal.expect("3. White to move");
    terminal.enter("undo");
    terminal.expect("2... Black to move");
    terminal.enter(&format!("load {shown} 2"));
    terminal.expect("You have White against level 500.");
    terminal.expect("2. White to move");
    for (line, error) in [
        (format!("load {shown} 3"), "there is no such game"),
        (format!("load {shown} 0"), "load: expected a PGN file, and the number"),
        ("load".to_owned(), "load: expected a PGN file, and the number"),
        ("load /nowhere/x.pgn".to_owned(), "/nowhere/x.pgn: No such file"),
    ] {
        terminal.enter(&line);
        terminal.expect(error);
    }
    terminal.enter("quit");
    terminal.finish();
    fs::remove_file(path).unwrap();
}

#[test]
fn a_game_begins_from_the_position_on_the_board() {
    let mut terminal = Terminal::start();
    terminal.enter("position fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 9");
    terminal.enter("e3");
    terminal.expect("9... Black to move");
    terminal.enter("play white here movetime 0.1");
    terminal.expect("You have White against full strength.");
    terminal.expect("Tabia plays 9... K");
    terminal.expect("10. White to move");
    // The user has not moved in this game, so it is left without a question.
    terminal.enter("play here level 500");
    let shown = terminal.expect("You have White against level 500.");
    assert!(!shown.contains("not finished"), "{shown}");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn the_score_of_a_move_is_that_of_the_best_line() {
    let mut terminal = Terminal::start();
    // The worst move of the start position is bad for White.
    terminal.enter("setoption name MultiPV value 20");
    terminal.enter("play black movetime 0.5");
    terminal.expect("Tabia plays 1. ");
    let score = terminal.expect(" for White");
    assert!(score.contains("   +"), "{score}");
    terminal.enter("quit");
    terminal.finish();
}

#[test]
fn a_game_sets_all_options_of_strength() {
    let mut terminal = Terminal::start();
    terminal.enter("setoption name Skill Level value 0");
    terminal.expect("tabia> ");
    let start = Instant::now();
    terminal.enter("play black movetime 1");
    terminal.expect("You have Black against full strength.");
    terminal.expect("Tabia plays 1. ");
    // The lowest level searches 100 nodes.
    assert!(start.elapsed() > Duration::from_millis(500));

    terminal.enter("play black level 1000");
    terminal.expect("Tabia plays 1. ");
    terminal.enter("uci\nsetoption name UCI_LimitStrength value true\ngo nodes 20000");
    let info = terminal.expect("bestmove ");
    let (_, nodes) = info.rsplit_once(" nodes ").unwrap();
    let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
    assert!(nodes > 2_000, "{info}");
    terminal.enter("quit");
    terminal.finish();
}

/// Returns the lines that a terminal shows: text after a carriage return covers what was there.
fn shown_lines(output: &str) -> Vec<String> {
    let show = |line: &str| {
        let mut shown: Vec<char> = Vec::new();
        for part in line.split('\r') {
            let covered = part.chars().count().min(shown.len());
            shown.splice(..covered, part.chars());
        }
        shown.into_iter().collect::<String>().trim_end().to_owned()
    };
    output.split('\n').map(show).collect()
}

#[test]
fn rows_do_not_share_a_line_with_the_progress() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    let (suite, games) = (format!("{data}tactics.epd"), format!("{data}masters.pgn"));
    for (arguments, last, count) in [
        (["epd", &suite, "--movetime", "150"], "Time ", 8),
        (["analyse", &games, "--nodes", "1500"], "Duke Karl", 60),
    ] {
        let mut command = program();
        command.args(arguments);
        let mut terminal = Terminal::run(command);
        terminal.finish();
        let output = terminal.rest();
        assert!(output.contains("[....") && output.contains(last), "{output:?}");
        let lines = shown_lines(&output);
        assert!(lines.len() >= count, "{lines:#?}");
        let has_bar =
            |line: &String| ["[#", "[..", "#]", "..]"].iter().any(|part| line.contains(part));
        assert!(!lines.iter().any(has_bar), "{lines:#?}");
    }
}

#[test]
fn colours_are_shown_unless_they_are_not_wanted() {
    let mut terminal = Terminal::run(program());
    terminal.enter("board");
    let board = terminal.expect("White to move");
    assert!(board.contains('♜') && board.contains("\x1b[48;5;"), "{board:?}");
    let mut terminal = Terminal::start();
    terminal.enter("board");
    let board = terminal.expect("White to move");
    assert!(!board.contains('♜') && !board.contains("\x1b[48;5;"), "{board:?}");
}
