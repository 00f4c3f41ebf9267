//! Transposition table (TT): results of earlier searches, and evaluations, shared by all threads
//! without a lock.
//!
//! A cluster is half a cache line: three entries of one word each, and one word with their tags.
//!
//! ```text
//! word 0, 1, 2   63 … 59 | 58 | 57 56 | 55 … 48 | 47 … 32     | 31 … 16 | 15 … 0
//!                age     | pv | bound | depth   | raw eval    | score   | move
//! word 3         63      | 62 … 42 | 41 … 21 | 20 … 0
//!                unused  | tag 2   | tag 1   | tag 0
//! ```
//!
//! An entry is one word, so it is never torn. Its tag is the low 21 bits of the key XORed with a
//! hash of the entry. So a probe rejects entries of other positions, and entries beside the wrong
//! tag after two threads wrote at once. It accepts a wrong entry with probability 2⁻²¹ for each
//! slot; its move is played only if it is legal. The cluster index comes from the high bits of the
//! key, independent of the tag.
//!
//! Sources: Hyatt and Mann, "A lock-less transposition table implementation" (ICGA Journal 25/1,
//! 2002) for the XOR; <https://www.chessprogramming.org/Transposition_Table>.

#[cfg(feature = "tt-audit")]
mod audit;

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use thiserror::Error;

use crate::platform::{Room, advise_huge_pages, prefetch};
use crate::search::params;
use crate::types::{Bound, Depth, Move, Score};
use crate::zobrist::Key;

const ENTRIES: usize = 3;
const WORDS: usize = ENTRIES + 1;
const TAG_BITS: u32 = 21;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;
const CLUSTER_BYTES: usize = WORDS * size_of::<u64>();
const CLUSTERS_PER_MIB: usize = (1 << 20) / CLUSTER_BYTES;
/// Number of searches after which an age repeats.
const AGES: u8 = 32;
const MIB: u64 = 1 << 20;

type Cluster = [AtomicU64; WORDS];

/// TT entry of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// Best move, if one is known.
    pub mv: Option<Move>,
    /// Score of the search, if there was one; mates are counted from the root.
    pub score: Score,
    /// Evaluation before corrections; `None` in check.
    pub raw_eval: Option<Score>,
    /// Depth in plies; 0 for quiescence search or an evaluation alone.
    pub depth: Depth,
    /// Kind of `score`: exact, lower bound or upper bound.
    pub bound: Bound,
    /// True if the position has been a PV node.
    pub is_pv: bool,
}

impl TtEntry {
    /// Returns an entry that holds an evaluation and no result of a search, `ply` plies from the
    /// root and never in the PV. Its bound says nothing: no score is lower.
    #[inline]
    pub(crate) fn of_evaluation(raw_eval: Score, ply: usize) -> Self {
        Self {
            mv: None,
            score: Score::mated_in(ply),
            raw_eval: Some(raw_eval),
            depth: 0,
            bound: Bound::Lower,
            is_pv: false,
        }
    }

    /// Returns whether the entry holds the result of a search, of quiescence search too. An
    /// evaluation stored over an entry of quiescence search with a move, which takes another thread
    /// or a null move, counts as one; its bound still says nothing.
    #[inline]
    pub(crate) fn has_result(&self) -> bool {
        self.depth > 0 || self.mv.is_some() || self.bound != Bound::Lower || !self.score.is_mate()
    }

    /// Returns whether the score is a mate that a search has proven: a win as a lower bound, a loss
    /// as an upper bound, or either as an exact score. Such a proof holds at any depth.
    #[inline]
    pub fn proves_mate(&self) -> bool {
        let unproven = if self.score.is_win() { Bound::Upper } else { Bound::Lower };
        self.score.is_mate() && self.bound != unproven
    }
}

/// Reason why a table cannot be created.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum TtError {
    /// The table is larger than the available memory: using it would kill the process.
    #[error("{mib} MiB is more than the {available} MiB of memory available")]
    TooLarge {
        /// Requested size in MiB.
        mib: usize,
        /// Available memory in MiB.
        available: usize,
    },
    /// The system refuses the memory, because of a limit on the process.
    #[error("the system refuses {mib} MiB of memory")]
    Refused {
        /// Requested size in MiB.
        mib: usize,
    },
}

