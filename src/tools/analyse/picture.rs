//! The winning chances over a game, as an SVG picture.

use std::fmt::Write as _;

use crate::pgn::{PgnGame, result_text};
use crate::text;
use crate::types::Color;

use super::analysis::GameAnalysis;
use super::judge::{Judgement, winning_chances};
use super::records::player_name;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = HEIGHT - 60.0;

/// Areas of White's and Black's chances.
const WHITE: &str = "#f4f1e8";
const BLACK: &str = "#5c6470";
const INK: &str = "#23272e";
const GREY: &str = "#59606b";
const GREY_TEXT: &str = "fill=\"#59606b\"";
const SMALL_GREY_TEXT: &str = "fill=\"#59606b\" font-size=\"12\"";

/// Half the width of a label's letter, about.
const HALF_LETTER: f64 = 3.9;
const LABEL_HEIGHT: f64 = 17.0;
/// Letters of a player's name in the title.
const MAX_NAME: usize = 36;

const fn color(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "#e3b505",
        Judgement::Mistake => "#ef7d1a",
        Judgement::Blunder => "#d62839",
    }
}

pub(super) fn draw(game: &PgnGame, analysis: &GameAnalysis) -> String {
    let plot = Plot { game, analysis };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    plot.add_titles(&mut svg);
    plot.add_curve(&mut svg);
    Plot::add_chance_axis(&mut svg);
    plot.add_move_axis(&mut svg);
    plot.add_moves(&mut svg);
    Plot::add_legend(&mut svg);
    svg + "</svg>\n"
}

struct Plot<'a> {
    game: &'a PgnGame,
    analysis: &'a GameAnalysis,
}

