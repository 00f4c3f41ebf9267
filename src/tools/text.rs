//! Text that tools and the terminal write.

use crate::board::Board;
use crate::eval::chances::pawns;
use crate::types::{Color, Move, PieceType, Score};

pub(super) const WIDTH: usize = 79;

pub(super) fn san_moves(board: &Board, line: &[Move]) -> Vec<String> {
    let mut board = board.clone();
    let play = |&mv| {
        let san = board.san(mv);
        board.make_move(mv);
        san
    };
    line.iter().map(play).collect()
}

/// Returns the moves of a line in SAN with their numbers: `12... Qd8 13. e4`.
pub fn numbered_line(board: &Board, line: &[Move]) -> String {
    let mut number = board.fullmove_number();
    let mut side = board.side_to_move();
    let mut words = Vec::new();
    for (index, san) in san_moves(board, line).into_iter().enumerate() {
        match side {
            Color::White => words.push(format!("{number}. {san}")),
            Color::Black if index == 0 => words.push(format!("{number}... {san}")),
            Color::Black => words.push(san),
        }
        number += u32::from(side == Color::Black);
        side = !side;
    }
    words.join(" ")
}

/// Formats a normalised score from any view in pawns, or in moves until mate: `+0.31`, `#3`, `#-2`.
pub fn score_text(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("#{moves}"),
        None => pawns(score),
    }
}

/// Returns the filled figurine; its colour shows the side.
pub const fn figurine(piece_type: PieceType) -> char {
    match piece_type {
        PieceType::Pawn => '♟',
        PieceType::Knight => '♞',
        PieceType::Bishop => '♝',
        PieceType::Rook => '♜',
        PieceType::Queen => '♛',
        PieceType::King => '♚',
    }
}

/// Shortens a text with `…`, without control characters.
pub(super) fn short(text: &str, length: usize) -> String {
    let mut letters: Vec<char> = text.chars().filter(|letter| !letter.is_control()).collect();
    if letters.len() > length {
        letters.truncate(length.saturating_sub(1));
        letters.push('…');
    }
    letters.into_iter().collect()
}

/// Escapes text for XML and HTML.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// Wraps words into lines of at most `width` characters, each after an indent.
pub fn wrapped(text: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_numbers() {
        let mut board = Board::startpos();
        let line = ["e2e4", "e7e5", "g1f3"].map(|text| {
            let mv = board.parse_move(text).expect("a legal move");
            board.make_move(mv);
            mv
        });
        assert_eq!(numbered_line(&Board::startpos(), &line), "1. e4 e5 2. Nf3");
        let mut after = Board::startpos();
        after.make_move(line[0]);
        assert_eq!(numbered_line(&after, &line[1..]), "1... e5 2. Nf3");
    }

    #[test]
    fn scores_are_pawns_or_moves_until_mate() {
        for (score, text) in [
            (Score(31), "+0.31"),
            (Score(0), "+0.00"),
            (Score(-105), "-1.05"),
            (Score(-19_753), "-99.99"),
            (Score::mate_in(5), "#3"),
            (-Score::mate_in(3), "#-2"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }

    #[test]
    fn long_texts_are_cut_or_wrapped() {
        assert_eq!((short("abc", 3), short("abcd\n", 3)), ("abc".to_owned(), "ab…".to_owned()));
        assert_eq!(wrapped("one two three", "  ", 9), ["  one two", "  three"]);
    }
}