/// Transposition table (TT), shared by the threads of a search.
pub struct TranspositionTable {
    /// Clusters, after `offset` words that align them to their size.
    words: Box<[AtomicU64]>,
    offset: usize,
    clusters: usize,
    mib: usize,
    age: AtomicU8,
    #[cfg(feature = "tt-audit")]
    audit: audit::Audit,
}

impl TranspositionTable {
    /// Creates an empty table of `mib` MiB, at least 1. The system zeroes its pages on first use,
    /// which is here in a control group.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mib: usize) -> Result<Self, TtError> {
        let size = mib.max(1);
        Self::ensure_fit(size)?;
        let clusters = size.checked_mul(CLUSTERS_PER_MIB).ok_or(TtError::Refused { mib: size })?;
        let table = Self::with_clusters(clusters, size)?;
        if Room::is_in_group() {
            table.clear();
        }
        Ok(table)
    }

    /// Checks that tables of `mib` MiB in total fit in the available memory.
    ///
    /// # Errors
    /// If they do not.
    pub fn ensure_fit(mib: usize) -> Result<(), TtError> {
        let available = Room::for_request((mib as u64).saturating_mul(MIB)).parts_of(MIB);
        if mib > available { Err(TtError::TooLarge { mib, available }) } else { Ok(()) }
    }

    #[cfg(test)]
    pub(crate) fn of_one_cluster() -> Self {
        Self::with_clusters(1, 1).expect("32 bytes are there")
    }

    fn with_clusters(clusters: usize, mib: usize) -> Result<Self, TtError> {
        let error = TtError::Refused { mib };
        let length = clusters
            .checked_mul(WORDS)
            .and_then(|length| length.checked_add(WORDS - 1))
            .ok_or(error)?;
        let mut words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(length).map_err(|()| error)?;
        advise_huge_pages(&mut words);
        Ok(Self {
            // An aligned allocation would make the allocator write the zeros itself.
            offset: words.as_ptr().align_offset(CLUSTER_BYTES).min(WORDS - 1),
            words,
            clusters,
            mib,
            age: AtomicU8::new(0),
            #[cfg(feature = "tt-audit")]
            audit: audit::Audit::new(clusters * ENTRIES).map_err(|()| error)?,
        })
    }

    /// Returns the size in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Returns whether the table is small: the search may touch its pages first.
    pub(crate) fn is_small(&self) -> bool {
        Room::is_small(self.mib as u64 * MIB)
    }

    /// Clears the table. No search may be running.
    pub(crate) fn clear(&self) {
        self.clear_part(0, 1);
    }

    /// Clears part `index` of `parts`, for several threads at once.
    pub(crate) fn clear_part(&self, index: usize, parts: usize) {
        let length = self.words.len().div_ceil(parts);
        if let Some(part) = self.words.chunks(length).nth(index) {
            part.iter().for_each(|word| word.store(0, Relaxed));
        }
        self.age.store(0, Relaxed);
    }

    /// Makes all entries one search older.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Returns the permille of entries written by this search, from the first thousand.
    pub fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let age = self.age.load(Relaxed);
        let clusters = SAMPLE.div_ceil(ENTRIES).min(self.clusters);
        let entries = (0..clusters).flat_map(|index| self.cluster(index)[..ENTRIES].iter());
        entries.take(SAMPLE).filter(|word| Packed(word.load(Relaxed)).is_of_age(age)).count() as u32
    }

    /// Returns the entry of the position with this key, `ply` plies from the root. A forced win
    /// that the fifty-move rule may prevent, at `halfmove_clock`, becomes a large evaluation, the
    /// larger the nearer the win is to this position.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize, halfmove_clock: u16) -> Option<TtEntry> {
        let index = self.index_of(key);
        let (slot, packed) = find(self.cluster(index), key)?;
        #[cfg(feature = "tt-audit")]
        self.audit.count_hit(index * ENTRIES + slot, key);
        #[cfg(not(feature = "tt-audit"))]
        let _ = slot;
        packed.unpack(ply, halfmove_clock)
    }

    /// Stores an entry, `ply` plies from the root. A known move is kept if the new entry has
    /// none. A shallow bound does not replace a much deeper entry of this search, and quiescence
    /// search none of the main search, unless it proves a mate.
    #[inline]
    pub fn store(&self, key: Key, ply: usize, entry: TtEntry) {
        let index = self.index_of(key);
        let cluster = self.cluster(index);
        let age = self.age.load(Relaxed);
        let mut new = Packed::new(entry, ply, age);
        let slot = match find(cluster, key) {
            Some((slot, old)) => {
                let kept_from = if entry.depth == 0 { 1 } else { params::tt_deeper_is_kept() };
                let is_less_valuable = entry.bound != Bound::Exact
                    && old.is_of_age(age)
                    && entry.depth + kept_from <= old.depth()
                    && !entry.proves_mate();
                if is_less_valuable {
                    return;
                }
                if entry.mv.is_none() {
                    new = new.with_move_of(old);
                }
                slot
            }
            None => replaced_slot(cluster, age),
        };
        cluster[slot].store(new.0, Relaxed);
        let shift = slot as u32 * TAG_BITS;
        let others = cluster[ENTRIES].load(Relaxed) & !(TAG_MASK << shift);
        cluster[ENTRIES].store(others | tag(key, new) << shift, Relaxed);
        #[cfg(feature = "tt-audit")]
        self.audit.record(index * ENTRIES + slot, key);
    }

    /// Removes the entry of the position with this key, if there is one.
    pub fn erase(&self, key: Key) {
        let cluster = self.cluster(self.index_of(key));
        if let Some((slot, _)) = find(cluster, key) {
            cluster[slot].store(0, Relaxed);
        }
    }

    /// Prefetches the cluster of this key.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster(self.index_of(key)));
    }

    /// Returns the number of hits and of those that belong to another position.
    #[cfg(feature = "tt-audit")]
    pub fn audit(&self) -> (u64, u64) {
        self.audit.counts()
    }

    #[inline]
    fn index_of(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.clusters as u128) >> 64) as usize
    }

    #[inline]
    fn cluster(&self, index: usize) -> &Cluster {
        let words = &self.words[self.offset + index * WORDS..];
        words.first_chunk().expect("the index is below the number of clusters")
    }
}

