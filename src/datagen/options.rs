//! Options of data generation: two tables that define parser, help and shard header.

use std::path::PathBuf;

/// One option of a set `T`: an integer with its range.
pub struct DatagenOption<T> {
    /// Name of its field.
    pub name: &'static str,
    /// Value if not given.
    pub default: u64,
    /// Smallest value allowed.
    pub min: u64,
    /// Largest value allowed.
    pub max: u64,
    /// Meaning in a few words.
    pub help: &'static str,
    field: fn(&mut T) -> &mut u64,
}

impl<T: Copy> DatagenOption<T> {
    /// Returns the flag: `--win-score` for the field `win_score`.
    pub fn flag(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }

    /// Returns the value.
    pub fn get(&self, mut options: T) -> u64 {
        *(self.field)(&mut options)
    }

    /// Sets the value.
    ///
    /// # Errors
    /// The permitted range, if the value is outside.
    pub fn set(&self, options: &mut T, value: u64) -> Result<(), String> {
        if !(self.min..=self.max).contains(&value) {
            return Err(format!("{} takes {} to {}", self.flag(), self.min, self.max));
        }
        *(self.field)(options) = value;
        Ok(())
    }
}

const fn is_between(min: u64, value: u64, max: u64) -> bool {
    min <= value && value <= max
}

/// Declares a set of options: a struct, its default, and the table.
macro_rules! options {
    (
        $(#[$doc:meta])* $set:ident:
        $($name:ident: $default:literal in $min:literal..=$max:literal, $help:literal;)+
    ) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub struct $set {
            $(#[doc = $help] pub $name: u64,)+
        }

        impl Default for $set {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl $set {
            /// Every option, in the order of the fields.
            pub const TABLE: &'static [DatagenOption<Self>] = &[$(DatagenOption {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                help: $help,
                field: |options| &mut options.$name,
            },)+];
        }

        $(const _: () = assert!(is_between($min, $default, $max));)+
    };
}

options! {
    /// Options that decide how a game goes. Every shard carries them; their number and order belong
    /// to the format.
    GameOptions:
    nodes: 500 in 1..=1_000_000_000,
        "Nodes of a label's search after which no new iteration begins";
    hard_nodes: 0 in 0..=1_000_000_000,
        "Nodes that end a label's search; 0 for eight times --nodes";
    hash: 2 in 1..=1024,
        "Transposition table of each thread, in MiB";
    random_plies: 8 in 0..=30,
        "Random plies that begin a game; every second game has one more";
    exit_score: 350 in 50..=32_000,
        "Largest score, in hundredths of a pawn, at the end of the random plies";
    win_score: 1500 in 100..=32_000,
        "Score that wins a game, in hundredths of a pawn";
    win_plies: 4 in 1..=1000,
        "Plies in a row with --win-score that win a game";
    draw_score: 8 in 0..=1000,
        "Largest score that draws a game, in hundredths of a pawn";
    draw_plies: 10 in 1..=1000,
        "Plies in a row with at most --draw-score that draw a game";
    draw_from: 80 in 0..=1000,
        "First ply whose score counts towards a draw";
    chess960: 0 in 0..=100,
        "Percentage of games from a Chess960 start position";
    label_every: 4 in 1..=1000,
        "Plies from one label to the next: the first quiet position from there";
    play_nodes: 40 in 1..=1_000_000_000,
        "Nodes of the searches for the other plies; if equal to --nodes, one search does both";
    interior: 0 in 0..=1000,
        "Labels from inside the search trees, as a percentage of the game's labels";
    interior_nodes: 300 in 1..=1_000_000_000,
        "Nodes of the search that scores an interior label, like --nodes";
    few_men: 5 in 0..=32,
        "Most men, kings included, for the next three; 0 also plays on against a bare king";
    few_win_score: 300 in 100..=32_000,
        "Value of --win-score with few men";
    few_win_plies: 2 in 1..=1000,
        "Value of --win-plies with few men";
    few_draw_plies: 6 in 1..=1000,
        "Value of --draw-plies with few men, counted from the first ply on";
    weighted_opening: 0 in 0..=1,
        "1 to prefer pawns and minor pieces in the random plies";
}

options! {
    /// Options that decide which games are played and how they are split into files.
    RunOptions:
    games: 100_000 in 1..=1_000_000_000_000,
        "Total number of games, including existing ones";
    seed: 1 in 0..=0xFFFF_FFFF_FFFF_FFFF,
        "Seed of all random numbers";
    threads: 0 in 0..=1024,
        "Games played at the same time; 0 for one on each CPU";
    block_games: 64 in 1..=4096,
        "Games written at a time, and most games lost if the run is killed";
    shard_kib: 16_384 in 1..=16_384,
        "Size limit of a file, in KiB";
}

impl GameOptions {
    /// Number of options in version 1 of the shard format, the first of the table.
    pub(in crate::datagen) const VERSION_1: usize = 11;

    /// Returns the options of a shard of version 1. Those that it lacks get the values of its
    /// games: a label on every ply, and no rule for few men.
    pub fn version_1(self) -> Self {
        let mut options =
            Self { label_every: 1, play_nodes: self.nodes, few_men: 0, ..Self::default() };
        for option in &Self::TABLE[..Self::VERSION_1] {
            *(option.field)(&mut options) = option.get(self);
        }
        options
    }

    /// Returns whether plays and labels have separate searches. With equal numbers of nodes, one
    /// search does both.
    pub(in crate::datagen) fn has_play_searches(&self) -> bool {
        self.play_nodes != self.nodes
    }

    /// Returns the hard node limit of a label's search.
    pub(in crate::datagen) fn node_limit(&self) -> u64 {
        if self.hard_nodes == 0 { self.nodes * HARD_FACTOR } else { self.hard_nodes }
    }
}

/// Ratio of hard to soft node limit.
pub(in crate::datagen) const HARD_FACTOR: u64 = 8;

/// All options of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Options of the games.
    pub game: GameOptions,
    /// Number of games, threads and files.
    pub run: RunOptions,
    /// Folder of the shards, by default that of the environment variable [`FOLDER_VARIABLE`].
    pub out: Option<PathBuf>,
}

/// Environment variable that names the folder of the shards.
pub const FOLDER_VARIABLE: &str = "TABIA_DATA";
