//! AVX2 kernel: vectors of 32 bytes, two for each block.

use std::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_extract_epi64, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cvtepi32_epi64, _mm256_extracti128_si256,
    _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_sub_epi16,
};

use bytemuck::must_cast;

use super::super::format::QA;
use super::Block;

/// A block as two vectors.
type Halves = [__m256i; 2];

#[target_feature(enable = "avx2")]
pub(super) fn update<const N: usize, const A: usize, const R: usize>(
    to: &mut [Block; N],
    from: &[Block; N],
    added: [&[Block; N]; A],
    removed: [&[Block; N]; R],
) {
    for block in 0..N {
        let mut sum = load(&from[block]);
        for row in added {
            sum = add(sum, load(&row[block]));
        }
        for row in removed {
            sum = subtract(sum, load(&row[block]));
        }
        store(&mut to[block], sum);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn accumulate<const N: usize>(
    sums: &mut [Block; N],
    added: &[&[Block; N]],
    removed: &[&[Block; N]],
) {
    for (block, sums) in sums.iter_mut().enumerate() {
        let mut sum = load(sums);
        for row in added {
            sum = add(sum, load(&row[block]));
        }
        for row in removed {
            sum = subtract(sum, load(&row[block]));
        }
        store(sums, sum);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn forward<const N: usize>(
    own: &[Block; N],
    their: &[Block; N],
    weights: &[[Block; N]; 2],
) -> i64 {
    // Two independent chains of additions hide the latency.
    let (mut own_sum, mut their_sum) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    for block in 0..N {
        own_sum = _mm256_add_epi32(own_sum, weigh(&own[block], &weights[0][block]));
        their_sum = _mm256_add_epi32(their_sum, weigh(&their[block], &weights[1][block]));
    }
    let sum = _mm256_add_epi32(own_sum, their_sum);
    let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
    let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sum));
    let sum = _mm256_add_epi64(low, high);
    let sum = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    _mm_extract_epi64::<0>(sum) + _mm_extract_epi64::<1>(sum)
}

/// Multiplies activations by weights and adds the products in fours. An activation times its weight
/// fits 16 bits, times the activation again 32 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn weigh(sums: &Block, weights: &Block) -> __m256i {
    let one = _mm256_set1_epi16(QA as i16);
    let [low, high] = load(sums);
    let low = _mm256_min_epi16(_mm256_max_epi16(low, _mm256_setzero_si256()), one);
    let high = _mm256_min_epi16(_mm256_max_epi16(high, _mm256_setzero_si256()), one);
    let [low_weights, high_weights] = load(weights);
    let low = _mm256_madd_epi16(_mm256_mullo_epi16(low, low_weights), low);
    let high = _mm256_madd_epi16(_mm256_mullo_epi16(high, high_weights), high);
    _mm256_add_epi32(low, high)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(one: Halves, other: Halves) -> Halves {
    [_mm256_add_epi16(one[0], other[0]), _mm256_add_epi16(one[1], other[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn subtract(one: Halves, other: Halves) -> Halves {
    [_mm256_sub_epi16(one[0], other[0]), _mm256_sub_epi16(one[1], other[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> Halves {
    must_cast(block.0)
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(block: &mut Block, halves: Halves) {
    block.0 = must_cast(halves);
}
