//! Answers to the questions of a page about games, in JSON: legal moves, notation, names of
//! openings, PGN, reviews, offers of a draw.
//!
//! A page in a browser asks by WebAssembly. Squares, pieces and moves are as in FEN and UCI.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the questions |
//! | `last_position.rs` | the position at the end of a game |
//! | `game_tree.rs` | a game with its variations as a list of moves |
//! | `found.rs` | what an engine found, and the review of a game from it |

#![forbid(unsafe_code)]

mod found;
mod game_tree;
mod last_position;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::board::{Board, FenStyle, numbered_line};
use crate::engine::options::elo_range;
use crate::engine::{about, draw_refusal};
use crate::pgn::{PgnError, PgnGame, Reader, result_text};
use crate::tools::analyse::review;
use crate::tools::json::ScoreRecord;
use crate::types::Move;

use found::Found;
use game_tree::GameTree;
use last_position::{Moves, describe, parsed, uci_text};

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase")]
enum Question {
    /// A game: its last position, and the notation of its moves.
    Game(Moves),
    /// Notation of a line from the last position.
    Line {
        #[serde(flatten)]
        game: Moves,
        line: Vec<String>,
    },
    /// The PGN of a game.
    WritePgn {
        #[serde(flatten)]
        game: Moves,
        tags: Vec<(String, String)>,
    },
    /// The PGN of a game with variations.
    WriteTree { tree: GameTree },
    /// A game of a PGN, by its number from 1. The tag `Result` is the result after the last move.
    ReadPgn {
        text: String,
        #[serde(default = "first")]
        number: usize,
    },
    /// Tags of all games of a PGN.
    ListGames { text: String },
    /// Judgement of the moves of a game, from what an engine found in each position.
    Review { tree: GameTree, found: Vec<Option<Found>> },
    /// A Chess960 start position by its Scharnagl number.
    Chess960 { number: u16 },
    /// The engine's version and the range of its levels.
    Engine,
    /// The engine's answer to the offer of a draw after the moves of a game; `score` is its last
    /// one, from its own point of view.
    OfferDraw {
        #[serde(flatten)]
        game: Moves,
        score: Option<ScoreRecord>,
    },
}

const fn first() -> usize {
    1
}

/// Returns the answer to a question in JSON, or an object with the field `error`.
pub fn answer(question: &str) -> String {
    let result = serde_json::from_str(question).map_err(|error| error.to_string());
    let answer = result.and_then(reply).unwrap_or_else(|error| json!({ "error": error }));
    answer.to_string()
}

fn reply(question: Question) -> Result<Value, String> {
    match question {
        Question::Game(game) => game.played().map(|(start, played)| describe(&start, &played)),
        Question::Line { game, line } => {
            let board = game.last_position()?;
            let known: Vec<Move> = parsed(&board, &line)?.into_iter().flatten().collect();
            Ok(json!({ "san": numbered_line(&board, &known) }))
        }
        Question::WritePgn { game, tags } => {
            Ok(json!({ "pgn": GameTree::of_moves(game, tags).game()?.to_string() }))
        }
        Question::WriteTree { tree } => Ok(json!({ "pgn": tree.game()?.to_string() })),
        Question::ReadPgn { text, number } => read_pgn(&text, number),
        Question::ListGames { text } => Ok(json!({ "games": list_games(&text) })),
        Question::Review { tree, found } => {
            let mut game = tree.game()?;
            let found = found::parsed(&game, found)?;
            let annotator = format!("Tabia {}", about::VERSION);
            let record =
                review(&mut game, &found, &annotator).map_err(|error| error.to_string())?;
            Ok(json!({ "record": record, "tree": GameTree::of(&game) }))
        }
        Question::Chess960 { number } if number < Board::CHESS960_STARTS => {
            let start = Board::chess960_startpos(number, number);
            Ok(json!({ "fen": start.fen(FenStyle::Standard) }))
        }
        Question::Chess960 { number } => {
            let last = Board::CHESS960_STARTS - 1;
            Err(format!("Chess960 has the start positions 0 to {last}, not {number}"))
        }
        Question::Engine => {
            let (min, max) = elo_range().into_inner();
            Ok(json!({ "version": about::VERSION, "minElo": min, "maxElo": max }))
        }
        Question::OfferDraw { game, score } => {
            let score = score.map(ScoreRecord::score);
            let refusal = draw_refusal(&game.last_position()?, game.moves.len(), score);
            Ok(json!({ "refusal": refusal }))
        }
    }
}

fn read_pgn(text: &str, number: usize) -> Result<Value, String> {
    let game = games(text).nth(number.saturating_sub(1));
    let missing =
        if number == 1 { "there is no game in this text" } else { "there is no such game" };
    let mut game = game.ok_or(missing)?.map_err(|error| error.to_string())?;
    game.tags.set("Result", result_text(game.result));
    let moves: Vec<String> = game.line.moves.iter().map(|played| uci_text(played.mv)).collect();
    let tree = GameTree::of(&game);
    Ok(json!({ "fen": tree.fen(), "moves": moves, "tags": tree.tags(), "tree": tree }))
}

fn list_games(text: &str) -> Vec<Value> {
    let describe = |game: Result<PgnGame, PgnError>| match game {
        Ok(game) => {
            let tag = |name| game.tags.get(name).unwrap_or_default();
            json!({
                "white": tag("White"),
                "black": tag("Black"),
                "event": tag("Event"),
                "date": tag("Date"),
                "result": result_text(game.result),
                "moves": game.line.moves.len().div_ceil(2),
            })
        }
        Err(error) => json!({ "error": error.to_string() }),
    };
    games(text).map(describe).collect()
}

/// Reads the games of a PGN. One that is cut short at a fault is an error: the moves before it
/// would pass for the whole game.
fn games(text: &str) -> impl Iterator<Item = Result<PgnGame, PgnError>> {
    Reader::new(text.as_bytes()).map(|game| {
        let mut game = game?;
        game.cut.take().map_or(Ok(game), Err)
    })
}
