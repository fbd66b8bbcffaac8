//! Tables by number for a lookup at every request.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by keys of a few numbers.
pub(crate) type ByNumbers<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;
/// A map by a number, such as the number of a segment or a line.
pub(crate) type ByNumber<V> = ByNumbers<u64, V>;

/// A hash by one multiplication: the numbers are addresses, and not chosen to collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

/// 2^64 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
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
