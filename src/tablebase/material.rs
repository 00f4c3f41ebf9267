//! Material signatures, which identify tables.

use crate::board::Board;
use crate::types::{Color, PieceType};

/// Maximum number of pieces of a table, including kings.
pub(super) const MAX_PIECES: usize = 7;

/// Number of pieces besides the king, indexed by colour, then type from pawn to queen.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material([[u8; PieceType::COUNT - 1]; Color::COUNT]);

impl Material {
    pub(super) fn of(board: &Board) -> Self {
        Self(Color::ALL.map(|color| {
            let count = |index: usize| board.pieces_of(color, PieceType::ALL[index]).count() as u8;
            std::array::from_fn(count)
        }))
    }

    /// Parses the name of a table such as `KRPvKR`.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let material = Self([side(white)?, side(black)?]);
        (material.pieces() <= MAX_PIECES).then_some(material)
    }

    pub(super) fn flipped(self) -> Self {
        Self([self.0[1], self.0[0]])
    }

    pub(super) fn is_symmetric(self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Returns the number of pieces of a colour and type, 1 for kings.
    pub(super) fn count(self, color: Color, piece_type: PieceType) -> usize {
        self.0[color.index()].get(piece_type.index()).map_or(1, |&count| count.into())
    }

    /// Returns the number of pieces, including kings.
    pub(super) fn pieces(self) -> usize {
        self.0.iter().flatten().map(|&count| usize::from(count)).sum::<usize>() + Color::COUNT
    }

    pub(super) fn has_pawns(self) -> bool {
        self.0.iter().any(|side| side[PieceType::Pawn.index()] > 0)
    }

    pub(super) fn has_pawns_on_both_sides(self) -> bool {
        self.0.iter().all(|side| side[PieceType::Pawn.index()] > 0)
    }

    /// Returns whether a side has exactly one piece of some type besides the king.
    pub(super) fn has_single_piece(self) -> bool {
        self.0.iter().flatten().any(|&count| count == 1)
    }
}

fn side(letters: &str) -> Option<[u8; PieceType::COUNT - 1]> {
    let mut counts = [0; PieceType::COUNT - 1];
    for letter in letters.strip_prefix('K')?.chars() {
        let is_named = |piece: &PieceType| piece.letter().to_ascii_uppercase() == letter;
        let piece_type = PieceType::ALL.into_iter().find(is_named)?;
        let count: &mut u8 = counts.get_mut(piece_type.index())?;
        *count = count.checked_add(1)?;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_are_parsed() {
        let material = Material::parse("KRPvKR").expect("a name");
        let board = Board::from_fen("4k3/8/8/3r4/8/8/P7/R3K3 w - - 0 1").expect("legal");
        assert_eq!(Material::of(&board), material);
        assert_eq!((material.pieces(), material.has_pawns()), (5, true));
        assert!(!material.has_pawns_on_both_sides() && !material.is_symmetric());
        assert_eq!(material.flipped(), Material::parse("KRvKRP").expect("a name"));
        for bad in ["", "KQ", "QvK", "KQvQ", "KKvK", "KXvK", "KQQQvKQQQ", "kqvk"] {
            assert_eq!(Material::parse(bad), None, "{bad}");
        }
    }
}
