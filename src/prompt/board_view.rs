//! Drawing of the board in colours.

use crate::board::Board;
use crate::types::{Color, File, Move, Piece, Rank, Square};

use super::style::Style;

/// Backgrounds as SGR parameters, in 256 colours.
const LIGHT: &str = "48;5;180";
const DARK: &str = "48;5;137";
const LIGHT_MOVED: &str = "48;5;186";
const DARK_MOVED: &str = "48;5;143";
const CHECKED: &str = "48;5;167";
/// Foregrounds of the pieces.
const WHITE: &str = "38;5;231";
const BLACK: &str = "38;5;16";

/// Draws the board with `bottom` at the bottom. Without colours, White has capitals and the squares
/// of the last move have brackets.
pub(super) fn draw(board: &Board, last: Option<Move>, bottom: Color, style: Style) -> String {
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text.push_str(&format!(" {} ", rank as u8 + 1));
        for file in files {
            text.push_str(&square(board, Square::new(file, rank), last, style));
        }
        text.push('\n');
    }
    text.push_str("   ");
    for file in files {
        text.push_str(&format!(" {} ", file.letter()));
    }
    text
}

fn square(board: &Board, square: Square, last: Option<Move>, style: Style) -> String {
    let piece = board.piece_on(square);
    let is_moved = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
    if !style.has_color {
        let letter = piece.map_or('.', Piece::letter);
        return if is_moved { format!("[{letter}]") } else { format!(" {letter} ") };
    }
    let is_light = (square.file() as u8 + square.rank() as u8) % 2 == 1;
    let is_checked = board.in_check() && square == board.king_square(board.side_to_move());
    let background = match (is_checked, is_moved, is_light) {
        (true, _, _) => CHECKED,
        (false, true, true) => LIGHT_MOVED,
        (false, true, false) => DARK_MOVED,
        (false, false, true) => LIGHT,
        (false, false, false) => DARK,
    };
    let Some(piece) = piece else { return style.paint(background, "   ") };
    let foreground = if piece.color() == Color::White { WHITE } else { BLACK };
    let sign = if style.has_figurines { piece.piece_type().figurine() } else { piece.letter() };
    style.paint(&format!("{background};{foreground}"), &format!(" {sign} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_e4() -> (Board, Move) {
        let mut board = Board::startpos();
        let mv = board.parse_san("e4").expect("legal");
        board.make_move(mv);
        (board, mv)
    }

    #[test]
    fn without_colours_brackets_show_the_last_move() {
        let (board, mv) = after_e4();
        let expected = [
            " 8  r  n  b  q  k  b  n  r ",
            " 7  p  p  p  p  p  p  p  p ",
            " 6  .  .  .  .  .  .  .  . ",
            " 5  .  .  .  .  .  .  .  . ",
            " 4  .  .  .  . [P] .  .  . ",
            " 3  .  .  .  .  .  .  .  . ",
            " 2  P  P  P  P [.] P  P  P ",
            " 1  R  N  B  Q  K  B  N  R ",
            "    a  b  c  d  e  f  g  h ",
        ];
        let text = draw(&board, Some(mv), Color::White, Style::PLAIN);
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let turned = draw(&board, Some(mv), Color::Black, Style::PLAIN);
        let lines: Vec<_> = turned.lines().collect();
        assert_eq!(lines[0], " 1  R  N  B  K  Q  B  N  R ");
        assert_eq!(lines[3], " 4  .  .  . [P] .  .  .  . ");
        assert_eq!(lines[8], "    h  g  f  e  d  c  b  a ");
    }

    #[test]
    fn colours_show_squares_moves_and_checks() {
        let style = Style { has_color: true, has_figurines: true };
        let (board, mv) = after_e4();
        let text = draw(&board, Some(mv), Color::White, style);
        assert!(text.contains(&style.paint(&format!("{LIGHT_MOVED};{WHITE}"), " ♟ ")), "{text}");
        assert!(text.contains(&style.paint(LIGHT_MOVED, "   ")), "{text}");
        let checked = Board::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").expect("legal");
        let text = draw(&checked, None, Color::White, style);
        assert!(text.contains(&style.paint(&format!("{CHECKED};{WHITE}"), " ♚ ")), "{text}");
        let letters = draw(&checked, None, Color::White, Style { has_figurines: false, ..style });
        assert!(letters.contains(" r ") && letters.contains(" K "), "{letters}");
    }
}
