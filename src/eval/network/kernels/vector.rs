//! Functions of the vector kernels, as a macro.

/// Defines `update` and `forward` of [`Kernel`](super::Kernel) for CPUs with the given features.
///
/// The calling module imports `Vector` and its intrinsics under common names, `Half` and `widen`
/// among them: the `i8`s for the lanes of a vector, and their conversion to `i16`s. It defines
/// `total`, the sum of the `i32`s of two vectors. A lane of each vector fits an `i32` if there are
/// at least 4 lanes: 1024 / 4 · 255² · 128 < 2³¹. The sum of both vectors needs at least 8. Methods
/// of a trait would have to be unsafe to require CPU features.
macro_rules! vector_kernel {
    ($features:literal) => {
        const VECTORS: usize = size_of::<Block>() / size_of::<Vector>();

        /// Blocks that are updated at once. With AVX2 and both sides some sums do not fit into the
        /// registers, but one block at a time is slower (lab/performance.md).
        const GROUP: usize = 8 / VECTORS;

        #[target_feature(enable = $features)]
        pub(super) fn update<const N: usize, const SIDES: usize>(
            mut to: [&mut [Block; N]; SIDES],
            from: [&[Block; N]; SIDES],
            rows: [Rows<'_, N>; SIDES],
            added: &[Input],
            removed: &[Input],
        ) {
            let mut first = 0;
            while first + GROUP <= N {
                combine::<N, GROUP, SIDES>(&mut to, from, first, rows, added, removed);
                first += GROUP;
            }
            while first < N {
                combine::<N, 1, SIDES>(&mut to, from, first, rows, added, removed);
                first += 1;
            }
        }

        /// Updates `COUNT` blocks of each side from `first` on.
        #[inline]
        #[target_feature(enable = $features)]
        fn combine<const N: usize, const COUNT: usize, const SIDES: usize>(
            to: &mut [&mut [Block; N]; SIDES],
            from: [&[Block; N]; SIDES],
            first: usize,
            rows: [Rows<'_, N>; SIDES],
            added: &[Input],
            removed: &[Input],
        ) {
            let mut sums = [[[zero(); VECTORS]; COUNT]; SIDES];
            for side in 0..SIDES {
                for block in 0..COUNT {
                    sums[side][block] = must_cast(from[side][first + block].0);
                }
            }
            // Most changes add as many inputs as they remove. One loop for both ends less often,
            // and the CPU often mispredicts the end of a loop.
            let pairs = added.len().min(removed.len());
            let (added, more_added) = added.split_at(pairs);
            let (removed, more_removed) = removed.split_at(pairs);
            let add = |sum, weights| add_i16(sum, weights);
            let subtract = |sum, weights| subtract_i16(sum, weights);
            for (&added, &removed) in added.iter().zip(removed) {
                let added = rows.map(|rows| rows.row(added));
                let removed = rows.map(|rows| rows.row(removed));
                apply(&mut sums, added, first, add);
                apply(&mut sums, removed, first, subtract);
            }
            for &input in more_added {
                apply(&mut sums, rows.map(|rows| rows.row(input)), first, add);
            }
            for &input in more_removed {
                apply(&mut sums, rows.map(|rows| rows.row(input)), first, subtract);
            }
            for side in 0..SIDES {
                for block in 0..COUNT {
                    to[side][first + block] = Block(must_cast(sums[side][block]));
                }
            }
        }

        /// Combines the sums of each side with its row of weights.
        #[inline]
        #[target_feature(enable = $features)]
        fn apply<const N: usize, const COUNT: usize, const SIDES: usize>(
            sums: &mut [[[Vector; VECTORS]; COUNT]; SIDES],
            rows: [&[WeightBlock; N]; SIDES],
            first: usize,
            operation: impl Fn(Vector, Vector) -> Vector,
        ) {
            for side in 0..SIDES {
                for block in 0..COUNT {
                    let weights: [Half; VECTORS] = must_cast(rows[side][first + block].0);
                    for index in 0..VECTORS {
                        let sum = &mut sums[side][block][index];
                        *sum = operation(*sum, widen(weights[index]));
                    }
                }
            }
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
