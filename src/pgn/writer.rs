//! Games as text.

use std::fmt;

use crate::board::Board;
use crate::types::Color;

use super::builder::JUDGEMENTS;
use super::game::{GameMove, PgnGame, PgnLine, result_text};

/// Maximum length of a line in characters, without closing brackets.
const LINE_WIDTH: usize = 78;

/// Writes the first judgement of a move as a sign (`Qd4??`), other glyphs as `$` and a number.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags.iter() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !self.tags.is_empty() {
            writeln!(f)?;
        }
        let mut text = Movetext::default();
        let mut board = self.start.clone();
        text.add_line(&self.line, &mut board, self, 0);
        text.add(result_text(self.result));
        writeln!(f, "{}", text.text)
    }
}

/// Movetext, wrapped at [`LINE_WIDTH`].
#[derive(Default)]
struct Movetext {
    text: String,
    /// Characters on the last line.
    width: usize,
    /// Characters that the next word must follow without a blank.
    prefix: String,
}

impl Movetext {
    /// Adds a word, on a new line if the last one is full.
    fn add(&mut self, word: &str) {
        self.add_unit(word, true);
    }

    fn add_unit(&mut self, unit: &str, may_break: bool) {
        let unit = std::mem::take(&mut self.prefix) + unit;
        let length = unit.chars().count();
        if may_break && self.width > 0 && self.width + 1 + length > LINE_WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(&unit);
        self.width += length;
    }

    /// Adds characters to the last word.
    fn append(&mut self, text: &str) {
        self.text.push_str(text);
        self.width += text.len();
    }

    fn add_comment(&mut self, comment: &str) {
        self.prefix.push('{');
        let comment = comment.replace('}', ")");
        let mut rest = comment.trim_ascii();
        loop {
            let is_first = !self.prefix.is_empty();
            let (unit, after) = split_unit(rest);
            // No line may begin like a tag or a line to skip.
            self.add_unit(unit, is_first || !unit.starts_with(['[', '%', ';']));
            rest = after.trim_ascii_start();
            if rest.is_empty() {
                break;
            }
        }
        self.append("}");
    }

    /// Adds a line of a game from this position, which it restores, after this number of plies.
    fn add_line(&mut self, line: &PgnLine, board: &mut Board, game: &PgnGame, ply: usize) {
        for comment in &line.comments {
            self.add_comment(comment);
        }
        let mut needs_number = true;
        for (played, ply) in line.moves.iter().zip(ply..) {
            self.add_move(played, board, game, ply, needs_number);
            needs_number = !played.comments.is_empty() || !played.variations.is_empty();
            board.make_move_or_null(played.mv);
        }
        line.moves.iter().for_each(|_| board.unmake_move());
    }

    fn add_move(
        &mut self,
        played: &GameMove,
        board: &mut Board,
        game: &PgnGame,
        ply: usize,
        needs_number: bool,
    ) {
        let (number, side) = game.number_of(ply);
        let san = played.san(board);
        if side == Color::White {
            self.add(&format!("{number}. {san}"));
        } else if needs_number {
            self.add(&format!("{number}... {san}"));
        } else {
            self.add(&san);
        }
        let judgement =
            played.nags.iter().position(|&nag| (1..=JUDGEMENTS.len()).contains(&nag.into()));
        if let Some(index) = judgement {
            self.append(JUDGEMENTS[usize::from(played.nags[index]) - 1]);
        }
        for (index, nag) in played.nags.iter().enumerate() {
            if Some(index) != judgement {
                self.add(&format!("${nag}"));
            }
        }
        for comment in &played.comments {
            self.add_comment(comment);
        }
        for variation in &played.variations {
            self.prefix.push('(');
            self.add_line(variation, board, game, ply);
            self.append(")");
        }
    }
}

/// Splits off the next word, or a command such as `[%clk 0:01:02]`, which stays on one line.
fn split_unit(text: &str) -> (&str, &str) {
    let word = text.find(' ').unwrap_or(text.len());
    let command = text.starts_with("[%").then(|| text.find(']').map(|at| at + 1)).flatten();
    text.split_at(command.filter(|end| *end < LINE_WIDTH).unwrap_or(word))
}
