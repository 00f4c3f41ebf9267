//! Dialogue with the `tabia` program.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{self, Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tabia::board::{Board, FenStyle};

/// Time limit for each line, long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Running program with its pipes. Dropping it kills the process.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
}

impl Session {
    pub(crate) fn start() -> Self {
        Self::start_from(program())
    }

    pub(crate) fn start_from(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.expect("the output is UTF-8")).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, transcript: Vec::new() }
    }

    /// Starts the program and sends `uci`.
    pub(crate) fn start_uci() -> Self {
        let mut session = Self::start();
        session.send("uci");
        session.expect("uciok");
        session
    }

    /// Sends a line, or several.
    pub(crate) fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {:.200}", line));
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is still open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the program reads");
    }

    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    fn next_line(&mut self, timeout: Duration) -> Option<String> {
        match self.lines.recv_timeout(timeout) {
            Ok(line) => {
                self.transcript.push(format!("< {line:.200}"));
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Returns the lines up to the first one with this prefix.
    pub(crate) fn expect(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line(TIMEOUT) else {
                panic!("no line starts with '{prefix}':\n{}", self.transcript.join("\n"));
            };
            lines.push(line);
            if lines[lines.len() - 1].starts_with(prefix) {
                return lines;
            }
        }
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub(crate) fn until_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.expect("readyok");
        lines.pop();
        lines
    }

    /// Returns the lines of the next `time`.
    pub(crate) fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(end.saturating_duration_since(Instant::now())) {
            lines.push(line);
        }
        lines
    }

    pub(crate) fn best_move(&mut self) -> String {
        best_move_of(&self.expect("bestmove")).to_owned()
    }

    /// Returns the resident memory of the program in MiB, where the system tells it.
    pub(crate) fn resident_mib(&self) -> Option<u64> {
        resident_mib(&self.child)
    }

    /// Checks that the engine replies to `isready` and finds a move in the start position.
    pub(crate) fn assert_alive(&mut self) {
        self.until_ready();
        self.send("position startpos\ngo depth 3");
        let mv = self.best_move();
        assert!(
            Board::startpos().parse_move(&mv).is_some(),
            "{mv}:\n{}",
            self.transcript.join("\n")
        );
    }

    /// Sends `quit`, checks the exit code and returns the remaining lines.
    pub(crate) fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.finish()
    }

    /// Waits for a successful end and returns the remaining lines.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let (status, lines) = self.wait();
        assert!(status.success(), "{status}:\n{}", self.transcript.join("\n"));
        lines
    }

    /// Waits for the end and returns the exit status and the remaining lines.
    pub(crate) fn wait(&mut self) -> (ExitStatus, Vec<String>) {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(TIMEOUT) {
            lines.push(line);
        }
        (wait_for(&mut self.child), lines)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Both fail if the program has ended already.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

pub(crate) fn program() -> Command {
    with_environment(Command::new(path_of_program()))
}

/// Sets the environment of the program for a command that is the program or starts it.
pub(crate) fn with_environment(mut command: Command) -> Command {
    command.env_remove("RUST_LOG");
    // The prompt keeps no games of tests.
    command.env("TABIA_GAMES", "off");
    command
}

/// Returns the path of the program to test: `TABIA_PROGRAM`, or the one built with the tests.
///
/// The path is absolute, so the program can be started in any folder.
pub(crate) fn path_of_program() -> PathBuf {
    let given = env::var_os("TABIA_PROGRAM").map(PathBuf::from);
    let path = given.unwrap_or_else(|| env!("CARGO_BIN_EXE_tabia").into());
    path::absolute(path).expect("the path is not empty")
}

/// Returns the path of a temporary file of this test run.
pub(crate) fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{} {name}", std::process::id()))
}

/// Returns the resident memory of a process in MiB, where the system tells it.
pub(crate) fn resident_mib(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib >> 10)
}

pub(crate) fn wait_for(child: &mut Child) -> ExitStatus {
    let end = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            return status;
        }
        assert!(Instant::now() < end, "the process is still running");
        thread::sleep(Duration::from_millis(2));
    }
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<String>,
    pub(crate) stderr: Vec<String>,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let lines = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("the output is UTF-8");
            text.lines().map(str::to_owned).collect()
        };
        let (stdout, stderr) = (lines(output.stdout), lines(output.stderr));
        Self { code: output.status.code(), stdout, stderr }
    }
}

