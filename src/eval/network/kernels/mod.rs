//! Inner loops of the network for each instruction set, selected at run time. `scalar.rs` defines
//! the results. `neon.rs`, `simd128.rs`, `avx2.rs` and `avx512.rs` apply `vector.rs` to vectors of
//! 16, 32 and 64 bytes.
//!
//! Source of the squared activation by two 16-bit products: <https://www.chessprogramming.org/NNUE>

#![cfg_attr(
    not(target_family = "wasm"),
    expect(unsafe_code, reason = "calls of functions that need CPU features")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64", target_feature = "simd128"))]
mod vector;

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected;
use std::fmt;

use bytemuck::{Pod, Zeroable};

use super::features::{Input, Perspective};
use super::format::BLOCK;

/// Sums, biases or output weights of [`BLOCK`] neurons, aligned for the widest vector.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; BLOCK]);

impl Block {
    pub(super) const ZERO: Self = Self([0; BLOCK]);
}

/// Feature weights of [`BLOCK`] neurons, a cache line.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct WeightBlock(pub(super) [i8; BLOCK]);

/// Weights of each feature, as a perspective sees the inputs.
#[derive(Copy, Clone)]
pub(super) struct Rows<'a, const N: usize> {
    pub(super) weights: &'a [[WeightBlock; N]],
    pub(super) view: Perspective,
}

impl<'a, const N: usize> Rows<'a, N> {
    #[inline]
    fn row(self, input: Input) -> &'a [WeightBlock; N] {
        &self.weights[self.view.feature(input)]
    }
}

/// A kernel that the current CPU supports.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Kernel(Isa);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Isa {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// Calls the kernel's function of this name.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Isa::Scalar => scalar::$function($($argument),*),
            // SAFETY: only `Kernel::available` creates this kernel, after detecting AVX2.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2::$function($($argument),*) },
            // SAFETY: only `Kernel::available` creates this kernel, after detecting AVX-512F and
            // BW.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { avx512::$function($($argument),*) },
            // SAFETY: only `Kernel::available` creates this kernel, after detecting NEON.
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => unsafe { neon::$function($($argument),*) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Isa::Simd128 => simd128::$function($($argument),*),
        }
    };
}

