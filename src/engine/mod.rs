//! The engine as an actor: it owns the board, the options and the search workers, takes [`Command`]s and sends
//! [`Reply`]s.
//!
//! It never blocks. What runs – a search or a tool – runs on threads of its own and reports through channels. While
//! something runs, `stop`, `ponderhit`, `isready`, `debug` and `quit` act at once, and everything else waits in a queue,
//! in order. `go` and `stop` pass through this one thread, so no `stop` can be lost: each search has a stop flag of its
//! own, and a `stop` behind a queued `go` stays behind it in the queue.

pub mod about;
mod go;
mod jobs;
mod level;
pub mod options;
mod own_book;
mod position;
pub mod protocol;
pub mod session_log;
mod tablebase;
mod tune;

use std::collections::VecDeque;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use crate::board::{Board, FenStyle};
use crate::eval::{Chances, EvalTrace, Network};
use crate::search::{
    Duration, Info, Instant, SearchEvent, SearchHandle, SearchOptions, SearchPool, TUNABLES,
};
use crate::tools::perft::PerftOptions;
use crate::types::Depth;
use jobs::Job;
use level::Level;
use options::{MAX_THREADS, OPTIONS, Setting};
use own_book::OwnBook;
use position::PositionError;
use protocol::{Command, Position, Reply, Start};
use session_log::SessionLog;

/// The engine of one session.
pub struct Engine {
    board: Board,
    /// The game on the board, as it was sent; `None` when it came about otherwise.
    game: Option<Position>,
    /// Why the last `position` was refused; then there is nothing to search.
    refused: Option<PositionError>,
    chess960: bool,
    /// Whether the chances of each result are told with every score.
    show_wdl: bool,
    /// Whether the user looks into positions instead of playing them.
    analyse_mode: bool,
    own_book: OwnBook,
    level: Level,
    network: Arc<Network>,
    search_options: SearchOptions,
    pool: SearchPool,
    activity: Activity,
    /// When the last search or tool ended.
    free_since: Instant,
    queue: VecDeque<Command>,
    /// The number of the last search; events of earlier ones are ignored.
    generation: u64,
    event_sender: Sender<(u64, SearchEvent)>,
    events: Receiver<(u64, SearchEvent)>,
    replies: Sender<Reply>,
    log: SessionLog,
    debug: bool,
    all_went_well: bool,
}

/// What the engine is doing.
enum Activity {
    Idle,
    Search {
        handle: SearchHandle,
        /// Whether only `stop` ends it.
        infinite: bool,
        /// Whether it goes on until `ponderhit` at least.
        pondering: bool,
    },
    /// There was nothing to search, but the answer is not due before `stop`, or before `ponderhit` if it is awaited.
    Answered {
        pondering: bool,
    },
    Job(Job),
}

impl Engine {
    /// An engine with every option at its default and the start position on the board.
    pub fn new(replies: Sender<Reply>, log: SessionLog) -> Self {
        let (event_sender, events) = crossbeam_channel::unbounded();
        let mut engine = Self {
            board: Board::startpos(),
            game: None,
            refused: None,
            chess960: false,
            show_wdl: false,
            analyse_mode: false,
            own_book: OwnBook::new(),
            level: Level::new(),
            network: Network::embedded(),
            search_options: SearchOptions::default(),
            pool: SearchPool::new(1),
            activity: Activity::Idle,
            free_since: Instant::now(),
            queue: VecDeque::new(),
            generation: 0,
            event_sender,
            events,
            replies,
            log,
            debug: false,
            all_went_well: true,
        };
        for setting in OPTIONS.iter().filter_map(|option| option.default_setting()) {
            engine.apply(setting);
        }
        engine
    }

