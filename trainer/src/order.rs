//! Random order of the positions in an epoch.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Returns a uniformly random permutation of 0 to `count` − 1.
///
/// # Panics
/// If `count` is 2³² or more.
pub fn shuffled(count: usize, seed: u64, epoch: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(epoch);
    let end = u32::try_from(count).expect("positions are numbered with 32 bits");
    let mut order: Vec<u32> = (0..end).collect();
    for last in (1..order.len()).rev() {
        // The high half of the product is below last + 1; the bias is at most 2⁻³².
        let other = (u128::from(rng.next_u64()) * (last as u128 + 1)) >> 64;
        order.swap(last, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_epoch_has_its_own_permutation() {
        let order = shuffled(1000, 7, 3);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
        assert_eq!(order, shuffled(1000, 7, 3));
        assert_ne!(order, shuffled(1000, 7, 4));
        assert_ne!(order, shuffled(1000, 8, 3));
        assert_eq!((shuffled(0, 1, 0), shuffled(1, 1, 0)), (vec![], vec![0]));
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut seen = [0; 27];
        for epoch in 0..6000 {
            let order = shuffled(3, 1, epoch);
            seen[(order[0] * 9 + order[1] * 3 + order[2]) as usize] += 1;
        }
        let counts: Vec<i32> = seen.into_iter().filter(|count| *count > 0).collect();
        assert_eq!(counts.len(), 6);
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
