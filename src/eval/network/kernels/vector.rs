//! Functions of the vector kernels, as a macro.

/// Defines `update`, `accumulate` and `forward` of [`Kernel`](super::Kernel) for CPUs with the
/// given features.
///
/// The calling module imports `Vector` and its intrinsics under common names, and defines `total`,
/// the sum of the `i32`s of two vectors. A lane of each vector fits an `i32` if there are at least
/// 4 lanes: 1024 / 4 · 255² · 128 < 2³¹. The sum of both vectors needs at least 8. Methods of a
/// trait would have to be unsafe to require CPU features.
macro_rules! vector_kernel {
    ($features:literal) => {
        const VECTORS: usize = size_of::<Block>() / size_of::<Vector>();

        #[target_feature(enable = $features)]
        pub(super) fn update<const N: usize, const A: usize, const R: usize>(
            to: &mut [Block; N],
            from: &[Block; N],
            added: [&[Block; N]; A],
            removed: [&[Block; N]; R],
        ) {
            for block in 0..N {
                to[block] = combine(&from[block], block, &added, &removed);
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn accumulate<const N: usize>(
            sums: &mut [Block; N],
            added: &[&[Block; N]],
            removed: &[&[Block; N]],
        ) {
            for (block, sums) in sums.iter_mut().enumerate() {
                *sums = combine(sums, block, added, removed);
            }
        }

        /// Returns `from` plus the block of each added row, minus that of each removed row.
        #[inline]
        #[target_feature(enable = $features)]
        fn combine<const N: usize>(
            from: &Block,
            block: usize,
            added: &[&[Block; N]],
            removed: &[&[Block; N]],
        ) -> Block {
            let mut sums: [Vector; VECTORS] = must_cast(from.0);
            for row in added {
                let numbers: [Vector; VECTORS] = must_cast(row[block].0);
                for index in 0..VECTORS {
                    sums[index] = add_i16(sums[index], numbers[index]);
                }
            }
            for row in removed {
                let numbers: [Vector; VECTORS] = must_cast(row[block].0);
                for index in 0..VECTORS {
                    sums[index] = subtract_i16(sums[index], numbers[index]);
                }
            }
            Block(must_cast(sums))
        }

        #[target_feature(enable = $features)]
        pub(super) fn forward<const N: usize>(
            own: &[Block; N],
            their: &[Block; N],
            [own_weights, their_weights]: &[[Block; N]; 2],
        ) -> i64 {
            // Two independent chains of additions hide the latency.
            let (mut own_sums, mut their_sums) = (zero(), zero());
            for block in 0..N {
                own_sums = add_i32(own_sums, weigh(&own[block], &own_weights[block]));
                their_sums = add_i32(their_sums, weigh(&their[block], &their_weights[block]));
            }
            total(own_sums, their_sums)
        }

        /// Returns activation² · weight, summed in each 32-bit lane. `scalar.rs` has the bounds.
        #[inline]
        #[target_feature(enable = $features)]
        fn weigh(sums: &Block, weights: &Block) -> Vector {
            let sums: [Vector; VECTORS] = must_cast(sums.0);
            let weights: [Vector; VECTORS] = must_cast(weights.0);
            let mut products = zero();
            for index in 0..VECTORS {
                let clamped = min_i16(max_i16(sums[index], zero()), broadcast_i16(QA as i16));
                let weighed = multiply_i16(clamped, weights[index]);
                products = add_i32(products, multiply_and_add_pairs(weighed, clamped));
            }
            products
        }
    };
}

pub(super) use vector_kernel;
