//! Adaptive binary range coder.
//!
//! Coding a bit narrows a range of integers to a part proportional to the bit's probability. The
//! output is a number within the final range. Each kind of bit has a [`Context`], whose probability
//! adapts in the same way when encoding and decoding. Source:
//! <https://en.wikipedia.org/wiki/Range_coding>, with the carry as in the LZMA SDK (public domain).

/// Smallest range before the next byte is output or read.
const MIN_RANGE: u32 = 1 << 24;
/// Limits of `Context::zero`.
const MIN_PROBABILITY: i32 = 32;
const MAX_PROBABILITY: i32 = 65_536 - 32;
/// Number of bits after which the adaptation rate stays constant.
const MAX_SEEN: u8 = 127;

#[derive(Copy, Clone, Debug)]
pub(super) struct Context {
    /// Probability of a zero, in 1/65536.
    zero: u16,
    /// Number of bits coded, up to `MAX_SEEN`.
    seen: u8,
}

impl Context {
    pub(super) const EVEN: Self = Self::new(1 << 15);

    pub(super) const fn new(zero: u16) -> Self {
        Self { zero, seen: 0 }
    }

    /// Moves the probability towards the bit, by smaller steps as more bits are coded.
    fn update(&mut self, bit: bool) {
        let old = i32::from(self.zero);
        let target = if bit { 0 } else { 65_535 };
        let step = (target - old) * 2 / (2 * i32::from(self.seen) + 3);
        self.zero = (old + step).clamp(MIN_PROBABILITY, MAX_PROBABILITY) as u16;
        self.seen = (self.seen + 1).min(MAX_SEEN);
    }

    /// Returns the part of the range for a zero: neither empty nor the whole range.
    fn zero_bound(self, range: u32) -> u32 {
        (range >> 16) * u32::from(self.zero)
    }
}

/// Encoder or decoder. An encoder codes the given value, a decoder ignores it, and both return the
/// coded value, so one walk over a game does both.
///
/// The range contains all numbers that the bytes can still stand for.
pub(super) trait Coder {
    /// Returns the size of the range.
    fn range(&mut self) -> &mut u32;

    /// Returns the offset within the range of the number that the bytes encode; `None` in an
    /// encoder.
    fn offset(&self) -> Option<u32>;

    /// Drops the lowest `below` numbers of the range.
    fn skip(&mut self, below: u32);

    /// Outputs or reads the next byte.
    fn shift(&mut self);

    /// Narrows the range to the `size` numbers from `below`.
    fn narrow(&mut self, below: u32, size: u32) {
        self.skip(below);
        *self.range() = size;
        while *self.range() < MIN_RANGE {
            *self.range() <<= 8;
            self.shift();
        }
    }

    fn bit(&mut self, context: &mut Context, bit: bool) -> bool {
        let range = *self.range();
        let zero = context.zero_bound(range);
        let bit = self.offset().map_or(bit, |offset| offset >= zero);
        if bit {
            self.narrow(zero, range - zero)
        } else {
            self.narrow(0, zero)
        }
        context.update(bit);
        bit
    }

    /// Codes a number below `count` with equal probabilities; `count` is at most 65536.
    fn uniform(&mut self, count: u32, value: u32) -> u32 {
        let part = *self.range() / count;
        let value = self.offset().map_or(value, |offset| (offset / part).min(count - 1));
        self.narrow(part * value, part);
        value
    }

    /// Codes a number of `bits` bits, highest first, each in a context chosen by the bits before
    /// it. `contexts` has 2^`bits` entries.
    fn tree(&mut self, contexts: &mut [Context], bits: u32, value: u32) -> u32 {
        let mut node = 1;
        for index in (0..bits).rev() {
            let bit = self.bit(&mut contexts[node as usize], value >> index & 1 != 0);
            node = node << 1 | u32::from(bit);
        }
        node - (1 << bits)
    }
}

