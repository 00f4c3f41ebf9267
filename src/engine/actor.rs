//! Engine as an actor: its state, its queue of commands, and the running search or job.

use std::collections::VecDeque;
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use crate::board::Board;
use crate::eval::Network;
use crate::eval::chances::{Chances, normalised};
use crate::platform::{Instant, Room};
use crate::search::{Info, PoolError, SearchEvent, SearchHandle, SearchOptions, SearchPool};
use crate::types::{Move, Score};

use super::job::Job;
use super::level::Level;
use super::own_book::OwnBook;
use super::protocol::{Command, PositionCommand, Reply};
use super::session_log::SessionLog;

/// Maximum number of queued commands.
pub const MAX_QUEUE: usize = 1 << 12;

/// Upper bound on the memory of an engine without search threads, mostly the network.
const START_BYTES: usize = 8 << 20;

/// Engine of one session.
pub struct Engine {
    pub(super) board: Board,
    /// Command that led to `board`; `None` after other changes of the board.
    pub(super) game: Option<PositionCommand>,
    /// Reason why the last position was rejected: there is nothing to search or count.
    pub(super) rejected: Option<String>,
    /// Score of the last search for the side to move, while the game goes on from its position.
    pub(super) last_score: Option<Score>,
    pub(super) show_wdl: bool,
    pub(super) analyse_mode: bool,
    pub(super) own_book: OwnBook,
    pub(super) level: Level,
    pub(super) network: Arc<Network>,
    pub(super) search_options: SearchOptions,
    pub(super) pool: SearchPool,
    pub(super) activity: Activity,
    /// Answer to the last `go`, sent if a panic prevents a better one.
    pub(super) fallback_answer: Option<Reply>,
    pub(super) idle_since: Instant,
    pub(super) queue: VecDeque<Command>,
    /// Reason to end once the queue is empty.
    pub(super) ending: Option<Ending>,
    /// Number of the last search. Events of earlier ones are ignored.
    pub(super) generation: u64,
    pub(super) event_sender: Sender<(u64, SearchEvent)>,
    pub(super) events: Receiver<(u64, SearchEvent)>,
    pub(super) replies: Sender<Reply>,
    pub(super) log: SessionLog,
    pub(super) debug: bool,
    pub(super) is_successful: bool,
}

pub(super) enum Activity {
    Idle,
    Search {
        handle: SearchHandle,
        /// True if only `stop` ends the search.
        is_infinite: bool,
        is_pondering: bool,
    },
    /// There is nothing to search, but `bestmove` waits for `stop`, or for `ponderhit` if
    /// `is_pondering`.
    Held {
        is_pondering: bool,
    },
    Job(Job),
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    Quit,
    EndOfInput,
}

#[derive(Copy, Clone)]
pub(super) enum Interrupt {
    Stop,
    PonderHit,
}

impl Interrupt {
    const fn of(command: &Command) -> Option<Self> {
        match command {
            Command::Stop => Some(Self::Stop),
            Command::PonderHit => Some(Self::PonderHit),
            _ => None,
        }
    }
}

impl Engine {
    /// Creates an engine with default options and the start position.
    pub fn new(replies: Sender<Reply>, log: SessionLog) -> Result<Self, PoolError> {
        Room::ensure(START_BYTES).map_err(PoolError::Memory)?;
        let (event_sender, events) = crossbeam_channel::unbounded();
        let mut engine = Self {
            board: Board::startpos(),
            game: None,
            rejected: None,
            last_score: None,
            show_wdl: false,
            analyse_mode: false,
            own_book: OwnBook::new(),
            level: Level::new(),
            network: Network::embedded(),
            search_options: SearchOptions::default(),
            // `reset_options` sets the size of the TT.
            pool: SearchPool::with_hash(1, 1)?,
            activity: Activity::Idle,
            fallback_answer: None,
            idle_since: Instant::now(),
            queue: VecDeque::new(),
            ending: None,
            generation: 0,
            event_sender,
            events,
            replies,
            log,
            debug: false,
            is_successful: true,
        };
        engine.reset_options();
        Ok(engine)
    }

    /// Executes commands until `quit`, or until the channel is closed and everything is done.
    /// Returns whether all commands succeeded.
    pub fn run(mut self, commands: &Receiver<Command>) -> bool {
        let events = self.events.clone();
        loop {
            // A command or event that panics is lost as a whole: it has left its queue or channel.
            let step = AssertUnwindSafe(|| self.step(commands, &events));
            match panic::catch_unwind(step) {
                Ok(true) => {}
                Ok(false) => return self.is_successful,
                Err(_) => self.recover(),
            }
        }
    }

