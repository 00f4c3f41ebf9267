//! An analysed game as JSON, and the table of its players.

use std::io;

use serde::Serialize;

use crate::board::{Board, FenStyle, san_line};
use crate::eval::chances::Chances;
use crate::pgn::{PgnError, PgnGame, result_text};
use crate::text::short;
use crate::tools::json::{ScoreRecord, hundredths};
use crate::types::{Color, Depth, Move, Score};

use super::analysis::{Evaluation, GameAnalysis, PlayerSummary};
use super::judge::{Judgement, accuracy, winning_chances};

/// Analysed game, from White's view; documented in docs/json.md.
#[derive(Serialize)]
pub(super) struct GameRecord<'a> {
    file: Option<&'a str>,
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
    cut: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<String>>,
    best: Option<String>,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_lines: Vec<OtherLineRecord>,
}

/// Line of another move than the best.
#[derive(Serialize)]
pub(in crate::tools) struct OtherLineRecord {
    score: ScoreRecord,
    line: Vec<String>,
}

impl OtherLineRecord {
    /// Takes a line of a position with its score from White's view.
    pub(in crate::tools) fn new(board: &Board, score: Score, line: &[Move]) -> Self {
        Self { score: ScoreRecord::for_white(score), line: san_line(board, line) }
    }
}

#[derive(Serialize)]
struct PlayerRecord<'a> {
    side: &'static str,
    name: &'a str,
    #[serde(flatten)]
    summary: PlayerSummary,
}

/// Game or file that cannot be read.
#[derive(Serialize)]
pub(super) struct ErrorRecord<'a> {
    file: &'a str,
    game: Option<usize>,
    line: Option<u64>,
    column: Option<u64>,
    message: String,
}

impl<'a> ErrorRecord<'a> {
    pub(super) fn of_game(file: &'a str, error: &PgnError) -> Self {
        let PgnError { game, line, column, .. } = *error;
        let message = error.to_string();
        Self { file, game: Some(game), line: Some(line), column: Some(column), message }
    }

    pub(super) fn of_file(file: &'a str, error: &io::Error) -> Self {
        Self { file, game: None, line: None, column: None, message: error.to_string() }
    }
}

/// Numbers of games and files of an analysis.
#[derive(Copy, Clone, Default, Serialize, Debug)]
pub(super) struct Summary {
    /// Games that were analysed, those cut short included.
    pub(super) games: usize,
    /// Those of them with notes.
    pub(super) mended: usize,
    /// Those of them for which a note is a guess.
    pub(super) guessed: usize,
    pub(super) cut: usize,
    /// Games without a move that can be read.
    pub(super) refused: usize,
    /// Files that could not be read to their end.
    pub(super) unread_files: usize,
}

impl Summary {
    /// Returns whether every game was read as it was meant.
    pub(super) fn is_whole(&self) -> bool {
        let Self { guessed, cut, refused, unread_files, .. } = *self;
        guessed + cut + refused + unread_files == 0
    }

    pub(super) fn text(&self) -> String {
        let Self { games, mended, guessed, cut, refused, unread_files } = self;
        let counts = [
            (mended, ", mended: "),
            (guessed, ", guessed: "),
            (cut, ", cut short: "),
            (refused, ", refused: "),
            (unread_files, "; files not read to their end: "),
        ];
        let counts = counts.iter().filter(|(count, _)| **count > 0);
        let counts: String = counts.map(|(count, what)| format!("{what}{count}")).collect();
        format!("Games read: {games}{counts}")
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
    pub(super) fn new(file: Option<&'a str>, game: &'a PgnGame, analysis: &GameAnalysis) -> Self {
        let chess960 = game.is_chess960();
        let mut board = game.start.clone();
        let pairs = analysis.positions.windows(2).zip(&analysis.moves);
        let moves =
            game.line.moves.iter().zip(pairs).enumerate().map(|(ply, (played, (pair, judged)))| {
                let (number, side) = game.number_of(ply);
                let line = san_line(&board, &pair[0].line);
                let other_lines = &pair[0].other_lines;
                let other_lines = other_lines
                    .iter()
                    .map(|(score, line)| OtherLineRecord::new(&board, *score, line));
                let record = MoveRecord {
                    number,
                    side: side_name(side),
                    san: played.san(&board),
                    uci: played.mv.map_or("0000".to_owned(), |mv| mv.display(chess960).to_string()),
                    evaluation: (&pair[1]).into(),
                    loss: hundredths(judged.loss),
                    loss_cp: judged.loss_cp,
                    accuracy: hundredths(accuracy(judged.loss)),
                    judgement: judged.judgement.map(Judgement::name),
                    words: judged.words.clone(),
                    best: line.first().cloned(),
                    line,
                    other_lines: other_lines.collect(),
                };
                board.make_move_or_null(played.mv);
                record
            });
        let players = analysis.players();
        let player = |side| PlayerRecord {
            side: side_name(side),
            name: player_name(game, side),
            summary: players[side],
        };
        Self {
            file,
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
            cut: game.cut.as_ref().map(ToString::to_string),
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

/// Returns the table of the players. `place` begins its heading, such as `Game 3: `.
pub(super) fn player_table(place: &str, game: &PgnGame, analysis: &GameAnalysis) -> String {
    let players = analysis.players();
    let name = |side| short(player_name(game, side), 30);
    let opening = analysis.opening.map_or_else(String::new, ToString::to_string);
    let mut text = format!(
        "{place}{} – {}, {}\n  {:<30} {:>8} {:>8} {:>6} {:>5} {:>5} {:>5}",
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
