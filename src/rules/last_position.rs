//! The position at the end of a game.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::{Board, FenStyle};
use crate::openings;
use crate::pgn::GameMove;
use crate::types::{Color, Move};

/// UCI's notation of a null move, which games in PGN may have.
const NULL_MOVE: &str = "0000";

/// Start position, empty for the usual one, and moves in UCI notation.
#[derive(Deserialize)]
pub(super) struct Moves {
    #[serde(default)]
    pub(super) fen: String,
    #[serde(default)]
    pub(super) moves: Vec<String>,
}

impl Moves {
    pub(super) fn last_position(&self) -> Result<Board, String> {
        let (mut board, played) = self.played()?;
        played.into_iter().for_each(|mv| board.make_move_or_null(mv));
        Ok(board)
    }

    pub(super) fn played(&self) -> Result<(Board, Vec<Option<Move>>), String> {
        let start = start_position(&self.fen)?;
        let moves = parsed(&start, &self.moves)?;
        Ok((start, moves))
    }
}

pub(super) fn start_position(fen: &str) -> Result<Board, String> {
    match fen.trim() {
        "" | "startpos" => Ok(Board::startpos()),
        fen => Board::from_fen(fen).map_err(|error| error.to_string()),
    }
}

/// Parses a line of moves in UCI notation.
pub(super) fn parsed(start: &Board, line: &[String]) -> Result<Vec<Option<Move>>, String> {
    let mut board = start.clone();
    let parse = |text: &String| {
        let mv = parse_move(&board, text)?;
        board.make_move_or_null(mv);
        Ok(mv)
    };
    line.iter().map(parse).collect()
}

/// Parses a legal move; `None` for a null move.
pub(super) fn parse_move(board: &Board, text: &str) -> Result<Option<Move>, String> {
    if text == NULL_MOVE && !board.in_check() {
        return Ok(None);
    }
    let legal = board.parse_move(text).ok_or_else(|| format!("'{text}' is not a legal move"));
    legal.map(Some)
}

/// Returns a move in UCI notation.
pub(super) fn uci_text(mv: Option<Move>) -> String {
    mv.map_or(NULL_MOVE.to_owned(), |mv| mv.display(false).to_string())
}

#[derive(Serialize)]
struct LegalMove {
    uci: String,
    san: String,
    from: String,
    to: String,
    promotion: Option<char>,
}

pub(super) fn describe(start: &Board, played: &[Option<Move>]) -> Value {
    let mut board = start.clone();
    let mut sans = Vec::new();
    let mut fens = vec![board.fen(FenStyle::Standard)];
    for &mv in played {
        sans.push(GameMove::new(mv).san(&board));
        board.make_move_or_null(mv);
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
    let opening = openings::of_game(start, played.iter().copied());
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
        "opening": opening.map(|opening| json!({ "eco": opening.eco, "name": opening.name })),
    })
}
