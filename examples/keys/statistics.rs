//! Statistics on the quality of the Zobrist keys.
//!
//! No small subset of good keys XORs to zero, and distinct positions collide no more often than
//! random numbers. docs/keys.md explains both.

use std::collections::{HashMap, HashSet};
use std::io;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use tabia::board::Board;
use tabia::platform::Room;
use tabia::types::{Bitboard, CastlingRights, Color, PieceType, Square};
use tabia::zobrist::{self, Key};

/// Numbers of high bits in which collisions are counted.
const WIDTHS: [u32; 4] = [32, 40, 48, 64];
const GAME_SEED: &[u8; 32] = b"Tabia: random games to try keys.";
/// Maximum length of a game: new games give more new positions than long ones.
const MAX_GAME_PLIES: usize = 200;

/// Returns the lines of a report: the size of the smallest subset of keys that XORs to zero, up to
/// `max_subset` (5 and 6 take seconds), and the collisions of `positions` distinct positions of
/// random games. A position takes 8 bytes of memory, and 12 during sorting.
///
/// # Errors
/// If the positions do not fit in the memory.
pub(crate) fn report(positions: usize, max_subset: usize) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut row = |name: &str, value: String| lines.push(format!("{name:<37}{value:>12}"));
    let keys: Vec<Key> = zobrist::all().collect();
    row("keys", keys.len().to_string());
    row("rank over GF(2)", rank(&keys).to_string());
    let smallest = match smallest_dependent_subset(&keys, max_subset) {
        Some(size) => size.to_string(),
        None => format!("more than {max_subset}"),
    };
    row("smallest dependent subset", smallest);
    let sample = Sample::draw(positions)?;
    let whole_key_collisions = sample.whole_key_collisions();
    row("positions drawn from random games", sample.drawn.to_string());
    row("distinct positions among them", sample.keys.len().to_string());
    let first = sample.first_collision.map_or("none".to_owned(), |count| count.to_string());
    row("first collision of 32 bits after", first);
    row("  expected after about", format!("{:.0}", expected_first_collision(32)));
    lines.push(String::new());
    lines.push(format!("{:<7}{:>18}{:>24}", "bits", "pairs colliding", "expected by chance"));
    for bits in WIDTHS {
        let count = if bits == 64 { whole_key_collisions } else { sample.collisions(bits) };
        let expected = expected_collisions(sample.keys.len(), bits);
        lines.push(format!("{bits:<7}{count:>18}{expected:>24.6}"));
    }
    Ok(lines)
}

/// Returns the expected equal pairs among `count` random `bits`-bit numbers (birthday problem).
fn expected_collisions(count: usize, bits: u32) -> f64 {
    let count = count as f64;
    count * count / 2f64.powi(bits as i32 + 1)
}

/// Returns the expected count of random `bits`-bit numbers up to the first repetition.
fn expected_first_collision(bits: u32) -> f64 {
    (std::f64::consts::FRAC_PI_2 * 2f64.powi(bits as i32)).sqrt()
}

/// Returns the rank of the keys as bit vectors over GF(2); at 64 no bit is redundant.
pub(crate) fn rank(keys: &[Key]) -> usize {
    // Basis vectors by their highest bit.
    let mut basis = [None; 64];
    for &Key(mut vector) in keys {
        while let Some(bit) = vector.checked_ilog2() {
            match basis[bit as usize] {
                Some(reducer) => vector ^= reducer,
                None => {
                    basis[bit as usize] = Some(vector);
                    break;
                }
            }
        }
    }
    basis.iter().flatten().count()
}

/// Returns the size of the smallest set of keys that XORs to zero; `None` if it is above `max`.
pub(crate) fn smallest_dependent_subset(keys: &[Key], max: usize) -> Option<usize> {
    (1..=max).find(|&size| has_dependent_subset(keys, size))
}

