//! Compute 64-bit hashes of bytes.

/// 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// A constant that is odd and has random bits (Steele et al., Fast splittable pseudorandom number generators,
/// 2014).
const ODD: u64 = 0xbf58_476d_1ce4_e5b9;

/// Return the hash of `bytes` under `seed`. Different bytes or seeds give the same hash about once in 2^64 cases.
#[must_use]
pub(crate) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mixed =
        words.iter().fold(mix(seed, bytes.len() as u64), |state, word| mix(state, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(mixed, u64::from_le_bytes(last))
}

/// Multiply the exclusive or of `state` and `word` by a constant, and combine the two halves of the 128-bit
/// product.
fn mix(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word) * u128::from(GOLDEN);
    ((product as u64) ^ ((product >> 64) as u64)).wrapping_add(ODD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_bit_and_the_length_count() {
        let bytes = [7; 24];
        let mut found =
            HashSet::from([hash(1, &bytes), hash(2, &bytes), hash(1, &bytes[..23]), hash(1, &[])]);
        for bit in 0..24 * 8 {
            let mut other = bytes;
            other[bit / 8] ^= 1 << (bit % 8);
            found.insert(hash(1, &other));
        }
        assert_eq!(found.len(), 4 + 24 * 8);
    }
}
