//! Attack tables of kings, knights and pawns.

use crate::types::{Bitboard, Color, ColorMap, Direction, Square, SquareMap};

pub(super) static KING: SquareMap<Bitboard> = Leaper::King.table();
pub(super) static KNIGHT: SquareMap<Bitboard> = Leaper::Knight.table();
pub(super) static PAWN: ColorMap<SquareMap<Bitboard>> =
    ColorMap::new([Leaper::Pawn(Color::White).table(), Leaper::Pawn(Color::Black).table()]);

#[derive(Copy, Clone)]
enum Leaper {
    King,
    Knight,
    Pawn(Color),
}

impl Leaper {
    const fn table(self) -> SquareMap<Bitboard> {
        let mut attacks = [Bitboard::EMPTY; Square::COUNT];
        let mut index = 0;
        while index < Square::COUNT {
            attacks[index] = self.attacks(Bitboard::square(Square::ALL[index]));
            index += 1;
        }
        SquareMap::new(attacks)
    }

    const fn attacks(self, from: Bitboard) -> Bitboard {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        match self {
            Self::King => union(&[
                from.shift(North),
                from.shift(South),
                from.shift(East),
                from.shift(West),
                from.shift(NorthEast),
                from.shift(NorthWest),
                from.shift(SouthEast),
                from.shift(SouthWest),
            ]),
            Self::Knight => union(&[
                from.shift(North).shift(NorthEast),
                from.shift(North).shift(NorthWest),
                from.shift(South).shift(SouthEast),
                from.shift(South).shift(SouthWest),
                from.shift(East).shift(NorthEast),
                from.shift(East).shift(SouthEast),
                from.shift(West).shift(NorthWest),
                from.shift(West).shift(SouthWest),
            ]),
            Self::Pawn(Color::White) => union(&[from.shift(NorthEast), from.shift(NorthWest)]),
            Self::Pawn(Color::Black) => union(&[from.shift(SouthEast), from.shift(SouthWest)]),
        }
    }
}

const fn union(sets: &[Bitboard]) -> Bitboard {
    let mut all = 0;
    let mut i = 0;
    while i < sets.len() {
        all |= sets[i].0;
        i += 1;
    }
    Bitboard(all)
}
