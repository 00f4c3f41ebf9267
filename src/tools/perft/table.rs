//! Hash table of perft counts by position and depth.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::zobrist::Key;

/// The table cannot be allocated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PerftTableError {
    /// Requested size in MiB.
    pub mib: usize,
}

impl fmt::Display for PerftTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not enough memory for a table of {} MiB", self.mib)
    }
}

impl std::error::Error for PerftTableError {}

/// Lockless hash table of perft counts, always replacing.
///
/// An entry is a pair of words: the count, and a signature of position and depth XOR the count. A
/// torn entry, half-written by two threads, has a wrong signature except with probability 2⁻⁶⁴.
/// The same holds for two positions at the same depth.
pub(super) struct PerftTable {
    words: Box<[AtomicU64]>,
}

impl PerftTable {
    const BYTES_PER_ENTRY: usize = 16;

    /// Creates an empty table of `mib` MiB, at least one.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub(super) fn new(mib: usize) -> Result<Self, PerftTableError> {
        let error = PerftTableError { mib };
        let entries = mib.max(1).checked_mul((1 << 20) / Self::BYTES_PER_ENTRY).ok_or(error)?;
        let words = entries.checked_mul(2).ok_or(error)?;
        let words = bytemuck::allocation::try_zeroed_slice_box(words).map_err(|()| error)?;
        Ok(Self { words })
    }

    pub(super) fn probe(&self, key: Key, depth: u32) -> Option<u64> {
        let signature = signature(key, depth);
        let (check, count) = self.entry(signature);
        let count_read = count.load(Relaxed);
        ((check.load(Relaxed) ^ count_read) == signature && count_read != 0).then_some(count_read)
    }

    pub(super) fn store(&self, key: Key, depth: u32, nodes: u64) {
        let signature = signature(key, depth);
        let (check, count) = self.entry(signature);
        check.store(signature ^ nodes, Relaxed);
        count.store(nodes, Relaxed);
    }

    fn entry(&self, signature: u64) -> (&AtomicU64, &AtomicU64) {
        let entries = self.words.len() / 2;
        let index = ((u128::from(signature) * entries as u128) >> 64) as usize;
        (&self.words[2 * index], &self.words[2 * index + 1])
    }
}

/// Mixes the depth into the key. The factor is odd, so every depth gives another signature.
fn signature(key: Key, depth: u32) -> u64 {
    key.0 ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_belong_to_a_position_and_a_depth() {
        let table = PerftTable::new(1).expect("a mebibyte");
        let key = Key(0x0123_4567_89AB_CDEF);
        assert_eq!(table.probe(key, 5), None);
        table.store(key, 5, 4_865_609);
        assert_eq!(table.probe(key, 5), Some(4_865_609));
        assert_eq!(table.probe(key, 6), None);
        assert_eq!(table.probe(Key(!key.0), 5), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = PerftTable::new(1).expect("a mebibyte");
        let (one, other) = (Key(1 << 63), Key((1 << 63) | 1));
        table.store(one, 3, 100);
        let count = table.entry(signature(other, 3)).1;
        count.store(200, Relaxed);
        assert_eq!(table.probe(one, 3), None);
        assert_eq!(table.probe(other, 3), None);
    }

    #[test]
    fn allocating_a_huge_table_fails() {
        assert_eq!(PerftTable::new(usize::MAX).err(), Some(PerftTableError { mib: usize::MAX }));
    }
}