pub(crate) fn run<S: AsRef<OsStr>>(arguments: &[S]) -> Run {
    let output = program().args(arguments).stdin(Stdio::null()).output();
    output.expect("the program starts").into()
}

/// Runs the program with these arguments. Returns whether its exit code is 0, and the lines of
/// both its outputs.
pub(crate) fn run_with(arguments: &[&str]) -> (bool, Vec<String>) {
    let Run { code, stdout, stderr } = run(arguments);
    (code == Some(0), [stdout, stderr].concat())
}

/// Splits a line at blanks as a shell does; double quotes keep words together.
pub(crate) fn shell_words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    let words = |(index, part)| match index % 2 {
        0 => str::split_whitespace(part).collect(),
        _ => vec![part],
    };
    parts.flat_map(words).collect()
}

/// Runs the program with this input, checks that its exit code is 0 and returns its output.
pub(crate) fn pipe_through(input: &str) -> Vec<String> {
    let mut session = Session::start();
    session.send_bytes(input.as_bytes());
    session.close_input();
    session.finish()
}

/// Returns the line without what depends on the time: speed, `hashfull` and `time`.
pub(crate) fn without_times(line: &str) -> String {
    let Some((before, after)) = line.split_once(" nps ") else { return line.to_owned() };
    let pv = after.find(" pv ").map_or("", |at| &after[at..]);
    format!("{before}{pv}")
}

/// Returns the move of the `bestmove` line, which is the last one.
pub(crate) fn best_move_of(lines: &[String]) -> &str {
    let last = lines.last().expect("a line");
    last.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next()).expect("a best move")
}

pub(crate) fn number_after(line: &str, word: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|other| *other != word);
    words.nth(1)?.parse().ok()
}

pub(crate) fn pv_of(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map_or_else(Vec::new, |(_, pv)| pv.split(' ').collect())
}

/// Checks the output of one search of a position with legal moves.
pub(crate) fn check_search(root: &Board, lines: &[String]) {
    let fen = root.fen(FenStyle::Shredder);
    let (last, infos) = lines.split_last().expect("a line");
    assert!(last.starts_with("bestmove "), "{fen}: {last}");
    let scores: Vec<&String> = infos.iter().filter(|line| line.contains(" score ")).collect();
    for line in &scores {
        check_info(root, line);
    }
    let exact = scores
        .iter()
        .rfind(|line| number_after(line, "multipv") == Some(1) && !line.contains("bound "))
        .unwrap_or_else(|| panic!("{fen}: no exact score before {last}"));
    let pv = pv_of(exact);
    let words: Vec<&str> = last.split(' ').collect();
    assert_eq!(words.get(1), pv.first(), "{fen}: {exact} / {last}");
    if words.get(2) == Some(&"ponder") {
        assert_eq!(words.get(3), pv.get(1), "{fen}: {exact} / {last}");
    }
}

fn check_info(root: &Board, line: &str) {
    for word in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
        let number = number_after(line, word).unwrap_or_else(|| panic!("no {word}: {line}"));
        assert!(number >= 0, "{line}");
    }
    assert!(number_after(line, "hashfull") <= Some(1000), "{line}");
    let pv = pv_of(line);
    assert!(!pv.is_empty(), "{line}");
    let mut board = root.clone();
    for (ply, text) in pv.iter().enumerate() {
        let over = ply > 0
            && (board.is_threefold()
                || board.is_fifty_move_draw()
                || board.is_insufficient_material());
        assert!(!over, "the game ends before {text}: {line}");
        let mv = board.parse_move(text).unwrap_or_else(|| panic!("illegal {text}: {line}"));
        board.make_move(mv);
    }
    let exact = !line.contains("bound ");
    if let Some(moves) = number_after(line, "mate").filter(|_| exact) {
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(pv.len() as i64, plies, "{line}");
        assert!(board.in_check() && !board.has_legal_move(), "the PV does not end in mate: {line}");
    }
}

pub(crate) fn count_best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

pub(crate) fn any_contains(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}
