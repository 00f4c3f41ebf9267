//! AVX-512 kernel: vectors of 64 bytes, one for each block.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256,
    _mm512_cvtepi32_epi64, _mm512_extracti64x4_epi64, _mm512_madd_epi16, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi64, _mm512_set1_epi16,
    _mm512_setzero_si512, _mm512_sub_epi16,
};

use bytemuck::must_cast;

use super::super::format::QA;
use super::Block;

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn update<const N: usize, const A: usize, const R: usize>(
    to: &mut [Block; N],
    from: &[Block; N],
    added: [&[Block; N]; A],
    removed: [&[Block; N]; R],
) {
    for block in 0..N {
        let mut sum = load(&from[block]);
        for row in added {
            sum = _mm512_add_epi16(sum, load(&row[block]));
        }
        for row in removed {
            sum = _mm512_sub_epi16(sum, load(&row[block]));
        }
        store(&mut to[block], sum);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn accumulate<const N: usize>(
    sums: &mut [Block; N],
    added: &[&[Block; N]],
    removed: &[&[Block; N]],
) {
    for (block, sums) in sums.iter_mut().enumerate() {
        let mut sum = load(sums);
        for row in added {
            sum = _mm512_add_epi16(sum, load(&row[block]));
        }
        for row in removed {
            sum = _mm512_sub_epi16(sum, load(&row[block]));
        }
        store(sums, sum);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn forward<const N: usize>(
    own: &[Block; N],
    their: &[Block; N],
    weights: &[[Block; N]; 2],
) -> i64 {
    // Two independent chains of additions hide the latency.
    let (mut own_sum, mut their_sum) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for block in 0..N {
        own_sum = _mm512_add_epi32(own_sum, weigh(&own[block], &weights[0][block]));
        their_sum = _mm512_add_epi32(their_sum, weigh(&their[block], &weights[1][block]));
    }
    let sum = _mm512_add_epi32(own_sum, their_sum);
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sum));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}

/// Multiplies activations by weights and adds the products in pairs. An activation times its weight
/// fits 16 bits, times the activation again 32 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn weigh(sums: &Block, weights: &Block) -> __m512i {
    let one = _mm512_set1_epi16(QA as i16);
    let clamped = _mm512_min_epi16(_mm512_max_epi16(load(sums), _mm512_setzero_si512()), one);
    _mm512_madd_epi16(_mm512_mullo_epi16(clamped, load(weights)), clamped)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &Block) -> __m512i {
    must_cast(block.0)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(block: &mut Block, vector: __m512i) {
    block.0 = must_cast(vector);
}
