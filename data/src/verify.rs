//! Checks that every move of a game is legal and that its end is justified.

use std::io::Write;
use std::path::PathBuf;

use tabia::board::{Board, GameResult};
use tabia::datagen::{Adjudicator, Ending, Game, GameOptions, KeepFilter, MAX_PLIES, Ply, Verdict};
use tabia::text::ShownPath;

use super::{DataError, for_each_game, open};

/// Checks moves, end, verdict and labels of every game by the options in the header. Writes a line
/// for each shard and for its first faulty games. Returns whether no game is faulty and no shard
/// is damaged.
///
/// # Errors
/// If a file is not a shard, or if `out` cannot be written.
pub fn verify(files: &[PathBuf], out: &mut dyn Write) -> Result<bool, DataError> {
    const NAMED: usize = 10;
    let mut is_right = true;
    for path in files {
        let shard = open(path)?;
        let mut games = 0_u64;
        let mut plies = 0;
        let mut faults = Vec::new();
        let is_intact = for_each_game(path, &shard, out, |number, game| {
            games += 1;
            plies += game.opening.len() + game.plies.len();
            let fault = check(number, game, shard.header.options).err();
            faults.extend(fault.map(|fault| (number, fault)));
            Ok(())
        })?;
        let name = ShownPath(path);
        for (number, fault) in faults.iter().take(NAMED) {
            writeln!(out, "{name}: game {number} {fault}")?;
        }
        is_right &= is_intact && faults.is_empty();
        let state = match (is_intact, faults.len()) {
            (true, 0) => "ok".to_owned(),
            (true, faulty) => format!("{faulty} faulty"),
            (false, faulty) => format!("{faulty} faulty, damaged"),
        };
        writeln!(out, "{name}: {games} games, {plies} plies: {state}")?;
    }
    Ok(is_right)
}

fn check(number: u64, game: &Game, options: GameOptions) -> Result<(), &'static str> {
    if game.opening.len() as u64 != options.random_plies + number % 2 {
        return Err("has the wrong number of random plies");
    }
    if game.plies.is_empty() {
        return Err("has no move after the random ones");
    }
    let mut board = game.back_ranks.board();
    for &mv in &game.opening {
        if !board.is_legal(mv) {
            return Err("has an illegal move");
        }
        board.make_move(mv);
    }
    check_plies(game, board, options)?;
    if is_dense(game) { Ok(()) } else { check_labels(number, game, options) }
}

fn check_plies(game: &Game, mut board: Board, options: GameOptions) -> Result<(), &'static str> {
    for &Ply { mv, .. } in &game.plies {
        if board.outcome().is_some() {
            return Err("continues after its end");
        }
        if !board.is_legal(mv) {
            return Err("has an illegal move");
        }
        board.make_move(mv);
    }
    if is_dense(game) {
        return check_scores(game, options);
    }
    match game.verdict.ending {
        // Most scores of such a game are not recorded.
        Ending::WinByScore | Ending::DrawByScore => Ok(()),
        _ => check_end(game, &board),
    }
}

/// Returns whether every ply is a label, as in version 1 of the format.
fn is_dense(game: &Game) -> bool {
    game.plies.iter().all(|ply| ply.score.is_some())
}

/// Adjudicates a dense game and compares the verdict.
fn check_scores(game: &Game, options: GameOptions) -> Result<(), &'static str> {
    let mut adjudicator = Adjudicator::new(options, game.opening.len());
    let mut ended = None;
    let mut is_first = true;
    let mut fault = None;
    let end = game.replay(|board, _, Ply { score, .. }| {
        let score = score.expect("every ply has a score");
        if is_first && u64::from(score.0.unsigned_abs()) > options.exit_score {
            fault = Some("begins with too large a score");
        }
        is_first = false;
        if ended.is_some() {
            fault = Some("should have been ended by its scores");
        }
        ended = ended.or(adjudicator.observe(board, score));
    });
    match (fault, ended) {
        (Some(fault), _) => Err(fault),
        (None, Some(verdict)) if verdict == game.verdict => Ok(()),
        (None, Some(_)) => Err("should have been ended by its scores"),
        (None, None) => check_end(game, &end),
    }
}

/// Checks a sparse game: at most one label in each slot of `label_every` plies.
fn check_labels(number: u64, game: &Game, options: GameOptions) -> Result<(), &'static str> {
    let mut last = None;
    let mut result = Ok(());
    game.for_each_label(|label| {
        let slot = (number + label.ply as u64) / options.label_every;
        if label.ply < KeepFilter::default().min_ply || label.board.in_check() {
            result = Err("has a label too early or in check");
        } else if last == Some(slot) {
            result = Err("has labels too close to each other");
        }
        last = Some(slot);
    });
    game.for_each_interior_label(|label| {
        if !label.board.is_legal(label.mv) {
            result = Err("has an illegal best move");
        }
    });
    result
}

/// Checks the end of a game that its scores did not end.
fn check_end(game: &Game, board: &Board) -> Result<(), &'static str> {
    let too_long = Verdict { result: GameResult::Draw, ending: Ending::TooLong };
    let plies = game.opening.len() + game.plies.len();
    match board.outcome() {
        Some(outcome) if game.verdict == outcome.into() => Ok(()),
        None if game.verdict == too_long && plies >= MAX_PLIES => Ok(()),
        _ => Err("does not end as recorded"),
    }
}
