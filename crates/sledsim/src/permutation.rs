//! A random permutation of a large range of numbers, and its inverse. Neither needs a table.

use rand::RngExt;
use rand_pcg::Pcg64;

const ROUNDS: usize = 4;

/// A random permutation of the numbers from 0 to `count` - 1. A Feistel network permutes the numbers below a
/// power of four. It is applied repeatedly until the result is below `count` (Black and Rogaway 2002).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permutation {
    count: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// Draws a random permutation of the numbers from 0 to `count` - 1.
    pub(crate) fn new(count: u64, rng: &mut Pcg64) -> Self {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Self { count, half_bits: bits.div_ceil(2).max(1), keys: rng.random() }
    }

    /// The number to which the permutation maps `number`.
    pub(crate) fn of(&self, number: u64) -> u64 {
        let mut at = self.shuffled(number);
        while at >= self.count {
            at = self.shuffled(at);
        }
        at
    }

    /// The inverse of [`of`](Self::of): the number that the permutation maps to `image`.
    pub(crate) fn origin(&self, image: u64) -> u64 {
        let mut at = self.unshuffled(image);
        while at >= self.count {
            at = self.unshuffled(at);
        }
        at
    }

    fn shuffled(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (mixed(right ^ key) & mask));
        }
        (left << self.half_bits) | right
    }

    fn unshuffled(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for key in self.keys.iter().rev() {
            (left, right) = (right ^ (mixed(left ^ key) & mask), left);
        }
        (left << self.half_bits) | right
    }
}

/// The mixing function of SplitMix64 (Steele, Lea and Flood 2014), which spreads each bit of a number over all bits.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;

    proptest! {
        #[test]
        fn every_number_goes_to_one_of_its_own(count in 1..3000_u64, seed: u64) {
            let permutation = Permutation::new(count, &mut Pcg64::seed_from_u64(seed));
            prop_assert!((0..count).all(|number| permutation.origin(permutation.of(number)) == number));
            let mut images: Vec<u64> = (0..count).map(|number| permutation.of(number)).collect();
            images.sort_unstable();
            prop_assert_eq!(images, (0..count).collect::<Vec<_>>());
        }

        #[test]
        fn the_largest_are_permuted_too(number: u64, seed: u64) {
            let permutation = Permutation::new(u64::MAX, &mut Pcg64::seed_from_u64(seed));
            prop_assert!(permutation.of(number.min(u64::MAX - 1)) < u64::MAX);
        }
    }
}
