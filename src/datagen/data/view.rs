//! A game to read.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::board::FenStyle;
use crate::datagen::{Arrays, Game};
use crate::types::{Color, Score};

use super::san::san;
use super::{DataError, open};

/// The most characters in a line of moves.
const LINE: usize = 100;

/// Shows the game of this number as PGN; numbers go on from shard to shard of a seed.
///
/// # Errors
/// If the file is no shard, or has no such game.
pub fn view(
    path: &Path,
    number: u64,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, DataError> {
    let shard = open(path)?;
    let mut found = None;
    let mut damage = None;
    for block in shard.blocks() {
        if stop.load(Relaxed) {
            return Ok(false);
        }
        match block.and_then(|block| {
            let place = number.checked_sub(block.first_game);
            let place = place.filter(|&place| place < u64::from(block.games));
            let game = |place| block.decode().map(|mut games| games.swap_remove(place as usize));
            place.map(game).transpose()
        }) {
            Ok(None) => {}
            Ok(game) => {
                found = game;
                break;
            }
            Err(error) => damage = Some(error),
        }
    }
    if let Some(game) = found {
        pgn(number, &game, &shard.header.engine).lines().for_each(sink);
        return Ok(true);
    }
    if let Some(damage) = damage {
        sink(&format!("{}: {damage}", path.display()));
    }
    Err(DataError::NoGame(path.to_owned(), number))
}

/// A game as PGN, with the scores from White's view in pawns.
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
    if game.arrays != Arrays::STANDARD {
        tag("SetUp", "1");
        tag("FEN", &game.arrays.board().fen(FenStyle::Shredder));
        tag("Variant", "Chess960");
    }
    tag("Termination", game.verdict.ending.text());
    text.push('\n');
    wrap(&mut text, &words(game));
    text
}

/// Move numbers, moves, scores and the result.
fn words(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    let mut board = game.arrays.board();
    let random = game.opening.iter().map(|&mv| (mv, None));
    let searched = game.plies.iter().map(|ply| (ply.mv, Some(ply.score)));
    for (mv, score) in random.chain(searched) {
        let number = board.fullmove_number();
        match board.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black => words.push(format!("{number}...")),
        }
        words.push(san(&board, mv));
        words.push(match score {
            Some(score) if board.side_to_move() == Color::White => comment(score),
            Some(score) => comment(-score),
            None => "{random}".to_owned(),
        });
        board.make_move(mv);
    }
    words.push(game.verdict.result.text().to_owned());
    words
}

/// A score from White's view.
fn comment(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("{{mate {moves}}}"),
        None => {
            let sign = if score.0 < 0 { '-' } else { '+' };
            format!("{{{sign}{}.{:02}}}", score.0.abs() / 100, score.0.abs() % 100)
        }
    }
}

/// Puts words into lines.
fn wrap(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > LINE {
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