#[inline]
fn find(cluster: &Cluster, key: Key) -> Option<(usize, Packed)> {
    let tags = cluster[ENTRIES].load(Relaxed);
    (0..ENTRIES).find_map(|slot| {
        let packed = Packed(cluster[slot].load(Relaxed));
        let is_match = tags >> (slot as u32 * TAG_BITS) & TAG_MASK == tag(key, packed);
        (is_match && !packed.is_empty()).then_some((slot, packed))
    })
}

/// Returns the slot to replace: an empty one, or that of minimum depth less a penalty for age.
#[inline]
fn replaced_slot(cluster: &Cluster, age: u8) -> usize {
    let value_of = |slot: usize| {
        let packed = Packed(cluster[slot].load(Relaxed));
        if packed.is_empty() {
            return Depth::MIN;
        }
        packed.depth() - params::tt_age_weight() * packed.searches_since(age)
    };
    (1..ENTRIES)
        .fold((0, value_of(0)), |min, slot| {
            let value = value_of(slot);
            if value < min.1 { (slot, value) } else { min }
        })
        .0
}

#[inline]
fn tag(key: Key, packed: Packed) -> u64 {
    // Fibonacci hashing: the high bits of the product depend on every bit of the entry.
    let hash = packed.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - TAG_BITS);
    (key.0 & TAG_MASK) ^ hash
}

/// Entry in one word; zero means no entry.
#[derive(Copy, Clone)]
struct Packed(u64);

impl Packed {
    const MOVE_MASK: u64 = 0xFFFF;
    const NO_EVAL: i16 = i16::MIN;
    /// Bounds by their number; an empty entry has 0.
    const BOUNDS: [Option<Bound>; 4] =
        [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];

    #[inline]
    fn new(entry: TtEntry, ply: usize, age: u8) -> Self {
        let mv = entry.mv.map_or(0, Move::bits);
        let score = relative_to_node(entry.score, ply).0 as i16;
        let eval = entry.raw_eval.map_or(Self::NO_EVAL, |eval| eval.0 as i16);
        let depth = entry.depth.clamp(0, 255) as u64;
        Self(
            u64::from(mv)
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | depth << 48
                | (entry.bound as u64) << 56
                | u64::from(entry.is_pv) << 58
                | u64::from(age) << 59,
        )
    }

