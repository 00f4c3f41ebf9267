//! Explanation of a move: how it compares with the best one, and what refutes it.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::board::{Board, FenStyle, numbered_line, san_line};
use crate::eval::chances::{normalised, score_text};
use crate::search::PoolError;
use crate::text::wrapped;
use crate::types::{Move, Score};

use super::WIDTH;
use super::analyse::{Judgement, OtherLineRecord, winning_chances};
use super::analyser::{Analyser, Finding, SearchSetup};
use super::balance::{MaterialChange, quiet_end, shown};
use super::json::{self, ScoreRecord};

/// Line with its normalised score for the side to move.
struct ExplainedLine {
    score: Score,
    moves: Vec<Move>,
}

/// Record documented in docs/json.md.
#[derive(Serialize)]
struct ExplainRecord {
    fen: String,
    san: String,
    score: ScoreRecord,
    line: Vec<String>,
    best: String,
    best_score: ScoreRecord,
    best_line: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_lines: Vec<OtherLineRecord>,
    loss: f64,
    judgement: Option<&'static str>,
    text: Vec<String>,
}

/// Move to explain.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Position before the move.
    pub board: Board,
    /// A legal move.
    pub mv: Move,
    /// Limits and resources of each search.
    pub setup: SearchSetup,
    /// Writes a JSON line instead of text.
    pub json: bool,
}

/// Compares a legal move with the best move and writes why it is worse, or `stopped` if the flag is
/// set before the end.
///
/// # Errors
/// If the search cannot be prepared.
pub fn explain(
    explanation: &Explanation,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), PoolError> {
    let &Explanation { ref board, mv, ref setup, json } = explanation;
    let mut analyser = Analyser::new(setup)?;
    let found = analyser.search_until(board, stop);
    let others = found.other_lines();
    let others: Vec<ExplainedLine> = others
        .iter()
        .map(|info| ExplainedLine { score: normalised(info.score), moves: info.pv.to_vec() })
        .collect();
    let best = best_line(&found);
    let played = if best.moves.first() == Some(&mv) {
        ExplainedLine { score: best.score, moves: best.moves.clone() }
    } else {
        line_after(|board| best_line(&analyser.search_until(board, stop)), board, mv)
    };
    if stop.load(Ordering::Relaxed) {
        sink("stopped");
        return Ok(());
    }
    let comparison = Comparison { board, mv, best, others, played };
    if json {
        sink(&json::line("explain", &comparison.record()));
    } else {
        comparison.lines().iter().for_each(|line| sink(line));
    }
    Ok(())
}

fn best_line(found: &Finding) -> ExplainedLine {
    ExplainedLine { score: normalised(found.outcome.score), moves: found.best_line() }
}

/// Returns the best line that begins with this move.
fn line_after(
    search: impl FnOnce(&Board) -> ExplainedLine,
    board: &Board,
    mv: Move,
) -> ExplainedLine {
    let mut after = board.clone();
    after.make_move(mv);
    let reply = search(&after);
    let moves = std::iter::once(mv).chain(reply.moves).collect();
    // Seen from here, a mate is a ply further away.
    let score = match -reply.score {
        score if score.is_mate() => Score(score.0 - score.0.signum()),
        score => score,
    };
    ExplainedLine { score, moves }
}

struct Comparison<'a> {
    board: &'a Board,
    mv: Move,
    best: ExplainedLine,
    /// Lines of the next best moves, if several were searched.
    others: Vec<ExplainedLine>,
    played: ExplainedLine,
}

