//! Pairs of games between two players with different search parameters, for the examples that tune.

use std::error::Error;
use std::{io, thread};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use tabia::board::Board;
use tabia::datagen::{Adjudicator, GameOptions};
use tabia::search::{Limits, STACK_BYTES, SoloSearch, TtError, Tunable, VALUE_SETS, use_value_set};
use tabia::types::{Color, Score};

/// Random plies of an opening; half of the openings have one more.
const OPENING_PLIES: u32 = 8;
/// Maximum score after the opening, of either side, in hundredths of a pawn.
const OPENING_SCORE: i32 = 100;
/// A longer game is drawn.
const MAX_PLIES: usize = 400;
/// TT size of each player in MiB.
const HASH: usize = 16;
/// Value set with the defaults.
const DEFAULTS: usize = 0;

/// Two players of one thread, each with its own value set, and a judge of openings.
pub(crate) struct Players {
    searches: [SoloSearch; 2],
    value_sets: [usize; 2],
    judge: SoloSearch,
    /// Hard limit of each search. A soft one would give more nodes to values with longer
    /// iterations.
    nodes: u64,
}

/// Calls `work` on each core at once, with players who search `nodes` nodes a move.
pub(crate) fn on_all_cores(
    nodes: u64,
    work: impl Fn(Players) + Copy + Send + Sync,
) -> Result<(), Box<dyn Error>> {
    let threads = thread::available_parallelism()?.get().min((VALUE_SETS - 1) / 2);
    let players = (0..threads).map(|thread| Players::new(thread, nodes));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        for players in players {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || work(players))?;
        }
        Ok::<_, io::Error>(())
    })?;
    Ok(())
}

impl Players {
    fn new(thread: usize, nodes: u64) -> Result<Self, TtError> {
        let [first, second, judge] = [(); 3].map(|()| SoloSearch::new(HASH));
        let value_sets = [2 * thread + 1, 2 * thread + 2];
        Ok(Self { searches: [first?, second?], value_sets, judge: judge?, nodes })
    }

    /// Makes this thread use the values of a player, and returns its search.
    fn turn(&mut self, player: usize) -> &mut SoloSearch {
        use_value_set(self.value_sets[player]);
        &mut self.searches[player]
    }

    /// Sets a parameter of each player. Returns the values after clamping.
    pub(crate) fn set(&mut self, number: &Tunable, values: [i64; 2]) -> [i32; 2] {
        [0, 1].map(|player| {
            self.turn(player);
            number.set(values[player])
        })
    }

    /// Plays an opening with both colours. Returns the first player's wins less losses.
    pub(crate) fn play_pair(&mut self, rng: &mut ChaCha8Rng) -> i32 {
        let opening = self.opening(rng);
        [Color::White, Color::Black]
            .map(|first| {
                self.searches.iter_mut().for_each(SoloSearch::clear);
                self.play(opening.clone(), first)
            })
            .iter()
            .sum()
    }

    /// Returns a roughly even position after random moves.
    fn opening(&mut self, rng: &mut ChaCha8Rng) -> Board {
        loop {
            let mut board = Board::startpos();
            for _ in 0..OPENING_PLIES + rng.next_u32() % 2 {
                let moves = board.legal_moves();
                if let Some(&mv) = moves.get(rng.next_u32() as usize % moves.len().max(1)) {
                    board.make_move(mv);
                }
            }
            if board.outcome().is_none() && self.judge(&board).0.abs() <= OPENING_SCORE {
                return board;
            }
        }
    }

    fn judge(&mut self, board: &Board) -> Score {
        use_value_set(DEFAULTS);
        self.judge.clear();
        let limits = self.limits();
        self.judge.search(board, limits).score
    }

    /// Returns 1, 0 or −1 for a win, draw or loss of the first player, who has this colour.
    fn play(&mut self, mut board: Board, first: Color) -> i32 {
        let options = GameOptions { win_score: 800, win_plies: 6, ..GameOptions::default() };
        let mut adjudicator = Adjudicator::new(options, OPENING_PLIES as usize);
        let limits = self.limits();
        for _ in 0..MAX_PLIES {
            let player = usize::from(board.side_to_move() != first);
            let found = self.turn(player).search(&board, limits.clone());
            let mut result = adjudicator.observe(&board, found.score).map(|verdict| verdict.result);
            if result.is_none() {
                board.make_move(found.best.expect("a game continues only while there is a move"));
                result = board.outcome().map(|outcome| outcome.result);
            }
            if let Some(result) = result {
                return match result.winner() {
                    None => 0,
                    Some(color) if color == first => 1,
                    Some(_) => -1,
                };
            }
        }
        0
    }

    fn limits(&self) -> Limits {
        Limits { nodes: Some(self.nodes), ..Limits::default() }
    }
}

/// Returns 1 or −1 at random.
pub(crate) fn sign(rng: &mut ChaCha8Rng) -> f64 {
    if rng.next_u32() & 1 == 0 { 1.0 } else { -1.0 }
}
