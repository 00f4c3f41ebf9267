//! Arrays indexed by an enum instead of integers.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::{Color, Piece, PieceType, Square};

/// A type whose values are numbered from zero.
pub trait Indexed: Copy {
    /// Returns the number of this value.
    fn index(self) -> usize;
}

/// Array of `N` values, one for each value of the enum `E`, in its index order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct EnumMap<E, T, const N: usize> {
    values: [T; N],
    key: PhantomData<E>,
}

/// One value per colour: White, Black.
pub type ColorMap<T> = EnumMap<Color, T, { Color::COUNT }>;
/// One value per piece type, from pawn to king.
pub type PieceTypeMap<T> = EnumMap<PieceType, T, { PieceType::COUNT }>;
/// One value per piece, in index order.
pub type PieceMap<T> = EnumMap<Piece, T, { Piece::COUNT }>;
/// One value per square, from a1 to h8.
pub type SquareMap<T> = EnumMap<Square, T, { Square::COUNT }>;

impl<E, T, const N: usize> EnumMap<E, T, N> {
    /// Wraps an array in the enum's index order.
    pub const fn new(values: [T; N]) -> Self {
        Self { values, key: PhantomData }
    }
}

impl<E, T, const N: usize> EnumMap<E, T, N> {
    /// Returns a reference to each value, in index order.
    #[inline]
    pub fn each_ref(&self) -> [&T; N] {
        self.values.each_ref()
    }

    /// Returns a mutable reference to each value, in index order.
    #[inline]
    pub fn each_mut(&mut self) -> [&mut T; N] {
        self.values.each_mut()
    }
}

impl<E, T: Copy, const N: usize> EnumMap<E, T, N> {
    /// Returns a map with one value everywhere.
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
