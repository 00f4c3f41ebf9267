//! Runs data generation: threads play games, a collector writes them in order of number.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;
use std::{env, io};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use thiserror::Error;

use crate::datagen::format::{ShardHeader, ShardWriter, Version, WriteError};
use crate::datagen::game::Game;
use crate::datagen::options::{FOLDER_VARIABLE, Options};
use crate::eval::Network;
use crate::search::{STACK_BYTES, TranspositionTable, TtError};
use crate::text::ShownPath;

use super::player::Player;
use super::progress::Progress;

/// Interval at which the collector checks whether to stop.
const STOP_POLL: Duration = Duration::from_millis(100);
const QUEUE: usize = 64;

/// Plays the missing games and writes them to shards; progress lines go to `sink`. Returns false if
/// `stop` ended the run early. The next run with the same options resumes it.
pub fn run(
    options: &Options,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, RunError> {
    let folder = folder(options).ok_or(RunError::NoFolder)?;
    loop {
        match resume(options, &folder, stop, sink) {
            Err(RunError::Write(exists @ WriteError::Exists(_))) => {
                sink(&format!("{exists}: the run continues after it"));
            }
            end => return end,
        }
    }
}

/// Plays the missing games up to the last, or to the next shard that already exists.
fn resume(
    options: &Options,
    folder: &Path,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, RunError> {
    let writer = open(options, folder, sink)?;
    let first = writer.games();
    let end = options.run.games;
    sink(&format!(
        "{}: found {first} games of seed {} in {} shards",
        ShownPath(folder),
        options.run.seed,
        writer.shards()
    ));
    if first >= end {
        return Ok(true);
    }
    let mut collector = Collector {
        options,
        writer,
        progress: Progress::new(first, end),
        block: Vec::new(),
        waiting: BTreeMap::new(),
        next: first,
    };
    play_and_collect(players(options)?, &mut collector, stop, sink)?;
    sink(&collector.progress.line());
    Ok(collector.writer.games() >= end)
}

fn players(options: &Options) -> Result<Vec<Player>, RunError> {
    let threads = match options.run.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads as usize,
    };
    // The tables are checked together, as each alone takes its memory only when it is used.
    let tables = threads * options.game.hash as usize;
    TranspositionTable::ensure_fit(tables).map_err(RunError::Memory)?;
    let new_player = |_| Player::new(options.game, options.run.seed).map_err(RunError::Memory);
    (0..threads).map(new_player).collect()
}

fn play_and_collect(
    players: Vec<Player>,
    collector: &mut Collector<'_>,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), RunError> {
    let next = AtomicU64::new(collector.next);
    let halt = AtomicBool::new(false);
    let end = collector.options.run.games;
    let (sender, played) = bounded(QUEUE);
    thread::scope(|scope| {
        for (number, player) in players.into_iter().enumerate() {
            let sender = sender.clone();
            let next = &next;
            let halt = &halt;
            let spawned = thread::Builder::new()
                .name(format!("play-{number}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || play(player, next, end, halt, &sender));
            if let Err(error) = spawned {
                halt.store(true, Relaxed);
                return Err(RunError::Threads(error));
            }
        }
        drop(sender);
        let written = collector.collect(&played, stop, &halt, sink);
        // The players must not wait for a collector that has failed.
        halt.store(true, Relaxed);
        drop(played);
        written
    })
}

/// An empty environment variable counts as unset.
fn folder(options: &Options) -> Option<PathBuf> {
    let variable = || env::var_os(FOLDER_VARIABLE).filter(|name| !name.is_empty());
    options.out.clone().or_else(|| variable().map(PathBuf::from))
}

fn open(
    options: &Options,
    folder: &Path,
    sink: &mut dyn FnMut(&str),
) -> Result<ShardWriter, RunError> {
    let header = ShardHeader {
        version: Version::NEWEST,
        net: Network::embedded_hash(),
        seed: options.run.seed,
        first_game: 0,
        options: options.game,
        engine: env!("TABIA_VERSION").to_owned(),
    };
    ShardWriter::open(folder, header, options.run, sink).map_err(RunError::Write)
}

fn play(
    mut player: Player,
    next: &AtomicU64,
    end: u64,
    halt: &AtomicBool,
    played: &Sender<(u64, Game)>,
) {
    loop {
        let number = next.fetch_add(1, Relaxed);
        if number >= end {
            return;
        }
        let Some(game) = player.play(number, halt) else { return };
        if played.send((number, game)).is_err() {
            return;
        }
    }
}

/// Sorts games by number and writes them in blocks.
struct Collector<'a> {
    options: &'a Options,
    writer: ShardWriter,
    progress: Progress,
    block: Vec<Game>,
    /// Games that ended before an earlier one.
    waiting: BTreeMap<u64, Game>,
    /// Number of the next game for the block.
    next: u64,
}

impl Collector<'_> {
    /// Collects games until all threads have ended. `stop` makes them end early.
    fn collect(
        &mut self,
        played: &Receiver<(u64, Game)>,
        stop: &AtomicBool,
        halt: &AtomicBool,
        sink: &mut dyn FnMut(&str),
    ) -> Result<(), RunError> {
        loop {
            match played.recv_timeout(STOP_POLL) {
                Ok((number, game)) => {
                    self.waiting.insert(number, game);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if stop.load(Relaxed) {
                halt.store(true, Relaxed);
            }
            self.write_in_order()?;
            if self.progress.is_due() {
                sink(&self.progress.line());
            }
        }
    }

    fn write_in_order(&mut self) -> Result<(), RunError> {
        let run = &self.options.run;
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.progress.count(&game);
            self.block.push(game);
            if self.block.len() as u64 == run.block_games || self.next == run.games {
                self.writer.write(&self.block).map_err(RunError::Write)?;
                self.block.clear();
            }
        }
        Ok(())
    }
}

/// Reason why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// No folder was given.
    #[error("no folder for the shards: give --out FOLDER or set {FOLDER_VARIABLE}")]
    NoFolder,
    /// The games cannot be written.
    #[error(transparent)]
    Write(WriteError),
    /// The TTs cannot be allocated.
    #[error(transparent)]
    Memory(TtError),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Threads(io::Error),
}