    #[inline]
    fn unpack(self, ply: usize, halfmove_clock: u16) -> Option<TtEntry> {
        let eval = (self.0 >> 32) as i16;
        Some(TtEntry {
            mv: Move::from_bits((self.0 & Self::MOVE_MASK) as u16),
            score: relative_to_root(Score(i32::from((self.0 >> 16) as i16)), ply, halfmove_clock),
            raw_eval: (eval != Self::NO_EVAL).then_some(Score(i32::from(eval))),
            depth: self.depth(),
            bound: Self::BOUNDS[(self.0 >> 56 & 3) as usize]?,
            is_pv: self.0 >> 58 & 1 != 0,
        })
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 >> 56 & 3 == 0
    }

    #[inline]
    fn depth(self) -> Depth {
        (self.0 >> 48 & 0xFF) as Depth
    }

    #[inline]
    fn is_of_age(self, age: u8) -> bool {
        !self.is_empty() && self.searches_since(age) == 0
    }

    #[inline]
    fn searches_since(self, age: u8) -> Depth {
        let entry_age = (self.0 >> 59) as u8;
        Depth::from((age + AGES - entry_age) % AGES)
    }

    #[inline]
    fn with_move_of(self, old: Self) -> Self {
        Self(self.0 & !Self::MOVE_MASK | old.0 & Self::MOVE_MASK)
    }
}

/// Converts a win or loss from plies to the root to plies to the node.
#[inline]
fn relative_to_node(score: Score, ply: usize) -> Score {
    let plies = ply as i32;
    if score.is_win() {
        score + plies
    } else if score.is_loss() {
        score - plies
    } else {
        score
    }
}

/// Reverses [`relative_to_node`]. The win of a TT entry may have been found at a lower halfmove
/// clock, and lie beyond the fifty-move limit now.
#[inline]
fn relative_to_root(score: Score, ply: usize, halfmove_clock: u16) -> Score {
    let score = within_fifty_moves(score, halfmove_clock);
    let plies = ply as i32;
    if score.is_win() {
        score - plies
    } else if score.is_loss() {
        score + plies
    } else {
        score
    }
}

/// Turns a win that may come only after the fifty-move limit into an evaluation, ordered by its
/// distance. The score counts from the node, which has this halfmove clock.
fn within_fifty_moves(score: Score, halfmove_clock: u16) -> Score {
    if !score.is_decisive() {
        return score;
    }
    let win_at_once = if score.is_mate() { Score::MATE } else { Score::TABLEBASE };
    let plies_to_win = win_at_once.0 - score.0.abs();
    if plies_to_win + i32::from(halfmove_clock) <= 100 {
        return score;
    }
    let eval = Score::MAX_EVAL - plies_to_win;
    if score.is_win() { eval } else { -eval }
}

