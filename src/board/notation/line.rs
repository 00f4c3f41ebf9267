//! Lines of moves in SAN.

use crate::board::Board;
use crate::types::{Color, Move};

/// Returns the moves of a legal line in SAN.
pub fn san_line(board: &Board, line: &[Move]) -> Vec<String> {
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
    let mut board = board.clone();
    let mut words = Vec::new();
    for &mv in line {
        if words.is_empty() || board.side_to_move() == Color::White {
            words.push(move_number(&board));
        }
        words.push(board.san(mv));
        board.make_move(mv);
    }
    words.join(" ")
}

/// Returns the number of the next move: `12.` for White, `12...` for Black.
pub fn move_number(board: &Board) -> String {
    let dots = if board.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", board.fullmove_number())
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
}
