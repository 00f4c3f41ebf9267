//! An analysed game as JSON, and the table of its players.

use serde::Serialize;

use crate::board::{Board, FenStyle, san_line};
use crate::eval::chances::Chances;
use crate::pgn::{PgnError, PgnGame, result_text};
use crate::text::short;
use crate::tools::json::{ScoreRecord, hundredths};
use crate::types::{Color, Depth};

use super::analysis::{Evaluation, GameAnalysis, JudgedMove, PlayerSummary};
use super::judge::{Judgement, accuracy, winning_chances};

/// Analysed game, from White's view; documented in docs/json.md.
#[derive(Serialize)]
pub(super) struct GameRecord<'a> {
    game: usize,
    white: &'a str,
    black: &'a str,
    result: String,
    start: String,
    chess960: bool,
    eco: Option<&'static str>,
    opening: Option<&'static str>,
    #[serde(flatten)]
    evaluation: EvaluationRecord,
    moves: Vec<MoveRecord>,
    players: [PlayerRecord<'a>; 2],
    notes: Vec<String>,
}

#[derive(Serialize)]
struct EvaluationRecord {
    score: ScoreRecord,
    wdl: [u32; 3],
    chances: f64,
    depth: Depth,
    nodes: u64,
}

#[derive(Serialize)]
struct MoveRecord {
    number: u32,
    side: &'static str,
    san: String,
    uci: String,
    #[serde(flatten)]
    evaluation: EvaluationRecord,
    loss: f64,
    loss_cp: i32,
    accuracy: f64,
    judgement: Option<&'static str>,
    best: Option<String>,
    line: Vec<String>,
}

#[derive(Serialize)]
struct PlayerRecord<'a> {
    side: &'static str,
    name: &'a str,
    #[serde(flatten)]
    summary: PlayerSummary,
}

/// Game that cannot be read.
#[derive(Serialize)]
pub(super) struct ErrorRecord {
    game: usize,
    line: u64,
    column: u64,
    message: String,
}

impl From<&PgnError> for ErrorRecord {
    fn from(error: &PgnError) -> Self {
        let PgnError { game, line, column, .. } = *error;
        Self { game, line, column, message: error.to_string() }
    }
}

impl From<&Evaluation> for EvaluationRecord {
    fn from(position: &Evaluation) -> Self {
        let Chances { win, draw, loss } = position.chances;
        Self {
            score: ScoreRecord::for_white(position.score),
            wdl: [win, draw, loss],
            chances: hundredths(winning_chances(position.score)),
            depth: position.depth,
            nodes: position.nodes,
        }
    }
}

impl<'a> GameRecord<'a> {
    pub(super) fn new(game: &'a PgnGame, analysis: &GameAnalysis) -> Self {
        let chess960 = game.is_chess960();
        let mut board = game.start.clone();
        let pairs = analysis.positions.windows(2).zip(&analysis.moves);
        let moves = pairs.map(|(pair, judged)| {
            let record = MoveRecord::new(&board, judged, &pair[0], &pair[1], chess960);
            board.make_move(judged.mv);
            record
        });
        let players = analysis.players();
        let player = |side| PlayerRecord {
            side: side_name(side),
            name: player_name(game, side),
            summary: players[side],
        };
        Self {
            game: game.number,
            white: player_name(game, Color::White),
            black: player_name(game, Color::Black),
            result: result_text(game.result).to_owned(),
            start: game.start.fen(if chess960 { FenStyle::Shredder } else { FenStyle::Standard }),
            chess960,
            eco: analysis.opening.map(|opening| opening.eco.as_str()),
            opening: analysis.opening.map(|opening| opening.name.as_str()),
            evaluation: (&analysis.positions[0]).into(),
            moves: moves.collect(),
            players: Color::ALL.map(player),
            notes: game.notes.iter().map(ToString::to_string).collect(),
        }
    }
}

impl MoveRecord {
    fn new(
        board: &Board,
        judged: &JudgedMove,
        before: &Evaluation,
        after: &Evaluation,
        chess960: bool,
    ) -> Self {
        let line = san_line(board, &before.line);
        Self {
            number: board.fullmove_number(),
            side: side_name(judged.side),
            san: board.san(judged.mv),
            uci: judged.mv.display(chess960).to_string(),
            evaluation: after.into(),
            loss: hundredths(judged.loss),
            loss_cp: judged.loss_cp,
            accuracy: hundredths(accuracy(judged.loss)),
            judgement: judged.judgement.map(Judgement::name),
            best: line.first().cloned(),
            line,
        }
    }
}

const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns `?` for a player without a name.
pub(super) fn player_name(game: &PgnGame, side: Color) -> &str {
    game.tags.get(&side.to_string()).filter(|name| !name.trim().is_empty()).unwrap_or("?")
}

pub(super) fn player_table(game: &PgnGame, analysis: &GameAnalysis) -> String {
    let players = analysis.players();
    let name = |side| short(player_name(game, side), 30);
    let opening = analysis.opening.map_or_else(String::new, ToString::to_string);
    let mut text = format!(
        "Game {}: {} – {}, {}\n  {:<30} {:>8} {:>8} {:>6} {:>5} {:>5} {:>5}",
        game.number,
        name(Color::White),
        name(Color::Black),
        result_text(game.result),
        short(&opening, 30),
        "moves",
        "accuracy",
        "loss",
        "?!",
        "?",
        "??",
    );
    for side in Color::ALL {
        let PlayerSummary { moves, accuracy, loss_cp, inaccuracies, mistakes, blunders } =
            players[side];
        let accuracy = accuracy.map_or("-".to_owned(), |value| format!("{value:.1} %"));
        let loss = loss_cp.map_or("-".to_owned(), |value| format!("{:.2}", value / 100.0));
        text += &format!("\n  {:<30} {moves:>8} {accuracy:>8} {loss:>6}", name(side));
        text += &format!(" {inaccuracies:>5} {mistakes:>5} {blunders:>5}");
    }
    text
}