pub(super) struct Encoder {
    /// Lower end of the range; bit 32 is a carry.
    low: u64,
    range: u32,
    /// Last byte that a carry can still change; `None` before the first byte.
    held: Option<u8>,
    /// Number of 0xFF bytes after `held`, which propagate a carry.
    ones: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) const fn new() -> Self {
        Self { low: 0, range: u32::MAX, held: None, ones: 0, bytes: Vec::new() }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        // The four bytes of `low`; the fifth shift outputs `held`.
        (0..5).for_each(|_| self.shift());
        self.bytes
    }
}

impl Coder for Encoder {
    fn range(&mut self) -> &mut u32 {
        &mut self.range
    }

    fn offset(&self) -> Option<u32> {
        None
    }

    fn skip(&mut self, below: u32) {
        self.low += u64::from(below);
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if carry == 0 && self.low >= 0xFF00_0000 {
            self.ones += 1;
        } else {
            self.bytes.extend(self.held.map(|byte| byte.wrapping_add(carry)));
            self.bytes.extend(std::iter::repeat_n(0xFF_u8.wrapping_add(carry), self.ones));
            self.ones = 0;
            self.held = Some((self.low >> 24) as u8);
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }
}

/// Range decoder. Accepts any bytes without a panic.
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    /// Bytes read; those after the end count as zeros.
    taken: usize,
    range: u32,
    /// Number that the bytes encode, less the lower end of the range.
    code: u32,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { bytes, taken: 0, range: u32::MAX, code: 0 };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    pub(super) const fn has_read_past_end(&self) -> bool {
        self.taken > self.bytes.len()
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.taken == self.bytes.len()
    }
}

impl Coder for Decoder<'_> {
    fn range(&mut self) -> &mut u32 {
        &mut self.range
    }

    fn offset(&self) -> Option<u32> {
        Some(self.code)
    }

    fn skip(&mut self, below: u32) {
        self.code -= below;
    }

    fn shift(&mut self) {
        let byte = self.bytes.get(self.taken).copied().unwrap_or(0);
        self.taken += 1;
        self.code = self.code << 8 | u32::from(byte);
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Codes values of all kinds. A decoder uses only their counts.
    fn code(coder: &mut impl Coder, values: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut context = Context::EVEN;
        let mut tree = [Context::EVEN; 32];
        let mut one = |&(count, value): &(u32, u32)| {
            let found = match count {
                2 => u32::from(coder.bit(&mut context, value != 0)),
                32 => coder.tree(&mut tree, 5, value),
                _ => coder.uniform(count, value),
            };
            (count, found)
        };
        values.iter().map(&mut one).collect()
    }

    #[test]
    fn values_round_trip() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for length in [0, 1, 2, 5, 100, 20_000] {
            for skew in [1, 20, 3000] {
                let counts = [2, 2, 2, 32, 3, 65_536, 218];
                let values: Vec<(u32, u32)> = (0..length)
                    .map(|_| {
                        let count = counts[rng.next_u32() as usize % counts.len()];
                        (count, (rng.next_u32() % (count * skew)).min(count - 1))
                    })
                    .collect();
                let mut encoder = Encoder::new();
                code(&mut encoder, &values);
                let bytes = encoder.finish();
                let mut decoder = Decoder::new(&bytes);
                assert_eq!(code(&mut decoder, &values), values);
                assert!(decoder.is_complete());
            }
        }
    }

    #[test]
    fn carries_propagate_through_bytes_of_ones() {
        // The top of the range gives 0xFF bytes, with a carry now and then.
        for tops in 0..40 {
            let mut values = vec![(256, 255); tops];
            values.extend([(2, 1), (256, 255), (2, 0), (65_536, 65_535), (3, 2), (256, 0)]);
            let mut encoder = Encoder::new();
            code(&mut encoder, &values);
            let bytes = encoder.finish();
            assert_eq!(code(&mut Decoder::new(&bytes), &values), values);
        }
    }

    #[test]
    fn likely_bits_take_less_than_a_bit() {
        let mut encoder = Encoder::new();
        let mut context = Context::EVEN;
        (0..10_000).for_each(|index| {
            encoder.bit(&mut context, index % 100 == 0);
        });
        // One in a hundred of 10 000 bits: 0.081 bits each in theory.
        assert!(encoder.finish().len() < 135);
    }
}