impl Kernel {
    /// Returns the supported kernels, slowest first.
    pub(super) fn available() -> Vec<Self> {
        let mut kernels = vec![Self(Isa::Scalar)];
        // WebAssembly has no detection: a program runs with all of its instructions or not at all.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels.push(Self(Isa::Simd128));
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Self(Isa::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kernels.push(Self(Isa::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if is_aarch64_feature_detected!("neon") {
            kernels.push(Self(Isa::Neon));
        }
        kernels
    }

    pub(super) fn best() -> Self {
        Self::available().pop().unwrap_or(Self(Isa::Scalar))
    }

    /// Sets `to` to `from` plus the rows of the added inputs and minus those of the removed, for
    /// one side or both. Both at once take fewer loops, whose ends the CPU often mispredicts.
    #[inline]
    pub(super) fn update<const N: usize, const SIDES: usize>(
        self,
        to: [&mut [Block; N]; SIDES],
        from: [&[Block; N]; SIDES],
        rows: [Rows<'_, N>; SIDES],
        added: &[Input],
        removed: &[Input],
    ) {
        dispatch!(self, update(to, from, rows, added, removed));
    }

    /// Returns Σ clamp(sum, 0, 255)² · weight over both rows, for weights within ±128.
    #[inline]
    pub(super) fn forward<const N: usize>(
        self,
        own: &[Block; N],
        their: &[Block; N],
        weights: &[[Block; N]; 2],
    ) -> i64 {
        dispatch!(self, forward(own, their, weights))
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Isa::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Isa::Simd128 => "SIMD128",
        })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::eval::network::format::{MAX_HIDDEN, MAX_OUTPUT_WEIGHT};
    use crate::types::{Color, Piece, Square};

    const BLOCKS: usize = MAX_HIDDEN / BLOCK;
    type WideRow = [Block; BLOCKS];

    const SCALAR: Kernel = Kernel(Isa::Scalar);

    fn row<const N: usize>(mut number: impl FnMut() -> i16) -> [Block; N] {
        std::array::from_fn(|_| Block(std::array::from_fn(|_| number())))
    }

    fn weight_row<const N: usize>(rng: &mut ChaCha8Rng) -> [WeightBlock; N] {
        std::array::from_fn(|_| WeightBlock(std::array::from_fn(|_| rng.next_u32() as i8)))
    }

    /// Computes [`Kernel::forward`] one number after the other.
    fn forward(own: &WideRow, their: &WideRow, weights: &[WideRow; 2]) -> i64 {
        let numbers = |row: &WideRow| row.map(|block| block.0).concat();
        let sums = [own, their].map(numbers).concat();
        let weights = weights.each_ref().map(numbers).concat();
        let clamped = |sum: i16| i64::from(sum.clamp(0, 255));
        sums.iter().zip(weights).map(|(&sum, w)| clamped(sum).pow(2) * i64::from(w)).sum()
    }

    fn check_sums<const N: usize>(rng: &mut ChaCha8Rng) {
        let weights: [[WeightBlock; N]; 8] = std::array::from_fn(|_| weight_row(rng));
        let [a, b, c, d, ..] = &weights;
        let [from, other_from, before]: [[Block; N]; 3] =
            std::array::from_fn(|_| row(|| rng.next_u32() as i16));
        let rows = Rows { weights: &weights, view: Perspective::new(Color::White, Square::A1) };
        let input = |square| Input::new(Piece::WhitePawn, square, false, false);
        let [one, two, three, four] = [Square::A1, Square::B1, Square::C1, Square::D1].map(input);
        let mut expected = before;
        SCALAR.update([&mut expected], [&from], [rows], &[one, two], &[three, four]);
        for at in [0, N / 2, N - 1] {
            let [a, b, c, d] = [a, b, c, d].map(|row| i16::from(row[at].0[9]));
            let sum = from[at].0[9].wrapping_add(a + b - c - d);
            assert_eq!(expected[at].0[9], sum);
        }
        for kernel in Kernel::available() {
            let mut to = before;
            kernel.update([&mut to], [&from], [rows], &[one, two], &[three, four]);
            assert_eq!(to, expected, "{kernel}");
            let mut sums = before;
            kernel.update([&mut sums], [&to], [rows], &[three], &[one, two]);
            kernel.update([&mut to], [&sums], [rows], &[four], &[]);
            assert_eq!(to, from, "{kernel}");
            let other = Rows { view: Perspective::new(Color::White, Square::E1), ..rows };
            let (mut both, mut apart) = ([before; 2], [before; 2]);
            let [own, their] = &mut both;
            kernel.update([own, their], [&from, &other_from], [rows, other], &[one], &[two, four]);
            kernel.update([&mut apart[0]], [&from], [rows], &[one], &[two, four]);
            kernel.update([&mut apart[1]], [&other_from], [other], &[one], &[two, four]);
            assert_eq!(both, apart, "{kernel}");
        }
    }

    #[test]
    fn kernels_sum_the_same_rows() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            check_sums::<BLOCKS>(&mut rng);
            // With AVX2 and AVX-512 no multiple of the blocks that are updated at once.
            check_sums::<11>(&mut rng);
        }
    }

    #[test]
    fn kernels_give_the_same_weighted_sum() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..200 {
            let [own, their] = std::array::from_fn(|_| row(|| rng.next_u32() as i16 >> 5));
            let weights = std::array::from_fn(|_| row(|| rng.next_u32() as i8 as i16));
            let expected = forward(&own, &their, &weights);
            for kernel in Kernel::available() {
                assert_eq!(kernel.forward(&own, &their, &weights), expected, "{kernel}");
            }
        }
    }

    #[test]
    fn nothing_overflows_at_the_limits() {
        for (sum, weight) in [
            (255, MAX_OUTPUT_WEIGHT),
            (255, -MAX_OUTPUT_WEIGHT),
            (i16::MAX, MAX_OUTPUT_WEIGHT),
            (i16::MIN, MAX_OUTPUT_WEIGHT),
        ] {
            let (sums, weights): (WideRow, [WideRow; 2]) = (row(|| sum), [row(|| weight); 2]);
            let expected = 2 * 1024 * i64::from(sum.clamp(0, 255)).pow(2) * i64::from(weight);
            for kernel in Kernel::available() {
                assert_eq!(kernel.forward(&sums, &sums, &weights), expected, "{kernel}");
            }
        }
    }
}