impl Plot<'_> {
    fn x(&self, ply: usize) -> f64 {
        let last = self.analysis.moves.len().max(1);
        LEFT + (RIGHT - LEFT) * ply as f64 / last as f64
    }

    fn y(chances: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * chances / 100.0
    }

    fn chances(&self, ply: usize) -> f64 {
        winning_chances(self.analysis.positions[ply].score)
    }

    fn add_titles(&self, svg: &mut String) {
        // A long name leaves room for the other one.
        let [white, black] =
            Color::ALL.map(|side| text::short(player_name(self.game, side), MAX_NAME));
        let title = format!("{white} – {black}, {}", result_text(self.game.result));
        add_text(svg, LEFT, 30.0, "start", &format!("font-size=\"19\" fill=\"{INK}\""), &title);
        let tag = |name| self.game.tags.get(name).filter(|value| !value.starts_with('?'));
        let mut parts: Vec<String> =
            ["Event", "Date"].into_iter().filter_map(tag).map(str::to_owned).collect();
        let players = self.analysis.players();
        for side in Color::ALL {
            if let Some(accuracy) = players[side].accuracy {
                parts.push(format!("{side}: accuracy {accuracy:.0} %"));
            }
        }
        let subtitle = parts.join("   ·   ");
        add_text(svg, LEFT, 54.0, "start", GREY_TEXT, &subtitle);
        let opening = self.analysis.opening.map_or_else(String::new, ToString::to_string);
        add_text(svg, LEFT, 76.0, "start", GREY_TEXT, &opening);
    }

    fn add_curve(&self, svg: &mut String) {
        let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" \
             fill=\"{BLACK}\"/>"
        );
        let mut points = String::new();
        for ply in 0..self.analysis.positions.len() {
            let _ = write!(points, "{:.1},{:.1} ", self.x(ply), Self::y(self.chances(ply)));
        }
        if self.analysis.moves.is_empty() {
            let _ = write!(points, "{RIGHT},{:.1} ", Self::y(self.chances(0)));
        }
        let points = points.trim_end();
        let _ = writeln!(
            svg,
            "<polygon points=\"{LEFT},{BOTTOM} {points} {RIGHT},{BOTTOM}\" fill=\"{WHITE}\"/>\n\
             <polyline points=\"{points}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\" \
             stroke-linejoin=\"round\"/>"
        );
    }

    fn add_chance_axis(svg: &mut String) {
        for percent in [0, 25, 50, 75, 100] {
            let y = Self::y(percent.into());
            let dashes = if percent == 50 { "" } else { " stroke-dasharray=\"2 4\"" };
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#9aa1ab\" \
                 stroke-width=\"1\"{dashes}/>"
            );
            add_text(svg, LEFT - 8.0, y + 4.0, "end", SMALL_GREY_TEXT, &format!("{percent} %"));
        }
        let y = Self::y(50.0);
        let upright = format!("{GREY_TEXT} transform=\"rotate(-90 16 {y})\"");
        add_text(svg, 16.0, y, "middle", &upright, "White's winning chances");
    }

    fn add_move_axis(&self, svg: &mut String) {
        let start = self.game.start.fullmove_number() as usize;
        let offset = usize::from(self.game.start.side_to_move() == Color::Black);
        let plies = self.analysis.moves.len();
        const STEPS: [usize; 12] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000];
        let step = STEPS.into_iter().find(|step| plies <= step * 40).unwrap_or(STEPS[11]);
        for number in (start..=start + (plies + offset) / 2).filter(|number| number % step == 0) {
            // The dot of White's move of this number.
            let Some(ply) = (2 * (number - start) + 1).checked_sub(offset) else { continue };
            if ply > plies {
                continue;
            }
            let x = self.x(ply);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{BOTTOM}\" y2=\"{}\" stroke=\"{GREY}\"/>",
                BOTTOM + 5.0
            );
            add_text(svg, x, BOTTOM + 19.0, "middle", SMALL_GREY_TEXT, &number.to_string());
        }
        add_text(svg, LEFT, HEIGHT - 16.0, "start", GREY_TEXT, "Move");
    }

    /// Adds a dot for each bad move, and a label where there is room, for the worst first.
    fn add_moves(&self, svg: &mut String) {
        let mut board = self.game.start.clone();
        let mut labels = Vec::new();
        let moves = self.game.line.moves.iter().zip(&self.analysis.moves);
        for (index, (played, judged)) in moves.enumerate() {
            let (number, side) = self.game.number_of(index);
            let dots = if side == Color::White { "." } else { "..." };
            let name = format!("{number}{dots}{}", played.san(&board));
            board.make_move_or_null(played.mv);
            let Some(judgement) = judged.judgement else { continue };
            let (x, y) = (self.x(index + 1), Self::y(self.chances(index + 1)));
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\" stroke=\"#ffffff\" \
                 stroke-width=\"1.5\"/>",
                color(judgement)
            );
            labels.push((judged.loss, x, y, judged.side, name + judgement.sign()));
        }
        labels.sort_by(|(loss, ..), (other_loss, ..)| other_loss.total_cmp(loss));
        let mut placed: Vec<(f64, f64, f64)> = Vec::new();
        for (_, x, dot, side, text) in labels {
            let half = text.chars().count() as f64 * HALF_LETTER;
            let is_free = |&(x, y): &(f64, f64)| {
                !placed.iter().any(|&(other_x, other_y, other_half)| {
                    (x - other_x).abs() < half + other_half + 4.0
                        && (y - other_y).abs() < LABEL_HEIGHT
                })
            };
            let Some((x, y)) = label_places(x, dot, side, half).into_iter().find(is_free) else {
                continue;
            };
            placed.push((x, y, half));
            // The outline is a text of its own, since not all programs support `paint-order`.
            let outline = "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"4\" \
                           stroke-linejoin=\"round\"";
            for style in [outline, &format!("fill=\"{INK}\"")] {
                add_text(svg, x, y, "middle", &format!("{style} font-size=\"13\""), &text);
            }
        }
    }

    fn add_legend(svg: &mut String) {
        let y = HEIGHT - 21.0;
        let mut x = RIGHT;
        for judgement in Judgement::ALL.into_iter().rev() {
            let text = format!("{} {}", judgement.sign(), judgement.name());
            add_text(svg, x, y + 5.0, "end", GREY_TEXT, &text);
            x -= text.chars().count() as f64 * 7.6 + 12.0;
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y}\" r=\"5\" fill=\"{}\"/>",
                color(judgement)
            );
            x -= 24.0;
        }
    }
}