    fn recover(&mut self) {
        self.fail("a command has panicked and is left out");
        if self.is_idle()
            && let Some(answer) = self.fallback_answer.take()
        {
            self.reply(Reply::DrawScore);
            self.reply(answer);
        }
    }

    /// Executes the queue, then waits for a command or event. Returns false at the end.
    fn step(
        &mut self,
        commands: &Receiver<Command>,
        events: &Receiver<(u64, SearchEvent)>,
    ) -> bool {
        if !self.process_queue() {
            return false;
        }
        let no_commands = crossbeam_channel::never();
        let is_receiving = self.ending.is_none() && !self.is_queue_full();
        let commands = if is_receiving { commands } else { &no_commands };
        let job_end = match &self.activity {
            Activity::Job(job) => job.end(),
            _ => crossbeam_channel::never(),
        };
        crossbeam_channel::select! {
            recv(commands) -> command => match command {
                Ok(command) => self.receive(command),
                Err(_) => self.ending = Some(Ending::EndOfInput),
            },
            recv(events) -> event => {
                if let Ok((generation, event)) = event {
                    self.handle_event(generation, event);
                }
            }
            recv(job_end) -> outcome => {
                self.become_idle();
                match outcome {
                    Ok(is_success) => self.is_successful &= is_success,
                    Err(_) => self.fail("the running command has panicked"),
                }
            }
        }
        true
    }

    pub(super) fn receive(&mut self, command: Command) {
        match command {
            Command::IsReady => self.reply(Reply::ReadyOk),
            Command::Debug(on) => self.debug = on,
            Command::Quit => self.ending = Some(Ending::Quit),
            command => {
                if let Some(interrupt) = Interrupt::of(&command) {
                    self.interrupt(interrupt);
                }
                // An interrupt also applies to the searches queued before it.
                self.queue.push_back(command);
                if self.is_queue_full() && self.is_endless() {
                    self.fail(format!("{MAX_QUEUE} commands wait: stopping the search"));
                }
            }
        }
    }

    /// Executes queued commands until one has to be waited for. Returns false at the end.
    pub(super) fn process_queue(&mut self) -> bool {
        loop {
            if self.must_end_search() {
                self.end_search();
            }
            if !self.is_idle() {
                return true;
            }
            match self.queue.pop_front() {
                None => return self.ending.is_none(),
                Some(command) => self.execute(command),
            }
            if !self.is_idle() {
                self.apply_queued_interrupts();
            }
        }
    }

    pub(super) fn execute(&mut self, command: Command) {
        match command {
            Command::Go(go) => {
                let first = self.board.legal_moves().first().copied();
                let best = first.filter(|_| self.rejected.is_none());
                self.fallback_answer = Some(Reply::BestMove { best, ponder: None });
                self.go(go);
            }
            Command::Introduce => self.introduce(),
            Command::SetOption(setting) => self.set_option(setting),
            Command::SetStrength(elo) => self.set_strength(elo),
            Command::NewGame => self.new_game(),
            Command::Position(position) => self.set_position(position),
            Command::RejectPosition(reason) => self.reject_position(reason),
            Command::Board(board) => self.set_board(*board),
            Command::Flip => self.flip(),
            Command::Job(job) => self.start_job(job),
            Command::Show(show) => self.show(show),
            // These act when they are received, `Wait` while it is queued.
            Command::Register
            | Command::Wait
            | Command::Stop
            | Command::PonderHit
            | Command::IsReady
            | Command::Debug(_)
            | Command::Quit => {}
        }
    }

    pub(super) fn become_idle(&mut self) {
        self.activity = Activity::Idle;
        self.idle_since = Instant::now();
    }

