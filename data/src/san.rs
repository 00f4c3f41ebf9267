//! Standard algebraic notation (SAN). Source:
//! <https://www.chessprogramming.org/Algebraic_Chess_Notation>

use tabia::board::Board;
use tabia::types::{Move, PieceType};

/// Returns a legal move in SAN, with `+` for check or `#` for mate.
pub(super) fn san(board: &Board, mv: Move) -> String {
    let mut text = if mv.is_castling() {
        if mv.to() > mv.from() { "O-O" } else { "O-O-O" }.to_owned()
    } else {
        plain(board, mv)
    };
    let mut after = board.clone();
    after.make_move(mv);
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

fn plain(board: &Board, mv: Move) -> String {
    let kind = board.moved_piece(mv).piece_type();
    let mut text = String::new();
    if kind == PieceType::Pawn {
        if mv.is_capture() {
            text.push(mv.from().file().letter());
        }
    } else {
        text.push(kind.letter().to_ascii_uppercase());
        text.push_str(&origin(board, mv, kind));
    }
    if mv.is_capture() {
        text.push('x');
    }
    text.push_str(&mv.to().to_string());
    if let Some(promotion) = mv.promotion() {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

/// Returns the part of the origin that tells the move from those of other pieces of its kind:
/// nothing, file, rank or both.
fn origin(board: &Board, mv: Move, kind: PieceType) -> String {
    let from = mv.from();
    let rivals: Vec<_> = board
        .legal_moves()
        .into_iter()
        .filter(|other| !other.is_castling() && other.to() == mv.to() && other.from() != from)
        .filter(|&other| board.moved_piece(other).piece_type() == kind)
        .map(Move::from)
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        from.file().letter().to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        (from.rank() as u8 + 1).to_string()
    } else {
        from.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(fen: &str) -> Vec<String> {
        let board = Board::from_fen(fen).expect("a position");
        let mut texts: Vec<_> = board.legal_moves().iter().map(|&mv| san(&board, mv)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn ambiguous_moves_name_their_origin() {
        let texts = all("3k4/8/8/8/8/8/R6R/R3K2R w KQ - 0 1");
        for text in ["R1xa2", "O-O", "O-O-O+", "Rad2+", "Rhd2+", "Rab2", "Ke2"] {
            assert_eq!(texts.contains(&text.to_owned()), text != "R1xa2", "{text} in {texts:?}");
        }
        let texts = all("7k/4P3/8/2pP4/8/1N6/8/KN3N2 w - c6 0 1");
        for text in ["dxc6", "e8=Q+", "e8=N", "Nfd2", "Nb1d2", "N3d2", "Nd2", "Nxc5", "Ka2"] {
            let is_there = text != "Nd2";
            assert_eq!(texts.contains(&text.to_owned()), is_there, "{text} in {texts:?}");
        }
        assert!(all("7k/8/5KQ1/8/8/8/8/8 w - - 0 1").contains(&"Qg7#".to_owned()));
    }
}