    /// Serves until `quit`, or until nobody can send a command any more. Returns whether no command has failed.
    pub fn run(mut self, commands: &Receiver<Command>) -> bool {
        let silence = crossbeam_channel::never();
        let mut commands = commands;
        let events = self.events.clone();
        while self.work_off_queue() {
            let job_end = match &self.activity {
                Activity::Job(job) => job.end(),
                _ => crossbeam_channel::never(),
            };
            crossbeam_channel::select! {
                recv(commands) -> command => {
                    let command = command.unwrap_or(Command::Quit);
                    if matches!(command, Command::Quit) {
                        commands = &silence;
                    }
                    self.receive(command);
                }
                recv(events) -> event => {
                    if let Ok((generation, event)) = event {
                        self.handle_event(generation, event);
                    }
                }
                recv(job_end) -> outcome => {
                    self.become_idle();
                    // A job that ends without an outcome has panicked.
                    self.all_went_well &= outcome.unwrap_or(false);
                }
            }
        }
        self.all_went_well
    }

    /// Acts on what cannot wait and queues the rest.
    fn receive(&mut self, command: Command) {
        match command {
            Command::IsReady => self.reply(Reply::ReadyOk),
            Command::Debug(on) => self.debug = on,
            Command::Malformed(error) => self.fail(error),
            Command::Stop | Command::PonderHit => {
                self.interrupt(&command);
                // It is meant for the searches in the queue, too, and for none that comes later.
                self.queue.push_back(command);
            }
            _ => self.queue.push_back(command),
        }
    }

    /// Does what is in the queue as far as that is possible now. Returns whether to go on, that is, not to quit.
    fn work_off_queue(&mut self) -> bool {
        loop {
            if !self.is_idle() && self.quit_is_due() {
                self.end_search();
            }
            if !self.is_idle() {
                return true;
            }
            match self.queue.pop_front() {
                None => return true,
                Some(Command::Quit) => return false,
                Some(command) => self.execute(command),
            }
            if !self.is_idle() {
                self.obey_queued_interrupts();
            }
        }
    }

    fn become_idle(&mut self) {
        self.activity = Activity::Idle;
        self.free_since = Instant::now();
    }

