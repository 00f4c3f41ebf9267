//! AVX-512 kernel: vectors of 64 bytes, two for each block.

use std::arch::x86_64::{
    __m256i as Half, __m512i as Vector, _mm512_add_epi16 as add_i16, _mm512_add_epi32 as add_i32,
    _mm512_add_epi64, _mm512_castsi512_si256, _mm512_cvtepi8_epi16 as widen, _mm512_cvtepi32_epi64,
    _mm512_extracti64x4_epi64, _mm512_madd_epi16 as multiply_and_add_pairs,
    _mm512_max_epi16 as max_i16, _mm512_min_epi16 as min_i16, _mm512_mullo_epi16 as multiply_i16,
    _mm512_reduce_add_epi64, _mm512_set1_epi16 as broadcast_i16, _mm512_setzero_si512 as zero,
    _mm512_sub_epi16 as subtract_i16,
};

use bytemuck::must_cast;

use crate::eval::network::format::QA;

use super::vector::vector_kernel;
use super::{Block, Input, Rows, WeightBlock};

vector_kernel!("avx512f,avx512bw");

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn total(own_sums: Vector, their_sums: Vector) -> i64 {
    let sums = add_i32(own_sums, their_sums);
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sums));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sums));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}