    pub(super) const fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Idle)
    }

    /// Applies the queued interrupts to what has just started: they were received after it.
    pub(super) fn apply_queued_interrupts(&mut self) {
        let interrupts: Vec<Interrupt> = self.queue.iter().filter_map(Interrupt::of).collect();
        for interrupt in interrupts {
            self.interrupt(interrupt);
        }
    }

    /// Returns whether the running search must end because no more commands come: a search that
    /// only a command would end, or at `quit` the last search, unless `wait` follows it.
    pub(super) fn must_end_search(&self) -> bool {
        if self.is_endless() {
            // While the queue is full, the command that would end it is not received.
            return self.ending.is_some() || self.is_queue_full();
        }
        let waits = |command: &Command| matches!(command, Command::Go(_) | Command::Wait);
        matches!(self.activity, Activity::Search { .. })
            && self.ending == Some(Ending::Quit)
            && !self.queue.iter().any(waits)
    }

    /// Returns whether only a command ends the running search.
    pub(super) const fn is_endless(&self) -> bool {
        matches!(
            self.activity,
            Activity::Held { .. }
                | Activity::Search { is_infinite: true, .. }
                | Activity::Search { is_pondering: true, .. }
        )
    }

    pub(super) fn is_queue_full(&self) -> bool {
        self.queue.len() >= MAX_QUEUE
    }

    pub(super) fn interrupt(&mut self, interrupt: Interrupt) {
        match (&mut self.activity, interrupt) {
            (Activity::Search { handle, is_pondering, .. }, Interrupt::PonderHit) => {
                handle.ponder_hit();
                *is_pondering = false;
            }
            (Activity::Held { is_pondering: true }, Interrupt::PonderHit) => self.end_search(),
            (_, Interrupt::PonderHit) | (Activity::Idle, Interrupt::Stop) => {}
            (Activity::Job(job), Interrupt::Stop) => job.stop(),
            (Activity::Search { .. } | Activity::Held { .. }, Interrupt::Stop) => {
                self.end_search();
            }
        }
    }

    /// Ends the search with its best move. A job continues.
    pub(super) fn end_search(&mut self) {
        match &self.activity {
            Activity::Search { handle, .. } => handle.stop(),
            Activity::Held { .. } => {
                self.become_idle();
                self.reply_best_move(None, None);
            }
            Activity::Idle | Activity::Job(_) => {}
        }
    }

    pub(super) fn set_job(&mut self, job: Job) {
        self.activity = Activity::Job(job);
    }

    pub(super) fn handle_event(&mut self, generation: u64, event: SearchEvent) {
        if generation != self.generation {
            return;
        }
        match event {
            SearchEvent::Info(info) => {
                if let Some(info) = self.level.keep(info) {
                    self.show_info(info);
                }
            }
            SearchEvent::CurrentMove { depth, mv, number } => {
                self.reply(Reply::CurrentMove { depth, mv, number });
            }
            // After the answer the panic of a late helper no longer matters.
            SearchEvent::Panicked { .. } if self.is_idle() => {}
            SearchEvent::Panicked { thread, message } => {
                self.fail(format!("search: thread {thread} has panicked, playing on: {message}"));
            }
            SearchEvent::Finished(outcome) => {
                self.last_score = Some(outcome.score);
                self.fallback_answer =
                    Some(Reply::BestMove { best: outcome.best, ponder: outcome.ponder });
                self.become_idle();
                #[cfg(feature = "inject-panic")]
                crate::inject::panic_at(crate::inject::PanicPlace::End, generation);
                self.report_tablebase_errors();
                let (mut best, mut ponder) = (outcome.best, outcome.ponder);
                if let Some(info) = self.level.choose() {
                    (best, ponder) = (info.pv.first().copied(), info.pv.get(1).copied());
                    self.show_info(info);
                }
                self.reply_best_move(best, ponder);
            }
        }
    }

    pub(super) fn show_info(&self, mut info: Info) {
        let chances = self.show_wdl.then(|| Chances::of(info.score, &self.board));
        if info.depth > 0 {
            info.score = normalised(info.score);
        }
        self.reply(Reply::Info { info: Box::new(info), chances });
    }

    pub(super) fn note(&self, note: String) {
        self.reply(Reply::Note(note));
    }

    pub(super) fn debug_note(&self, note: impl FnOnce() -> String) {
        if self.debug {
            self.note(note());
        }
    }

    pub(super) fn fail(&mut self, error: impl Into<Box<dyn Error + Send + Sync>>) {
        self.is_successful = false;
        self.reply(Reply::Error(error.into()));
    }

    pub(super) fn reply_best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.fallback_answer = None;
        self.reply(Reply::BestMove { best, ponder });
    }

    pub(super) fn reply(&self, reply: Reply) {
        // The writer is gone when the program ends.
        let _ = self.replies.send(reply);
    }
}
