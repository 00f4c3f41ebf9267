//! An analysed game in characters: the table of the players, a chart, and the bad moves.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::numbered_line;
use crate::eval::chances::score_text;
use crate::pgn::PgnGame;
use crate::search::PoolError;
use crate::text::short;
use crate::tools::WIDTH;
use crate::tools::analyser::{Analyser, SearchSetup};
use crate::types::Color;

use super::analysis::{GameAnalysis, analyse_until};
use super::judge::winning_chances;
use super::records::player_table;

/// Rows of the chart. Each stands for two levels.
const ROWS: usize = 8;
/// Columns beside the chart.
const MARGIN: usize = 7;
/// Plies of a better line.
const LINE_PLIES: usize = 4;

/// Analyses a game and writes its players, chart and bad moves, or `stopped` if the flag is set
/// before the end.
///
/// # Errors
/// If the search cannot be prepared.
pub fn chart(
    game: &PgnGame,
    setup: &SearchSetup,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), PoolError> {
    let mut analyser = Analyser::new(setup)?;
    sink(&format!("searching {} positions, Enter stops", game.line.moves.len() + 1));
    let analysis = analyse_until(&mut analyser, game, stop, &mut |_, _| {});
    if stop.load(Ordering::Relaxed) {
        sink("stopped");
        return Ok(());
    }
    sink(&player_table("", game, &analysis));
    sink("");
    lines_of(game, &analysis).iter().for_each(|line| sink(line));
    bad_moves(game, &analysis).iter().for_each(|line| sink(line));
    Ok(())
}

/// Draws White's winning chances as an area, with the signs of bad moves below and move numbers.
fn lines_of(game: &PgnGame, analysis: &GameAnalysis) -> Vec<String> {
    let count = analysis.positions.len();
    let room = WIDTH - MARGIN;
    // The start position has a column too.
    let width = (room / count).clamp(1, 3);
    let columns = (count * width).min(room);
    let position_of = |column: usize| column * count / columns;
    let column_of = |position: usize| (position * columns).div_ceil(count);
    let level = |column| {
        let chances = winning_chances(analysis.positions[position_of(column)].score);
        (chances / 100.0 * (2 * ROWS) as f64).round() as usize
    };
    let mut lines = Vec::new();
    for row in (0..ROWS).rev() {
        let label = match row {
            _ if row + 1 == ROWS => "100 %",
            _ if row == ROWS / 2 => " 50 %",
            0 => "  0 %",
            _ => "     ",
        };
        let cell = |column| match level(column).saturating_sub(2 * row) {
            0 => ' ',
            1 => '▄',
            _ => '█',
        };
        let cells: String = (0..columns).map(cell).collect();
        lines.push(format!("{label} │{cells}").trim_end().to_owned());
    }
    let mut signs = Row::new(columns);
    let mut judged: Vec<_> = analysis.moves.iter().enumerate().collect();
    judged.sort_by(|(_, one), (_, other)| other.loss.total_cmp(&one.loss));
    for (index, judged) in judged {
        if let Some(judgement) = judged.judgement {
            signs.place(column_of(index + 1), judgement.sign());
        }
    }
    let mut numbers = Row::new(columns);
    for index in 0..analysis.moves.len() {
        let (number, side) = game.number_of(index);
        if number % 5 == 0 && side == Color::White {
            numbers.place(column_of(index + 1), &number.to_string());
        }
    }
    for row in [signs, numbers] {
        lines.push(format!("{:MARGIN$}{}", "", row.text()).trim_end().to_owned());
    }
    lines
}

/// Row below the chart.
struct Row(Vec<char>);

impl Row {
    fn new(columns: usize) -> Self {
        Self(vec![' '; columns])
    }

    /// Writes a text from this column on, or up to the end, if it keeps a blank on both sides.
    fn place(&mut self, column: usize, text: &str) {
        let column = column.min(self.0.len().saturating_sub(text.len()));
        let end = (column + text.len()).min(self.0.len());
        let around = column.saturating_sub(1)..(end + 1).min(self.0.len());
        if self.0[around].iter().all(|&cell| cell == ' ') {
            self.0.splice(column..end, text.chars());
        }
    }

    fn text(self) -> String {
        self.0.into_iter().collect()
    }
}

/// Returns a line for each bad move: `12... Qd4??  Nf6 13. O-O was better (+0.31, not +4.20)`.
fn bad_moves(game: &PgnGame, analysis: &GameAnalysis) -> Vec<String> {
    let mut board = game.start.clone();
    let mut lines = Vec::new();
    let pairs = analysis.positions.windows(2).zip(&analysis.moves);
    for (played, (pair, judged)) in game.line.moves.iter().zip(pairs) {
        let [before, after] = pair else { continue };
        if let (Some(judgement), Some(mv)) = (judged.judgement, played.mv) {
            let better = &before.line[..before.line.len().min(LINE_PLIES)];
            let name = numbered_line(&board, &[mv]) + judgement.sign();
            let [from, to] = [before, after].map(|position| score_text(position.score));
            let better = numbered_line(&board, better);
            lines.push(short(&format!("{name:<16} {from} → {to}, better {better}"), WIDTH));
        }
        board.make_move_or_null(played.mv);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Reader;
    use crate::search::Limits;

    fn written(text: &str, stop: bool) -> Vec<String> {
        let game = Reader::new(text.as_bytes()).next().expect("a game").expect("legal");
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let setup = SearchSetup::new(limits, 1, 1);
        let mut lines = Vec::new();
        let mut sink = |line: &str| lines.extend(line.split('\n').map(str::to_owned));
        chart(&game, &setup, &AtomicBool::new(stop), &mut sink).expect("a megabyte");
        lines
    }

    #[test]
    fn the_chart_shows_where_a_game_was_lost() {
        let lines = written("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", false);
        let text = lines.join("\n");
        assert!(lines[0] == "searching 8 positions, Enter stops" && text.contains("accuracy"));
        let row = |label: &str| lines.iter().find(|line| line.starts_with(label)).expect("a row");
        // Eight positions of three columns: White wins in the last two.
        assert!(
            row("100 % │").ends_with("██████") && !row("100 % │").contains("███████"),
            "{text}"
        );
        assert_eq!(row("  0 % │").matches('█').count(), 24, "{text}");
        let is_sign_row = |line: &&String| line.starts_with("    ") && line.contains("??");
        let signs = lines.iter().find(is_sign_row).expect("a sign");
        assert_eq!(signs.find("??"), Some(MARGIN + 18), "{text}");
        let last = lines.last().expect("a bad move");
        assert!(last.starts_with("3... Nf6??") && last.contains(", better 3... "), "{text}");
        assert_eq!(written("1. e4 e5 *", true).last().map(String::as_str), Some("stopped"));
    }

    #[test]
    fn games_of_any_length_fit() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
        for text in ["*", "1. e4 *", &format!("{shuffle} 0-1")] {
            let lines = written(text, false);
            assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:#?}");
            assert!(lines.len() >= 13, "{lines:#?}");
        }
    }
}