/// Turns a mate that is too far from the node for the fifty-move rule, whatever the halfmove clock,
/// into an evaluation, as the TT would. Bounds of mates grow from node to node, and one that the TT
/// cannot hold could not be proven afterwards.
#[inline]
pub(crate) fn without_far_mate(score: Score, ply: usize) -> Score {
    if score.is_mate() { relative_to_root(relative_to_node(score, ply), ply, 0) } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: TtEntry = TtEntry {
        mv: Move::from_bits(0x0BAD),
        score: Score(-123),
        raw_eval: Some(Score(77)),
        depth: 9,
        bound: Bound::Lower,
        is_pv: true,
    };

    fn table() -> TranspositionTable {
        TranspositionTable::new(1).expect("one MiB is there")
    }

    #[test]
    fn stored_entries_are_found() {
        for entry in [
            ENTRY,
            TtEntry { mv: None, raw_eval: None, bound: Bound::Upper, is_pv: false, ..ENTRY },
            TtEntry { score: Score::mate_in(7), bound: Bound::Exact, depth: 0, ..ENTRY },
            TtEntry { score: Score::mated_in(12), raw_eval: Some(-Score::MAX_EVAL), ..ENTRY },
        ] {
            assert_eq!(Packed::new(entry, 5, 31).unpack(5, 0), Some(entry));
            let table = table();
            table.store(Key(0x1234_5678_9ABC_DEF0), 5, entry);
            assert_eq!(table.probe(Key(0x1234_5678_9ABC_DEF0), 5, 0), Some(entry));
            assert_eq!(table.probe(Key(0x1234_5678_9ABC_DEF1), 5, 0), None);
        }
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let packed = Packed::new(TtEntry { score: Score::mate_in(9), ..ENTRY }, 4, 0);
        let score = |clock| packed.unpack(10, clock).expect("an entry").score;
        assert_eq!(score(0), Score::mate_in(15));
        assert_eq!(score(95), Score::mate_in(15));
        assert_eq!(score(96), Score::MAX_EVAL - 5);
        let loss = Packed::new(TtEntry { score: Score::mated_in(9), ..ENTRY }, 4, 0);
        assert_eq!(loss.unpack(10, 96).expect("an entry").score, -(Score::MAX_EVAL - 5));
    }

    #[test]
    fn a_mate_in_more_than_a_hundred_plies_is_an_evaluation() {
        assert_eq!(without_far_mate(Score::mate_in(107), 7), Score::mate_in(107));
        assert_eq!(without_far_mate(Score::mate_in(108), 7), Score::MAX_EVAL - 101);
        assert_eq!(without_far_mate(Score::mated_in(101), 0), -(Score::MAX_EVAL - 101));
        assert_eq!(without_far_mate(Score(-812), 9), Score(-812));
    }

    #[test]
    fn an_erased_entry_is_not_found() {
        let table = table();
        let (key, other) = (Key(42), Key(43));
        table.erase(key);
        [key, other].into_iter().for_each(|key| table.store(key, 0, ENTRY));
        table.erase(key);
        assert_eq!((table.probe(key, 0, 0), table.probe(other, 0, 0)), (None, Some(ENTRY)));
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = table();
        let key = Key(42);
        table.store(key, 0, ENTRY);
        let cluster = table.cluster(table.index_of(key));
        let (slot, packed) = find(cluster, key).expect("just stored");
        for bit in 0..64 {
            cluster[slot].store(packed.0 ^ 1 << bit, Relaxed);
            assert!(find(cluster, key).is_none(), "bit {bit}");
        }
        let passed = (0..1_000_000u64)
            .filter(|n| tag(key, Packed(n.wrapping_mul(0xD134_2543_DE82_EF95))) == tag(key, packed))
            .count();
        assert!(passed < 5, "{passed} of a million foreign entries pass, about 0.5 are expected");
    }

    #[test]
    fn known_moves_and_deep_results_are_kept() {
        let table = table();
        let key = Key(1 << 40);
        table.store(key, 0, ENTRY);
        table.store(key, 0, TtEntry { mv: None, depth: 8, ..ENTRY });
        assert_eq!(table.probe(key, 0, 0), Some(TtEntry { depth: 8, ..ENTRY }));
        table.store(key, 0, TtEntry { mv: None, depth: 4, ..ENTRY });
        assert_eq!(table.probe(key, 0, 0).expect("an entry").depth, 8);
        table.store(key, 0, TtEntry { depth: 4, bound: Bound::Exact, ..ENTRY });
        assert_eq!(table.probe(key, 0, 0).expect("an entry").depth, 4);
    }

    #[test]
    fn old_entries_are_replaced_first() {
        let table = table();
        table.store(Key(1), 0, TtEntry { depth: 12, ..ENTRY });
        table.new_search();
        table.new_search();
        table.store(Key(2), 0, TtEntry { depth: 5, ..ENTRY });
        table.store(Key(3), 0, TtEntry { depth: 5, ..ENTRY });
        table.store(Key(4), 0, TtEntry { depth: 1, ..ENTRY });
        assert!(table.probe(Key(1), 0, 0).is_none());
        assert!(table.probe(Key(2), 0, 0).is_some() && table.probe(Key(4), 0, 0).is_some());
    }

    #[test]
    fn size_fill_and_clearing() {
        let table = table();
        assert_eq!((table.mib(), table.hashfull()), (1, 0));
        assert!(table.cluster(0).as_ptr().addr().is_multiple_of(CLUSTER_BYTES));
        assert_eq!(table.index_of(Key(u64::MAX)), CLUSTERS_PER_MIB - 1);
        for n in 0..200_000u64 {
            table.store(Key(n.wrapping_mul(0x9E37_79B9_7F4A_7C15)), 0, ENTRY);
        }
        assert!(table.hashfull() > 800);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        (0..7).for_each(|index| table.clear_part(index, 7));
        assert!(table.words.iter().all(|word| word.load(Relaxed) == 0));
        assert!(TranspositionTable::new(usize::MAX).is_err());
    }
}