impl Comparison<'_> {
    fn is_best(&self) -> bool {
        self.best.moves.first() == Some(&self.mv)
    }

    /// Returns the lost winning chances, in percentage points.
    fn loss(&self) -> f64 {
        (winning_chances(self.best.score) - winning_chances(self.played.score)).max(0.0)
    }

    fn judgement(&self) -> Option<Judgement> {
        if self.is_best() { None } else { Judgement::of(self.loss()) }
    }

    fn text(&self) -> Vec<String> {
        let side = self.board.side_to_move();
        let san = self.board.san(self.mv);
        let [before, after] = [&self.best, &self.played].map(|line| winning_chances(line.score));
        let fall = format!("{side}'s winning chances fall from {before:.0} % to {after:.0} %.");
        let mut text = vec![match self.judgement() {
            _ if self.is_best() => format!("{san} is the best move."),
            Some(judgement) => {
                let article = if judgement == Judgement::Inaccuracy { "an" } else { "a" };
                format!("{san} is {article} {}: {fall}", judgement.name())
            }
            None if self.loss() < 1.0 => format!("{san} is as good as the best move."),
            None => format!("{san} is playable: {fall}"),
        }];
        text.extend(self.mates());
        // For a move as good as the best one, the material that it gives up would mislead.
        if !self.played.score.is_mate() && (self.is_best() || self.judgement().is_some()) {
            text.extend(self.material());
        }
        text
    }

    fn mates(&self) -> Option<String> {
        let side = self.board.side_to_move();
        match (self.best.score.mate_moves(), self.played.score.mate_moves()) {
            (_, Some(mate)) if mate > 0 => Some(format!("{side} mates in {mate}.")),
            (Some(mate), Some(_)) if mate < 0 => Some("A mate cannot be avoided.".to_owned()),
            (_, Some(mate)) => Some(format!("It allows mate in {}.", -mate)),
            (Some(mate), None) if mate > 0 => Some(format!("It misses mate in {mate}.")),
            _ => None,
        }
    }

    /// Describes the material that the line wins and loses.
    fn material(&self) -> Option<String> {
        let side = self.board.side_to_move();
        let (_, end) = quiet_end(self.board, shown(&self.played.moves))?;
        let change = MaterialChange::between(self.board, &end, side);
        let (lost, won) = (change.lost_text(), change.won_text());
        match (lost.as_str(), won.as_str()) {
            ("", "") => None,
            (lost, "") => Some(format!("In the line, {side} loses {lost}.")),
            ("", won) => Some(format!("In the line, {side} wins {won}.")),
            (lost, won) => Some(format!("In the line, {side} gives {lost} for {won}.")),
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = wrapped(&self.text().join(" "), "", WIDTH);
        lines.push(String::new());
        let side = self.board.side_to_move();
        lines.push(format!("{:>15} {:>6}  for {side}", "score", "chance"));
        let (best, played) = (&self.best, &self.played);
        if !self.is_best() {
            lines.extend(self.line("Best", best));
        }
        lines.extend(self.line("Played", played));
        for (other, rank) in self.others.iter().zip(2..) {
            lines.extend(self.line(&format!("Rank {rank}"), other));
        }
        lines
    }

    fn line(&self, name: &str, line: &ExplainedLine) -> Vec<String> {
        let score = score_text(line.score);
        let chances = winning_chances(line.score);
        let moves = numbered_line(self.board, shown(&line.moves));
        let mut rows = wrapped(&moves, "                        ", WIDTH);
        if let Some(first) = rows.first_mut() {
            *first = format!("{name:<7} {score:>7} {chances:>4.0} %  {}", first.trim_start());
        }
        rows
    }

    fn record(&self) -> ExplainRecord {
        let Self { board, mv, best, others, played } = self;
        let side = board.side_to_move();
        let score = |line: &ExplainedLine| ScoreRecord::for_white(line.score.for_white(side));
        let best_line = san_line(board, &best.moves);
        ExplainRecord {
            fen: board.fen(FenStyle::Standard),
            san: board.san(*mv),
            score: score(played),
            line: san_line(board, &played.moves),
            best: best_line.first().cloned().unwrap_or_default(),
            best_score: score(best),
            best_line,
            other_lines: others
                .iter()
                .map(|line| OtherLineRecord::new(board, line.score.for_white(side), &line.moves))
                .collect(),
            loss: json::hundredths(self.loss()),
            judgement: self.judgement().map(Judgement::name),
            text: self.text(),
        }
    }
}
