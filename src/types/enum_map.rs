//! Arrays that can only be indexed by the enum they belong to.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::{Color, Piece, PieceType, Square};

/// A type whose values are numbered from zero.
pub trait Indexed: Copy {
    /// The number of this value.
    fn index(self) -> usize;
}

/// An array of `N` values of `T`, one for each value of the enum `E`, in its index order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct EnumMap<E, T, const N: usize> {
    values: [T; N],
    key: PhantomData<E>,
}

/// One value for each colour: White, Black.
pub type ColorMap<T> = EnumMap<Color, T, { Color::COUNT }>;
/// One value for each kind of piece: pawn … king.
pub type PieceTypeMap<T> = EnumMap<PieceType, T, { PieceType::COUNT }>;
/// One value for each piece: White's pawn, Black's pawn … Black's king.
pub type PieceMap<T> = EnumMap<Piece, T, { Piece::COUNT }>;
/// One value for each square: a1 … h8.
pub type SquareMap<T> = EnumMap<Square, T, { Square::COUNT }>;

impl<E, T, const N: usize> EnumMap<E, T, N> {
    /// A map of these values, in the enum's index order.
    pub const fn new(values: [T; N]) -> Self {
        Self { values, key: PhantomData }
    }
}

impl<E, T: Copy, const N: usize> EnumMap<E, T, N> {
    /// A map with the same value everywhere.
    pub const fn filled(value: T) -> Self {
        Self::new([value; N])
    }
}

impl<E: Indexed, T, const N: usize> Index<E> for EnumMap<E, T, N> {
    type Output = T;

    #[inline]
    fn index(&self, key: E) -> &T {
        &self.values[key.index()]
    }
}

impl<E: Indexed, T, const N: usize> IndexMut<E> for EnumMap<E, T, N> {
    #[inline]
    fn index_mut(&mut self, key: E) -> &mut T {
        &mut self.values[key.index()]
    }
}
