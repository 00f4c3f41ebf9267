//! Hash table of counts by position and depth: transpositions are counted once.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::platform::Room;
use crate::search::{TranspositionTable, TtError};
use crate::zobrist::Key;

/// Lock-free table that always replaces. An entry is two words: signature XOR count, and count.
/// An entry of another position, or half of two threads each, passes only if all 64 bits agree.
pub(super) struct PerftTable {
    words: Box<[AtomicU64]>,
}

impl PerftTable {
    const BYTES_PER_ENTRY: usize = 16;

    /// Allocates an empty table of `mib` MiB, at least 1.
    pub(super) fn new(mib: usize) -> Result<Self, TtError> {
        let mib = mib.max(1);
        TranspositionTable::ensure_fit(mib)?;
        let error = TtError::Refused { mib };
        let entries = mib.checked_mul((1 << 20) / Self::BYTES_PER_ENTRY).ok_or(error)?;
        let length = entries.checked_mul(2).ok_or(error)?;
        let words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(length).map_err(|()| error)?;
        if Room::is_in_group() {
            words.iter().for_each(|word| word.store(0, Relaxed));
        }
        Ok(Self { words })
    }

    pub(super) fn probe(&self, key: Key, depth: u32) -> Option<u64> {
        let signature = signature(key, depth);
        let (check, count) = self.entry(signature);
        let count_read = count.load(Relaxed);
        (check.load(Relaxed) ^ count_read == signature && count_read != 0).then_some(count_read)
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

/// Returns the key mixed with the depth: the factor is odd, so each depth has its own signature.
fn signature(key: Key, depth: u32) -> u64 {
    key.0 ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_belong_to_a_position_and_a_depth() {
        let table = PerftTable::new(1).expect("a MiB can be allocated");
        let key = Key(0x0123_4567_89AB_CDEF);
        assert_eq!(table.probe(key, 5), None);
        table.store(key, 5, 4_865_609);
        assert_eq!(table.probe(key, 5), Some(4_865_609));
        assert_eq!(table.probe(key, 6), None);
        assert_eq!(table.probe(Key(!key.0), 5), None);
    }

    #[test]
    fn a_torn_entry_is_rejected() {
        let table = PerftTable::new(1).expect("a MiB can be allocated");
        let (one, other) = (Key(1 << 63), Key(1 << 63 | 1));
        table.store(one, 3, 100);
        let count = table.entry(signature(other, 3)).1;
        count.store(200, Relaxed);
        assert_eq!(table.probe(one, 3), None);
        assert_eq!(table.probe(other, 3), None);
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        let mib = usize::MAX;
        let error = PerftTable::new(mib).err();
        // The system may not tell how much memory is available.
        let is_checked =
            matches!(error, Some(TtError::TooLarge { mib: found, .. }) if found == mib);
        assert!(is_checked || error == Some(TtError::Refused { mib }), "{error:?}");
        assert!(is_checked || !cfg!(target_os = "linux"), "{error:?}");
    }
}
