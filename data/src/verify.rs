//! Checks that every move of a game is legal and that its end is justified.

use std::io::Write;
use std::path::PathBuf;

use tabia::board::Board;
use tabia::datagen::{
    Adjudicator, Ending, Game, GameOptions, GameResult, Ply, Verdict, verdict_by_rule,
};

use super::{DataError, for_each_game, open};

/// Replays every game of the shards: the moves are legal, the game does not continue after its end,
/// and it ended with the recorded verdict, by the options in the header. Writes a line for each
/// shard and for its first wrong games. Returns whether all games are right and no shard is
/// damaged.
///
/// # Errors
/// If a file is not a shard, or if `out` cannot be written.
pub fn verify(files: &[PathBuf], out: &mut dyn Write) -> Result<bool, DataError> {
    /// Wrong games that are named in each shard; the others are only counted.
    const NAMED: usize = 10;
    let mut all_right = true;
    for path in files {
        let shard = open(path)?;
        let (mut games, mut plies) = (0_u64, 0);
        let mut faults = Vec::new();
        let is_whole = for_each_game(path, &shard, out, |number, game| {
            games += 1;
            plies += game.opening.len() + game.plies.len();
            let fault = check(number, game, shard.header.options).err();
            faults.extend(fault.map(|fault| (number, fault)));
            Ok(())
        })?;
        let name = path.display();
        for (number, fault) in faults.iter().take(NAMED) {
            writeln!(out, "{name}: game {number} {fault}")?;
        }
        all_right &= is_whole && faults.is_empty();
        let verdict = match (is_whole, faults.len()) {
            (true, 0) => "all right".to_owned(),
            (true, wrong) => format!("{wrong} wrong"),
            (false, wrong) => format!("{wrong} wrong, not read to the end"),
        };
        writeln!(out, "{name}: {games} games, {plies} plies: {verdict}")?;
    }
    Ok(all_right)
}

/// Returns what is wrong with a game as an error.
fn check(number: u64, game: &Game, options: GameOptions) -> Result<(), &'static str> {
    if game.opening.len() as u64 != options.random_plies + number % 2 {
        return Err("has the wrong number of random plies");
    }
    if game.plies.is_empty() {
        return Err("has no move after the random ones");
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

/// Replays the searched plies and checks how the game ends.
fn check_plies(game: &Game, mut board: Board, options: GameOptions) -> Result<(), &'static str> {
    let mut adjudicator = Adjudicator::new(options, game.opening.len());
    for (index, &Ply { mv, score }) in game.plies.iter().enumerate() {
        if index == 0 && u64::from(score.0.unsigned_abs()) > options.exit_score {
            return Err("begins with too large a score");
        }
        if verdict_by_rule(&board).is_some() {
            return Err("continues after its end");
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

/// Checks the end of a game that its scores did not end.
fn check_end(verdict: Verdict, board: &Board) -> Result<(), &'static str> {
    let too_long = Verdict { result: GameResult::Draw, ending: Ending::TooLong };
    match verdict_by_rule(board) {
        Some(by_rule) if by_rule == verdict => Ok(()),
        None if verdict == too_long => Ok(()),
        _ => Err("does not end as recorded"),
    }
}
