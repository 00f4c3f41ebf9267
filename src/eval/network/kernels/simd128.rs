//! SIMD128 kernel of WebAssembly: vectors of 16 bytes, eight for each block.

use std::arch::wasm32::{
    i16x8_add as add_i16, i16x8_extend_low_i8x16, i16x8_max as max_i16, i16x8_min as min_i16,
    i16x8_mul as multiply_i16, i16x8_splat as broadcast_i16, i16x8_sub as subtract_i16,
    i32x4_add as add_i32, i32x4_dot_i16x8 as multiply_and_add_pairs, i64x2_add,
    i64x2_extend_high_i32x4, i64x2_extend_low_i32x4, i64x2_extract_lane, i64x2_splat,
    v128 as Vector,
};

use bytemuck::must_cast;

use crate::eval::network::format::QA;

use super::vector::vector_kernel;
use super::{Block, Input, Rows, WeightBlock};

/// Eight `i8`s, one for each lane of a vector.
type Half = i64;

vector_kernel!("simd128");

#[inline]
#[target_feature(enable = "simd128")]
fn widen(numbers: Half) -> Vector {
    i16x8_extend_low_i8x16(i64x2_splat(numbers))
}

#[inline]
#[target_feature(enable = "simd128")]
fn zero() -> Vector {
    i64x2_splat(0)
}

#[inline]
#[target_feature(enable = "simd128")]
fn total(own_sums: Vector, their_sums: Vector) -> i64 {
    // Added as `i64`s: with four lanes the sum of both may not fit an `i32`.
    let sum = i64x2_add(widened(own_sums), widened(their_sums));
    i64x2_extract_lane::<0>(sum) + i64x2_extract_lane::<1>(sum)
}

/// Returns two sums of two `i32`s as `i64`s.
#[inline]
#[target_feature(enable = "simd128")]
fn widened(sums: Vector) -> Vector {
    i64x2_add(i64x2_extend_low_i32x4(sums), i64x2_extend_high_i32x4(sums))
}