/// Returns whether some `size` keys XOR to zero, given that no fewer do.
///
/// Meet in the middle: both halves of such a subset have the same XOR, so the sorted XORs of all
/// halves are compared. Those of three keys exceed the memory and are split by highest bits.
fn has_dependent_subset(keys: &[Key], size: usize) -> bool {
    let larger = size.div_ceil(2);
    let smaller = size / 2;
    let part_bits = if larger > 2 { 4 } else { 0 };
    (0..1 << part_bits).any(|part| {
        let sums = sorted_sums(keys, larger, part, part_bits);
        if larger == smaller {
            sums.windows(2).any(|pair| pair[0] == pair[1])
        } else {
            let others = sorted_sums(keys, smaller, part, part_bits);
            others.iter().any(|sum| sums.binary_search(sum).is_ok())
        }
    })
}

/// Returns the sorted XORs of all subsets of `size` keys whose high `part_bits` bits are `part`.
fn sorted_sums(keys: &[Key], size: usize, part: u64, part_bits: u32) -> Vec<u64> {
    let mut sums = Vec::new();
    for_each_sum(keys, size, Key::default(), &mut |Key(sum)| {
        if sum.rotate_left(part_bits) & ((1 << part_bits) - 1) == part {
            sums.push(sum);
        }
    });
    sums.sort_unstable();
    sums
}

fn for_each_sum(keys: &[Key], size: usize, sum: Key, visit: &mut impl FnMut(Key)) {
    if size == 0 {
        return visit(sum);
    }
    for (index, &key) in keys.iter().enumerate() {
        for_each_sum(&keys[index + 1..], size - 1, sum ^ key, visit);
    }
}

/// Keys of distinct positions.
///
/// A repeated key nearly always is the same position again: such keys are recorded, and
/// [`Sample::whole_key_collisions`] replays the games to compare their positions.
struct Sample {
    /// Distinct keys, ascending.
    keys: Vec<u64>,
    repeated: HashSet<u64>,
    /// Positions drawn, repetitions included.
    drawn: usize,
    /// Number of distinct positions up to the first collision of the highest 32 bits.
    first_collision: Option<usize>,
}

impl Sample {
    /// Plays random games until there are `count` distinct keys.
    fn draw(count: usize) -> io::Result<Self> {
        let mut games = RandomGames::new();
        let mut detector = FirstCollision::default();
        let mut keys: Vec<u64> = Vec::new();
        // The sort needs half as much beside the keys.
        let needed = count.saturating_add(count / 2);
        // Linux promises more than there is.
        Room::check((needed as u64).saturating_mul(8))?;
        keys.try_reserve_exact(needed)?;
        keys.shrink_to(count);
        let mut repeated = HashSet::new();
        let mut drawn = 0;
        while keys.len() < count {
            while keys.len() < count {
                let Key(key) = games.next_position().key();
                detector.add(key);
                keys.push(key);
                drawn += 1;
            }
            // The stable sort is fast on mostly sorted keys.
            keys.sort();
            keys.dedup_by(|next, kept| {
                let is_repeated = next == kept;
                if is_repeated {
                    repeated.insert(*kept);
                }
                is_repeated
            });
        }
        Ok(Self { keys, repeated, drawn, first_collision: detector.found })
    }

    /// Returns the number of pairs that agree in the highest `bits` bits.
    fn collisions(&self, bits: u32) -> u64 {
        self.keys
            .chunk_by(|a, b| a >> (64 - bits) == b >> (64 - bits))
            .map(|equal| equal.len() as u64)
            .map(|count| count * (count - 1) / 2)
            .sum()
    }

    /// Counts the positions that differ from the first one with the same key.
    fn whole_key_collisions(&self) -> u64 {
        let mut games = RandomGames::new();
        let mut first_seen = HashMap::with_capacity(self.repeated.len());
        let mut collisions = 0;
        for _ in 0..self.drawn {
            let board = games.next_position();
            let Key(key) = board.key();
            if self.repeated.contains(&key) {
                let position = RepeatablePosition::of(board);
                let earlier = first_seen.entry(key).or_insert_with(|| position.clone());
                collisions += u64::from(*earlier != position);
            }
        }
        collisions
    }
}

