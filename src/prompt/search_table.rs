//! Table of a search: a row for each PV, with moves in SAN.

use std::time::Duration;

use crate::board::{Board, numbered_line};
use crate::eval::Chances;
use crate::eval::chances::score_text;
use crate::search::Info;
use crate::types::{Bound, Color, Score};

/// Characters before the line of moves.
const LINE_COLUMN: usize = 56;

pub(super) const fn head() -> &'static str {
    "depth    time    score   win draw loss   nodes     n/s  line (White's view)"
}

/// Returns a row cut to `width` characters, but with room for at least ten of the line.
pub(super) fn row(board: &Board, info: &Info, chances: Option<Chances>, width: usize) -> String {
    let side = board.side_to_move();
    let depth = format!("{}/{}", info.depth, info.seldepth);
    let score = score(info.score, info.bound, side);
    let chances = chances.map_or_else(String::new, |chances| {
        let Chances { win, draw, loss } = chances.for_white(side);
        format!("{:>4}{:>5}{:>5}", percent(win), percent(draw), percent(loss))
    });
    let line = numbered_line(board, &info.pv);
    let row = format!(
        "{depth:<6}{:>7} {score:>8}  {chances:<14}{:>8}{:>8}  {line}",
        seconds(info.time),
        short_count(info.nodes.into()),
        short_count(info.nps()),
    );
    cut(row, width.max(LINE_COLUMN + 10))
}

/// Formats a score from White's view: `+0.31` in pawns, `#-3` for a mate, `≥` and `≤` for bounds.
pub(super) fn score(score: Score, bound: Bound, side: Color) -> String {
    let mark = match (bound, side) {
        (Bound::Exact, _) => "",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "≥",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "≤",
    };
    format!("{mark}{}", score_text(score.for_white(side)))
}

fn percent(permille: u32) -> u32 {
    (permille + 5) / 10
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Formats a number in three digits: `987`, `12.3k`, `4.56M`.
fn short_count(count: u128) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    let Some((unit, sign)) = units.into_iter().find(|&(unit, _)| count >= unit) else {
        return count.to_string();
    };
    let value = count as f64 / unit as f64;
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$}{sign}")
}

/// Cuts a row after a word, so that it does not wrap.
fn cut(row: String, width: usize) -> String {
    if row.chars().count() <= width {
        return row;
    }
    let kept: String = row.chars().take(width - 1).collect();
    let end = kept.trim_end().rfind(' ').unwrap_or(kept.len());
    format!("{} …", &kept[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    fn info(board: &Board, line: &str) -> Info {
        let mut after = board.clone();
        let play = |san: &str| {
            let mv = after.parse_san(san).expect("legal");
            after.make_move(mv);
            mv
        };
        let pv: Vec<Move> = line.split(' ').map(play).collect();
        Info {
            depth: 9,
            seldepth: 14,
            multi_pv: 1,
            score: Score(-31),
            bound: Bound::Exact,
            nodes: 123_456,
            time: Duration::from_millis(41),
            hashfull: 0,
            tb_hits: 0,
            pv: pv.into_iter().collect(),
        }
    }

    #[test]
    fn a_row_is_whites_view_below_its_head() {
        let board = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7").expect("legal");
        let chances = Some(Chances { win: 104, draw: 700, loss: 196 });
        let info = info(&board, "Kd7 e4 Ke6");
        assert_eq!(
            format!("{}\n{}", head(), row(&board, &info, chances, 80)),
            "depth    time    score   win draw loss   nodes     n/s  line (White's view)\n\
             9/14    0.0 s    +0.31    20   70   10    123k   3.01M  7... Kd7 8. e4 Ke6"
        );
        let narrow = row(&board, &info, chances, 66);
        assert!(narrow.ends_with("7... …") && narrow.chars().count() <= 66, "{narrow}");
    }

    #[test]
    fn scores_have_signs_mates_and_bounds() {
        for (points, bound, side, text) in [
            (31, Bound::Exact, Color::White, "+0.31"),
            (0, Bound::Exact, Color::White, "+0.00"),
            (150, Bound::Lower, Color::Black, "≤-1.50"),
            (Score::mate_in(5).0, Bound::Exact, Color::White, "#3"),
            (Score::mate_in(5).0, Bound::Exact, Color::Black, "#-3"),
        ] {
            assert_eq!(score(Score(points), bound, side), text);
        }
    }

    #[test]
    fn counts_have_three_digits() {
        let texts = [0, 987, 1_000, 12_345, 999_499, 4_560_000, 2_000_000_000].map(short_count);
        assert_eq!(texts, ["0", "987", "1.00k", "12.3k", "999k", "4.56M", "2.00G"]);
    }
}
