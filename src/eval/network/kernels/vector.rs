//! The functions of all vector kernels.

/// Defines `update`, `accumulate` and `forward` of [`Kernel`](super::Kernel) for CPUs with some
/// features.
///
/// The module that calls it imports the type `Vector` and its intrinsics under common names, and
/// has a function `total`, which adds the `i32`s of a vector. A macro keeps the functions safe:
/// methods of a trait cannot require CPU features unless they are unsafe.
macro_rules! vector_kernel {
    ($features:literal) => {
        /// Number of vectors in a block.
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

        /// Returns a block of `from` plus that of the added and minus that of the removed rows.
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
            total(add_i32(own_sums, their_sums))
        }

        /// Multiplies activations by weights and adds the products in each 32 bits of a vector. An
        /// activation times its weight fits 16 bits, times the activation again 32 bits.
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