    const fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Idle)
    }

    /// Passes on to what has just begun each `stop` and `ponderhit` that came after it.
    fn obey_queued_interrupts(&mut self) {
        let is_interrupt =
            |command: &&Command| matches!(command, Command::Stop | Command::PonderHit);
        let interrupts: Vec<Command> = self.queue.iter().filter(is_interrupt).cloned().collect();
        for command in &interrupts {
            self.interrupt(command);
        }
    }

    /// Whether the search is to end because of a `quit` in the queue. `wait` asks for patience, but not with a search
    /// that only `stop` would end: no `stop` can come any more.
    fn quit_is_due(&self) -> bool {
        let has = |wanted: fn(&Command) -> bool| self.queue.iter().any(wanted);
        let endless = matches!(
            self.activity,
            Activity::Search { infinite: true, .. }
                | Activity::Search { pondering: true, .. }
                | Activity::Answered { .. }
        );
        has(|command| matches!(command, Command::Quit))
            && (endless || !has(|command| matches!(command, Command::Wait)))
    }

    /// Passes `stop` or `ponderhit` on to what runs.
    fn interrupt(&mut self, command: &Command) {
        match (&mut self.activity, command) {
            (Activity::Search { handle, pondering, .. }, Command::PonderHit) => {
                handle.ponder_hit();
                *pondering = false;
            }
            (Activity::Answered { pondering: true }, Command::PonderHit) => self.end_search(),
            (_, Command::PonderHit) | (Activity::Idle, _) => {}
            (Activity::Job(job), _) => job.stop(),
            (Activity::Search { .. } | Activity::Answered { .. }, _) => self.end_search(),
        }
    }

    /// Makes the search give its best move now. Tools are left to finish.
    fn end_search(&mut self) {
        match &self.activity {
            Activity::Search { handle, .. } => handle.stop(),
            Activity::Answered { .. } => {
                self.become_idle();
                self.reply(self.no_move());
            }
            Activity::Idle | Activity::Job(_) => {}
        }
    }

    fn handle_event(&mut self, generation: u64, event: SearchEvent) {
        if generation != self.generation {
            return;
        }
        let chess960 = self.chess960;
        match event {
            SearchEvent::Info(info) => {
                if let Some(info) = self.level.keep(info) {
                    self.show_line(info);
                }
            }
            SearchEvent::CurrentMove { depth, mv, number } => {
                self.reply(Reply::CurrentMove { depth, mv, number, chess960 });
            }
            SearchEvent::Finished(outcome) => {
                self.become_idle();
                self.report_table_troubles();
                let (mut best, mut ponder) = (outcome.best, outcome.ponder);
                if let Some(line) = self.level.choose() {
                    (best, ponder) = (line.pv.first().copied(), line.pv.get(1).copied());
                    self.show_line(line);
                }
                self.reply(Reply::BestMove { best, ponder, chess960 });
            }
        }
    }

    fn show_line(&self, info: Info) {
        let chances = self.show_wdl.then(|| Chances::of(info.score, &self.board));
        self.reply(Reply::Info { info: Box::new(info), chances, chess960: self.chess960 });
    }

    /// Does a command while nothing runs.
    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.pool.clear(),
            Command::Position(position) => self.set_position(position),
            Command::Go(go) => self.go(go),
            Command::Display => {
                let board = Box::new(self.board.clone());
                self.reply(Reply::Board { board, chess960: self.chess960 });
            }
            Command::Eval => {
                let trace = EvalTrace::new(&self.network, &self.board);
                self.reply(Reply::Evaluation(Box::new(trace)));
            }
            Command::Fen => self.reply(Reply::Fen(self.board.fen(self.fen_style()))),
            Command::Moves => {
                let moves = self.board.legal_moves().to_vec();
                self.reply(Reply::Moves { moves, chess960: self.chess960 });
            }
            Command::Flip => {
                self.board = self.board.flipped();
                self.game = None;
            }
            Command::Perft { depth, threads, hash } => {
                let threads = threads.unwrap_or(self.pool.threads()).clamp(1, MAX_THREADS as usize);
                let options = PerftOptions { threads, hash };
                self.start_job(jobs::perft(&self.board, depth, self.chess960, options));
            }
            Command::PerftSuite { path, max_depth } => {
                self.start_job(jobs::perft_suite(path, max_depth));
            }
            Command::Bench { depth, threads, hash } => {
                self.start_job(jobs::bench(self.network.clone(), depth, threads, hash));
            }
            Command::SelfTest => self.start_job(jobs::selftest()),
            Command::Tablebase => self.show_tables(),
            Command::Book { path, start } => self.list_book(path, start.as_ref()),
            Command::Spsa => self.show_spsa(),
            Command::Keys(positions) => self.start_job(jobs::keys(positions)),
            Command::Datagen(options) => self.start_job(jobs::datagen(options)),
            Command::GenFens(wishes) => self.start_job(jobs::genfens(wishes)),
            Command::Compiler => self.reply(Reply::Compiler),
            Command::Version => self.reply(Reply::Version),
            Command::Help => self.reply(Reply::Help),
            // What acts at once never gets here, and there is nothing to register or to wait for.
            Command::Register
            | Command::Wait
            | Command::Debug(_)
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Malformed(_) => {}
        }
    }

    fn introduce(&self) {
        self.reply(Reply::Id);
        for option in OPTIONS {
            self.reply(Reply::Option(option));
        }
        for tunable in TUNABLES {
            self.reply(Reply::Tunable(tunable));
        }
        self.reply(Reply::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let value = value.map(str::trim).filter(|value| !value.is_empty());
        if let Some(tunable) = Self::tunable(name) {
            return self.tune(tunable, value);
        }
        match options::check_setting(name, value) {
            Ok(checked) => {
                if let Some(clamped) = checked.clamped {
                    self.note(clamped.to_string());
                }
                if let Some(setting) = checked.setting {
                    if self.debug {
                        self.note(format!("{setting:?}"));
                    }
                    self.apply(setting);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    fn apply(&mut self, setting: Setting) {
        match setting {
            Setting::Hash(mib) => {
                if let Err(error) = self.pool.set_hash(mib as usize) {
                    self.fail(error);
                }
            }
            Setting::Threads(threads) => {
                if let Err(error) = self.pool.set_threads(threads as usize) {
                    let running = self.pool.threads();
                    self.fail(format!("Threads {threads}: {error}; {running} are running"));
                }
            }
            Setting::ClearHash => self.pool.clear_hash(),
            Setting::MultiPv(lines) => self.search_options.multi_pv = lines as usize,
            Setting::MoveOverhead(milliseconds) => {
                self.search_options.move_overhead = Duration::from_millis(milliseconds.into());
            }
            Setting::Ponder(on) => self.search_options.ponder = on,
            Setting::Chess960(on) => self.chess960 = on,
            Setting::NodesTime(nodes) => self.search_options.nodes_time = nodes.into(),
            Setting::SyzygyPath(folders) => self.set_tables(&folders),
            Setting::SyzygyProbeDepth(plies) => {
                self.search_options.tablebases.least_depth = plies as Depth;
            }
            Setting::SyzygyProbeLimit(pieces) => {
                self.search_options.tablebases.most_pieces = pieces as usize;
            }
            Setting::Syzygy50MoveRule(on) => self.search_options.tablebases.fifty_moves = on,
            Setting::LimitStrength(on) => self.level.is_on = on,
            Setting::Elo(elo) => self.level.elo = elo,
            Setting::LevelSeed(seed) => self.level.seed = seed,
            Setting::OwnBook(on) => self.own_book.is_on = on,
            Setting::BookFile(path) => self.set_book(&path),
            Setting::BestBookMove(on) => self.own_book.best_only = on,
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::AnalyseMode(on) => self.analyse_mode = on,
            Setting::EvalFile(path) => self.set_network(&path),
            Setting::DebugLogFile(path) => self.set_log(&path),
        }
    }

    fn set_book(&mut self, path: &str) {
        if path.is_empty() {
            return self.own_book.close();
        }
        let name = protocol::Quoted(path);
        match self.own_book.open(Path::new(path)) {
            Ok(entries) => self.note(format!("Book File {name}: {entries} entries")),
            Err(error) => {
                self.fail(format!("Book File {name}: {error}; the book stays as it was"));
            }
        }
    }

    fn set_network(&mut self, path: &str) {
        let network = if path.is_empty() {
            Ok(Network::embedded())
        } else {
            Network::read(Path::new(path)).map(Arc::new)
        };
        match network {
            Ok(network) if network.hash() == self.network.hash() => {}
            Ok(network) => {
                self.network = network;
                // The tables hold what the old one said.
                self.pool.clear();
            }
            Err(error) => {
                let path = protocol::Quoted(path);
                self.fail(format!("EvalFile {path}: {error}; the network stays as it was"));
            }
        }
    }

    fn set_log(&mut self, path: &str) {
        if path.is_empty() {
            self.log.close();
        } else if let Err(error) = self.log.open(Path::new(path)) {
            let path = protocol::Quoted(path);
            self.fail(format!("Debug Log File {path}: {error}; the log stays as it was"));
        }
    }

    /// Lists what a book has for a position, or for the one on the board.
    fn list_book(&mut self, path: PathBuf, start: Option<&Start>) {
        let board = match start {
            None => Ok(self.board.clone()),
            Some(start) => position::set_up(start).map(|(board, _)| board),
        };
        match board {
            Ok(board) => self.start_job(jobs::book(path, board, self.chess960)),
            Err(error) => self.fail(format!("book: {error}")),
        }
    }

    fn start_job(&mut self, task: impl jobs::Task) {
        self.activity = Activity::Job(Job::start(task, self.replies.clone()));
    }

    const fn fen_style(&self) -> FenStyle {
        if self.chess960 { FenStyle::Shredder } else { FenStyle::Standard }
    }

    /// The answer to a search without a legal move.
    const fn no_move(&self) -> Reply {
        Reply::BestMove { best: None, ponder: None, chess960: self.chess960 }
    }

    fn note(&self, note: String) {
        self.reply(Reply::Note(note));
    }

    fn fail(&mut self, error: impl Into<Box<dyn Error + Send + Sync>>) {
        self.all_went_well = false;
        self.reply(Reply::Error(error.into()));
    }

    /// A writer that is gone ends the process by itself, so there is nothing to do about it here.
    fn reply(&self, reply: Reply) {
        let _gone = self.replies.send(reply);
    }
}