/// Returns the places of a label in the plot, the best one first: below the dot for White, whose
/// mistakes lead the curve down, above it for Black, else on the other side, further away, or to
/// one side. `half` is half its width.
fn label_places(x: f64, dot: f64, side: Color, half: f64) -> Vec<(f64, f64)> {
    let above = |row: u32| dot - 11.0 - f64::from(row) * LABEL_HEIGHT;
    let below = |row: u32| dot + 20.0 + f64::from(row) * LABEL_HEIGHT;
    let rows = (0..3).flat_map(|row| match side {
        Color::White => [below(row), above(row)],
        Color::Black => [above(row), below(row)],
    });
    let rows = rows.filter(|y| (TOP + 14.0..=BOTTOM - 6.0).contains(y));
    let places = rows.flat_map(|y| [0.0, half, -half].map(|shift| (x + shift, y)));
    places.map(|(x, y)| (x.clamp(LEFT + half + 2.0, RIGHT - half - 2.0), y)).collect()
}

/// Adds text; `style` is a list of SVG attributes.
fn add_text(svg: &mut String, x: f64, y: f64, anchor: &str, style: &str, text: &str) {
    let text = text::escaped(&text::short(text, 90));
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Reader;
    use crate::search::Limits;
    use crate::tools::analyse::analysis::analyse;
    use crate::tools::analyser::{Analyser, SearchSetup};

    #[test]
    fn labels_have_their_outline_below_them() {
        let text = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
        let game = Reader::new(text.as_bytes()).next().expect("a game").expect("legal");
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let setup = SearchSetup::new(limits, 1, 1);
        let mut analyser = Analyser::new(&setup).expect("a megabyte");
        let svg = draw(&game, &analyse(&mut analyser, &game, &mut |_, _| {}));
        let labels: Vec<&str> = svg.lines().filter(|line| line.contains("3...Nf6??")).collect();
        assert!(labels[0].contains("fill=\"none\" stroke=\"#ffffff\""), "{labels:?}");
        assert!(labels[1].contains(&format!("fill=\"{INK}\"")), "{labels:?}");
        assert!(labels.len() == 2 && !svg.contains("paint-order"), "{svg}");
    }

    #[test]
    fn every_mark_with_room_has_a_label_and_both_names_are_shown() {
        let long = "A name that is longer than the picture, ".repeat(4);
        let text = format!(
            "[White \"{long}\"]\n[Black \"Other\"]\n\n\
             1. f3 e5 2. g4 d6 3. h3 d5 4. a3 Qh4# 0-1"
        );
        let game = Reader::new(text.as_bytes()).next().expect("a game").expect("legal");
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let setup = SearchSetup::new(limits, 1, 1);
        let mut analyser = Analyser::new(&setup).expect("a megabyte");
        let analysis = analyse(&mut analyser, &game, &mut |_, _| {});
        let bad = analysis.moves.iter().filter(|judged| judged.judgement.is_some()).count();
        let svg = draw(&game, &analysis);
        let labels = svg.lines().filter(|line| line.contains(&format!("{INK}\" font-size=\"13\"")));
        assert!(bad > 1 && labels.count() == bad, "{bad}: {svg}");
        assert!(svg.contains("… – Other, 0-1<"), "{svg}");
    }

    #[test]
    fn labels_stay_in_the_plot() {
        for (x, dot) in [(LEFT, TOP), (RIGHT, BOTTOM), (500.0, 200.0)] {
            for side in Color::ALL {
                let places = label_places(x, dot, side, 30.0);
                assert!(places.len() >= 9, "{places:?}");
                assert!(
                    places.iter().all(|&(x, y)| x > LEFT && x < RIGHT && y > TOP && y < BOTTOM)
                );
            }
        }
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let mut svg = String::new();
        add_text(&mut svg, 0.0, 0.0, "start", "", "a<b> & \u{ffff}\u{202e}c");
        assert!(svg.contains(">a&lt;b&gt; &amp; &lt;U+FFFF&gt;&lt;U+202E&gt;c<"), "{svg}");
    }
}
