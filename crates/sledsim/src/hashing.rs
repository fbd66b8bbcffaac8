//! Hash tables whose keys are numbers, for lookups at every request.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map whose key is a tuple of integers.
pub(crate) type ByNumbers<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;
/// A hash map whose key is a single integer, such as the number of a segment or of a cache line.
pub(crate) type ByNumber<V> = ByNumbers<u64, V>;

/// A hash function with one multiplication per integer. This quality is sufficient, because the keys are
/// addresses, which no attacker chooses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

/// Multiplier of the hash function: 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3,
/// 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(GOLDEN);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}
