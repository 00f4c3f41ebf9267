//! Rules of chess for a page: legal moves, notation, the end of a game, PGN.

#![forbid(unsafe_code)]

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::{Board, FenStyle, numbered_line};
use crate::pgn::{PgnGame, Reader, Tags, parse_result, result_text};
use crate::types::{Color, Move};

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
    /// The first game of a PGN, whose tag `Result` is the result after its last move.
    ReadPgn { text: String },
}

/// Start position, empty for the usual one, and moves in UCI notation.
#[derive(Deserialize)]
struct Moves {
    #[serde(default)]
    fen: String,
    #[serde(default)]
    moves: Vec<String>,
}

#[derive(Serialize)]
struct LegalMove {
    uci: String,
    san: String,
    from: String,
    to: String,
    promotion: Option<char>,
}

/// Returns the answer, or an object with the field `error`.
pub fn answer(question: &str) -> String {
    let result = serde_json::from_str(question).map_err(|error| error.to_string());
    let answer = result.and_then(reply).unwrap_or_else(|error| json!({ "error": error }));
    answer.to_string()
}

fn reply(question: Question) -> Result<Value, String> {
    match question {
        Question::Game(game) => game.played().map(|(start, played)| describe(start, &played)),
        Question::Line { game, line } => {
            let (mut board, played) = game.played()?;
            played.iter().for_each(|&mv| board.make_move(mv));
            let known = parsed(&board, &line)?;
            Ok(json!({ "san": numbered_line(&board, &known) }))
        }
        Question::WritePgn { game, tags } => {
            let (start, played) = game.played()?;
            Ok(json!({ "pgn": written(start, &played, &tags) }))
        }
        Question::ReadPgn { text } => {
            let game =
                Reader::new(text.as_bytes()).next().ok_or("there is no game in this text")?;
            let mut game = game.map_err(|error| error.to_string())?;
            game.tags.set("Result", result_text(game.result));
            let moves = game.line.moves.iter().filter_map(|mv| mv.mv);
            let moves: Vec<String> = moves.map(|mv| mv.display(false).to_string()).collect();
            let tags: Vec<_> = game.tags.iter().collect();
            Ok(json!({ "fen": game.start.fen(FenStyle::Standard), "moves": moves, "tags": tags }))
        }
    }
}

impl Moves {
    fn played(&self) -> Result<(Board, Vec<Move>), String> {
        let start = match self.fen.trim() {
            "" | "startpos" => Board::startpos(),
            fen => Board::from_fen(fen).map_err(|error| error.to_string())?,
        };
        let moves = parsed(&start, &self.moves)?;
        Ok((start, moves))
    }
}

fn parsed(start: &Board, line: &[String]) -> Result<Vec<Move>, String> {
    let mut board = start.clone();
    let parse = |text: &String| {
        let mv = board.parse_move(text).ok_or_else(|| format!("'{text}' is not a legal move"))?;
        board.make_move(mv);
        Ok(mv)
    };
    line.iter().map(parse).collect()
}

fn describe(start: Board, played: &[Move]) -> Value {
    let mut board = start.clone();
    let mut sans = Vec::new();
    let mut fens = vec![board.fen(FenStyle::Standard)];
    for &mv in played {
        sans.push(board.san(mv));
        board.make_move(mv);
        fens.push(board.fen(FenStyle::Standard));
    }
    let legal: Vec<LegalMove> = board
        .legal_moves()
        .iter()
        .map(|&mv| {
            // `e1g1`, or the king takes its rook where it castles from other squares.
            let uci = mv.display(false).to_string();
            LegalMove {
                to: uci[2..4].to_owned(),
                uci,
                san: board.san(mv),
                from: mv.from().to_string(),
                promotion: mv.promotion().map(|piece| piece.letter()),
            }
        })
        .collect();
    let king = board.king_square(board.side_to_move()).to_string();
    json!({
        "number": start.fullmove_number(),
        "fens": fens,
        "sans": sans,
        "startsWhite": start.side_to_move() == Color::White,
        "turn": if board.side_to_move() == Color::White { "w" } else { "b" },
        "check": board.in_check().then_some(king),
        "legal": legal,
        "end": board.outcome().map(|outcome| {
            json!({ "result": outcome.result.text(), "reason": outcome.termination.reason() })
        }),
    })
}

fn written(start: Board, played: &[Move], pairs: &[(String, String)]) -> String {
    let mut board = start.clone();
    played.iter().for_each(|&mv| board.make_move(mv));
    let mut tags = Tags::default();
    pairs.iter().for_each(|(name, value)| tags.set(name, value));
    let stated = tags.get("Result").and_then(parse_result).flatten();
    let result = board.outcome().map(|outcome| outcome.result).or(stated);
    PgnGame::played(start, played, tags, result).to_string()
}
