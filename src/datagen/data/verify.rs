//! Whether shards hold what they should: every move legal, every end justified.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::board::Board;
use crate::datagen::{Adjudicator, Game, GameOptions, Ply, Verdict, verdict_by_rule};

use super::{DataError, open, walk};

/// Replays every game of the shards: the moves are legal, the game does not go on after its end, and it ended as it says,
/// by the options in the header. A line for each shard and for the first wrong games. Whether all is right.
///
/// # Errors
/// If a file is no shard.
pub fn verify(
    files: &[PathBuf],
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, DataError> {
    /// Games named before the rest is only counted.
    const NAMED: u64 = 10;
    let mut all_right = true;
    for path in files {
        let shard = open(path)?;
        let (mut games, mut plies, mut wrong) = (0_u64, 0, 0);
        let mut faults = Vec::new();
        let is_whole = walk(path, &shard, stop, sink, |number, game| {
            games += 1;
            plies += game.opening.len() + game.plies.len();
            if let Err(fault) = check(number, game, shard.header.options) {
                wrong += 1;
                if wrong <= NAMED {
                    faults.push(format!("{}: game {number} {fault}", path.display()));
                }
            }
            Ok(())
        })
        .map_err(|error| DataError::Write(path.clone(), error))?;
        faults.iter().for_each(|fault| sink(fault));
        all_right &= is_whole && wrong == 0;
        let verdict = match (is_whole, wrong) {
            (true, 0) => "all right".to_owned(),
            (true, _) => format!("{wrong} games are wrong"),
            (false, _) => format!("{wrong} games are wrong, not read to the end"),
        };
        sink(&format!("{}: {games} games, {plies} plies: {verdict}", path.display()));
    }
    Ok(all_right)
}

/// What is wrong with a game.
fn check(number: u64, game: &Game, options: GameOptions) -> Result<(), &'static str> {
    if game.opening.len() as u64 != options.random_plies + number % 2 {
        return Err("has the wrong number of random plies");
    }
    let Some(first) = game.plies.first() else { return Err("has no move after the random ones") };
    if u64::from(first.score.0.unsigned_abs()) > options.exit_score {
        return Err("begins with too large a score");
    }
    let mut board = game.arrays.board();
    for &mv in &game.opening {
        if !board.is_legal(mv) {
            return Err("has an illegal move");
        }
        board.make_move(mv);
    }
    check_plies(game, board, options)
}

/// Follows the game to its end.
fn check_plies(game: &Game, mut board: Board, options: GameOptions) -> Result<(), &'static str> {
    let mut adjudicator = Adjudicator::new(options, game.opening.len());
    for (index, &Ply { mv, score }) in game.plies.iter().enumerate() {
        if verdict_by_rule(&board).is_some() {
            return Err("goes on after its end");
        }
        if !board.is_legal(mv) {
            return Err("has an illegal move");
        }
        let verdict = adjudicator.observe(board.side_to_move(), score);
        let is_last = index + 1 == game.plies.len();
        if verdict.is_some() {
            let agrees = is_last && verdict == Some(game.verdict);
            return if agrees { Ok(()) } else { Err("should have been ended by its scores") };
        }
        board.make_move(mv);
    }
    check_end(game.verdict, &board)
}

/// Whether a game that its scores did not end may end here.
fn check_end(verdict: Verdict, board: &Board) -> Result<(), &'static str> {
    use crate::datagen::{Ending, GameResult};
    let too_long = Verdict { result: GameResult::Draw, ending: Ending::TooLong };
    match verdict_by_rule(board) {
        Some(by_rule) if by_rule == verdict => Ok(()),
        None if verdict == too_long => Ok(()),
        _ => Err("does not end as it says"),
    }
}
