//! Prints a game as PGN.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use tabia::board::{FenStyle, move_number};
use tabia::datagen::{BackRanks, Damage, Game, ShardBlock};
use tabia::types::Score;

use super::{DataError, open};

const LINE_WIDTH: usize = 100;

/// Writes a game to `out` as PGN. Games of a seed are numbered through all its shards.
///
/// # Errors
/// If the file is not a shard or has no such game, or if `out` cannot be written.
pub fn view(path: &Path, number: u64, out: &mut dyn Write) -> Result<(), DataError> {
    let shard = open(path)?;
    let mut damage = None;
    for block in shard.blocks() {
        match block.and_then(|block| find(block, number)) {
            Ok(None) => {}
            Ok(Some(game)) => {
                out.write_all(pgn(number, &game, &shard.header.engine).as_bytes())?;
                return Ok(());
            }
            Err(error) => damage = Some(error),
        }
    }
    Err(DataError::NoGame { path: path.to_owned(), game: number, damage })
}

fn find(block: ShardBlock<'_>, number: u64) -> Result<Option<Game>, Damage> {
    match number.checked_sub(block.first_game) {
        Some(index) if index < u64::from(block.games) => {
            Ok(Some(block.decode()?.swap_remove(index as usize)))
        }
        _ => Ok(None),
    }
}

/// Returns a game as PGN. Scores of labels are comments, from White's point of view, in hundreds of
/// the network's own units.
pub fn pgn(number: u64, game: &Game, engine: &str) -> String {
    let result = game.verdict.result.text();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", &format!("self-play game {number}"));
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", "?");
    let player: String =
        engine.chars().filter(|c| !c.is_control() && !"\"\\".contains(*c)).collect();
    tag("White", &format!("Tabia {player}"));
    tag("Black", &format!("Tabia {player}"));
    tag("Result", result);
    if game.back_ranks != BackRanks::STANDARD {
        tag("SetUp", "1");
        tag("FEN", &game.back_ranks.board().fen(FenStyle::Shredder));
        tag("Variant", "Chess960");
    }
    tag("Termination", game.verdict.ending.text());
    text.push('\n');
    wrap(&mut text, &words(game));
    text
}

fn words(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    let mut board = game.back_ranks.board();
    let random = game.opening.iter().map(|&mv| (mv, true, None));
    let played = game.plies.iter().map(|ply| (ply.mv, false, ply.score));
    for (mv, is_random, score) in random.chain(played) {
        words.push(move_number(&board));
        words.push(board.san(mv));
        if is_random {
            words.push("{random}".to_owned());
        }
        words.extend(score.map(|score| comment(score.for_white(board.side_to_move()))));
        board.make_move(mv);
    }
    words.push(game.verdict.result.text().to_owned());
    words
}

/// Formats a score as a comment.
fn comment(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("{{mate {moves}}}"),
        None => format!("{{{:+.2}}}", f64::from(score.0) / 100.0),
    }
}

/// Appends words in lines of at most [`LINE_WIDTH`] characters.
fn wrap(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > LINE_WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
}
