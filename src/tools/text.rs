//! Text that several tools write.

use crate::board::Board;
use crate::types::Move;

/// Returns the moves of a line in SAN.
pub(super) fn san_moves(board: &Board, line: &[Move]) -> Vec<String> {
    let mut board = board.clone();
    let play = |&mv| {
        let san = board.san(mv);
        board.make_move(mv);
        san
    };
    line.iter().map(play).collect()
}

/// Returns the first characters of a text, without control characters.
pub(super) fn short(text: &str, length: usize) -> String {
    let mut letters: Vec<char> = text.chars().filter(|letter| !letter.is_control()).collect();
    if letters.len() > length {
        letters.truncate(length.saturating_sub(1));
        letters.push('…');
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!((short("abc", 3), short("abcd\n", 3)), ("abc".to_owned(), "ab…".to_owned()));
    }
}
