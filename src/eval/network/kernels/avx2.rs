//! AVX2 kernel: vectors of 32 bytes, four for each block.

use std::arch::x86_64::{
    __m128i as Half, __m256i as Vector, _mm_add_epi64, _mm_extract_epi64,
    _mm256_add_epi16 as add_i16, _mm256_add_epi32 as add_i32, _mm256_add_epi64,
    _mm256_castsi256_si128, _mm256_cvtepi8_epi16 as widen, _mm256_cvtepi32_epi64,
    _mm256_extracti128_si256, _mm256_madd_epi16 as multiply_and_add_pairs,
    _mm256_max_epi16 as max_i16, _mm256_min_epi16 as min_i16, _mm256_mullo_epi16 as multiply_i16,
    _mm256_set1_epi16 as broadcast_i16, _mm256_setzero_si256 as zero,
    _mm256_sub_epi16 as subtract_i16,
};

use bytemuck::must_cast;

use crate::eval::network::format::QA;

use super::vector::vector_kernel;
use super::{Block, Input, Rows, WeightBlock};

vector_kernel!("avx2");

#[inline]
#[target_feature(enable = "avx2")]
fn total(own_sums: Vector, their_sums: Vector) -> i64 {
    let sums = add_i32(own_sums, their_sums);
    let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums));
    let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sums));
    let sum = _mm256_add_epi64(low, high);
    let sum = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    _mm_extract_epi64::<0>(sum) + _mm_extract_epi64::<1>(sum)
}
