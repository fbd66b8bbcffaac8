//! Sets of neighbouring sectors, as bits of a 64-bit word.

/// A mask whose lowest `sectors` bits are set.
pub(super) fn ones(sectors: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - sectors).unwrap_or(0)
}

/// The runs of consecutive set bits of a mask: position of the first bit, and number of bits.
pub(super) fn runs(mask: impl Into<u64>) -> impl Iterator<Item = (u32, u32)> {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        let from = mask.trailing_zeros();
        let count = mask.checked_shr(from)?.trailing_ones();
        mask &= !(ones(count) << from);
        Some((from, count))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found() {
        let found = |mask: u64| runs(mask).collect::<Vec<_>>();
        assert_eq!(found(0), []);
        assert_eq!(found(0b1101_1000), [(3, 2), (6, 2)]);
        assert_eq!(found(u64::MAX), [(0, 64)]);
        assert_eq!(found(1 << 63), [(63, 1)]);
        assert_eq!(runs(u32::MAX).collect::<Vec<_>>(), [(0, 32)]);
    }
}
