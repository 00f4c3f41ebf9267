//! Statistics tables that histories and correction histories share: entries with gravity, and
//! tables with typed indices.
//!
//! Gravity: `entry += bonus - entry · |bonus| / MAX_ENTRY`. So recent results count most and no
//! entry leaves ±`MAX_ENTRY`.

use std::io;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::types::{Indexed, Piece, Square};
use crate::zobrist::Key;

/// Upper bound on the absolute value of an entry.
pub(crate) const MAX_ENTRY: i32 = 8192;

type Entry = i16;

#[inline]
pub(crate) fn gravity(entry: &mut Entry, bonus: i32) {
    debug_assert!(bonus.abs() <= MAX_ENTRY);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MAX_ENTRY) as Entry;
}

/// Table on the heap, `[row][column]`, indexed by the types `R` and `C`. The operating system
/// zeroes its pages on first use.
pub(crate) struct StatisticsTable<R, C, const ROWS: usize, const COLUMNS: usize> {
    entries: Box<[[Entry; COLUMNS]; ROWS]>,
    keys: PhantomData<(R, C)>,
}

impl<R, C, const ROWS: usize, const COLUMNS: usize> StatisticsTable<R, C, ROWS, COLUMNS> {
    pub(crate) fn new() -> io::Result<Self> {
        let entries = bytemuck::allocation::try_zeroed_box()
            .map_err(|()| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(Self { entries, keys: PhantomData })
    }

    pub(crate) fn clear(&mut self) {
        bytemuck::write_zeroes(&mut *self.entries);
    }
}

impl<R: Indexed, C: Indexed, const ROWS: usize, const COLUMNS: usize>
    StatisticsTable<R, C, ROWS, COLUMNS>
{
    #[inline]
    pub(crate) fn row(&self, row: R) -> StatisticsRow<'_, C, COLUMNS> {
        StatisticsRow { entries: &self.entries[row.index()], key: PhantomData }
    }
}

impl<R: Indexed, C: Indexed, const ROWS: usize, const COLUMNS: usize> Index<(R, C)>
    for StatisticsTable<R, C, ROWS, COLUMNS>
{
    type Output = Entry;

    #[inline]
    fn index(&self, (row, column): (R, C)) -> &Entry {
        &self.entries[row.index()][column.index()]
    }
}

impl<R: Indexed, C: Indexed, const ROWS: usize, const COLUMNS: usize> IndexMut<(R, C)>
    for StatisticsTable<R, C, ROWS, COLUMNS>
{
    #[inline]
    fn index_mut(&mut self, (row, column): (R, C)) -> &mut Entry {
        &mut self.entries[row.index()][column.index()]
    }
}

pub(crate) struct StatisticsRow<'a, C, const COLUMNS: usize> {
    entries: &'a [Entry; COLUMNS],
    key: PhantomData<C>,
}

impl<C: Indexed, const COLUMNS: usize> StatisticsRow<'_, C, COLUMNS> {
    #[inline]
    pub(crate) fn get(&self, column: C) -> i32 {
        i32::from(self.entries[column.index()])
    }
}

/// Piece and target square of a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// No move: before the root and after null moves.
    pub(crate) const NONE: Self = Self((Piece::COUNT * Square::COUNT) as u16);
    pub(crate) const COUNT: usize = Piece::COUNT * Square::COUNT + 1;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * Square::COUNT + to.index()) as u16)
    }
}

impl Indexed for PieceTo {
    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Index below `N` from the low bits of a key.
#[derive(Copy, Clone)]
pub(crate) struct LowBits<const N: usize>(usize);

impl<const N: usize> LowBits<N> {
    #[inline]
    pub(crate) fn new(key: Key) -> Self {
        const { assert!(N.is_power_of_two()) };
        Self(key.0 as usize % N)
    }
}

impl<const N: usize> Indexed for LowBits<N> {
    #[inline]
    fn index(self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_in_bounds() {
        for bonus in [-MAX_ENTRY, -1600, -1, 1, 160, 1600, MAX_ENTRY] {
            let mut entry = 0;
            for _ in 0..1000 {
                gravity(&mut entry, bonus);
                assert!(i32::from(entry).abs() <= MAX_ENTRY);
            }
            assert!(i32::from(entry).signum() == bonus.signum());
            gravity(&mut entry, -bonus.signum() * MAX_ENTRY);
            assert_eq!(i32::from(entry), -bonus.signum() * MAX_ENTRY);
        }
    }
}
