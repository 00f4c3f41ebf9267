//! NEON kernel: vectors of 16 bytes, eight for each block.
//!
//! The dot-product instructions (`sdot`, `udot`, `usdot`) multiply bytes, so they do not help here:
//! a weighted activation needs 16 bits.

use std::arch::aarch64::{
    int8x8_t as Half, int16x8_t as Vector, vaddq_s16 as add_i16, vaddq_s32, vaddvq_s64,
    vdupq_n_s16 as broadcast_i16, vget_low_s16, vmaxq_s16 as max_i16, vminq_s16 as min_i16,
    vmlal_high_s16, vmovl_s8 as widen, vmull_s16, vmulq_s16 as multiply_i16, vpadalq_s32,
    vpaddlq_s32, vreinterpretq_s16_s32, vreinterpretq_s32_s16, vsubq_s16 as subtract_i16,
};

use bytemuck::must_cast;

use crate::eval::network::format::QA;

use super::vector::vector_kernel;
use super::{Block, Input, Rows, WeightBlock};

vector_kernel!("neon");

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> Vector {
    broadcast_i16(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn add_i32(left: Vector, right: Vector) -> Vector {
    let sum = vaddq_s32(vreinterpretq_s32_s16(left), vreinterpretq_s32_s16(right));
    vreinterpretq_s16_s32(sum)
}

/// Returns four sums of two products as `i32`s. A pair is four lanes apart, not adjacent.
#[inline]
#[target_feature(enable = "neon")]
fn multiply_and_add_pairs(left: Vector, right: Vector) -> Vector {
    let products = vmull_s16(vget_low_s16(left), vget_low_s16(right));
    vreinterpretq_s16_s32(vmlal_high_s16(products, left, right))
}

#[inline]
#[target_feature(enable = "neon")]
fn total(own_sums: Vector, their_sums: Vector) -> i64 {
    // Added as `i64`s: with four lanes the sum of both may not fit an `i32`.
    let sums = vpaddlq_s32(vreinterpretq_s32_s16(own_sums));
    vaddvq_s64(vpadalq_s32(sums, vreinterpretq_s32_s16(their_sums)))
}