/// Finds the first two different keys that agree in the highest 32 bits.
#[derive(Default)]
struct FirstCollision {
    /// Keys by their highest 32 bits.
    seen: HashMap<u32, u64>,
    found: Option<usize>,
}

impl FirstCollision {
    fn add(&mut self, key: u64) {
        if self.found.is_some() {
            return;
        }
        let earlier = *self.seen.entry((key >> 32) as u32).or_insert(key);
        if earlier != key {
            self.found = Some(self.seen.len() + 1);
            self.seen = HashMap::new();
        }
    }
}

/// Position as compared by the repetition rule.
#[derive(Clone, PartialEq, Eq)]
struct RepeatablePosition {
    pieces: [Bitboard; PieceType::COUNT],
    white: Bitboard,
    side_to_move: Color,
    castling_rights: CastlingRights,
    en_passant: Option<Square>,
}

impl RepeatablePosition {
    fn of(board: &Board) -> Self {
        Self {
            pieces: PieceType::ALL.map(|piece_type| board.pieces(piece_type)),
            white: board.colors(Color::White),
            side_to_move: board.side_to_move(),
            castling_rights: board.castling_rights(),
            en_passant: board.en_passant(),
        }
    }
}

/// Random games from the start position, the same in every run.
struct RandomGames {
    board: Board,
    plies: usize,
    rng: ChaCha8Rng,
}

impl RandomGames {
    fn new() -> Self {
        Self { board: Board::startpos(), plies: 0, rng: ChaCha8Rng::from_seed(*GAME_SEED) }
    }

    /// Returns the position after the next move, or the first one of a new game.
    fn next_position(&mut self) -> &Board {
        let moves = self.board.legal_moves();
        if moves.is_empty() || self.plies == MAX_GAME_PLIES || self.board.halfmove_clock() >= 100 {
            self.board = Board::startpos();
            self.plies = 0;
        } else {
            let choice = (u64::from(self.rng.next_u32()) * moves.len() as u64) >> 32;
            self.board.make_move(moves[choice as usize]);
            self.plies += 1;
        }
        &self.board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_subsets_of_every_size_are_found() {
        for size in 1..=6 {
            // The first 20 keys are independent; the last one is the XOR of some of them.
            let mut keys: Vec<Key> = (0..20).map(|bit| Key(0x1000_0000_0000_0001 << bit)).collect();
            let sum = keys[2..size + 1].iter().fold(Key::default(), |sum, &key| sum ^ key);
            keys.push(sum);
            assert_eq!(smallest_dependent_subset(&keys, 6), Some(size));
            assert_eq!(smallest_dependent_subset(&keys, size - 1), None);
        }
    }

    #[test]
    fn rank_counts_independent_vectors() {
        assert_eq!(rank(&[Key(0), Key(1), Key(2), Key(3), Key(1)]), 2);
        assert_eq!(rank(&[]), 0);
    }

    #[test]
    fn estimates_match_known_values() {
        assert!((expected_first_collision(32) - 82_137.0).abs() < 1.0);
        assert!((expected_collisions(1_000_000, 32) - 116.4).abs() < 0.1);
    }

    #[test]
    fn collisions_are_pairs() {
        let keys = vec![1 << 40, 2 << 40, (2 << 40) + 1, (2 << 40) + 2, 3 << 40];
        let sample = Sample { keys, repeated: HashSet::new(), drawn: 5, first_collision: None };
        assert_eq!(sample.collisions(24), 3);
    }

    #[test]
    fn the_first_collision_ignores_repeated_positions() {
        let mut detector = FirstCollision::default();
        for key in [7 << 32, 9 << 32, 7 << 32, 9 << 32 | 1] {
            assert_eq!(detector.found, None);
            detector.add(key);
        }
        assert_eq!(detector.found, Some(3));
    }
}
