//! Which writes are kept when power is cut.

use std::collections::BTreeMap;

/// Decides by a seed which writes reached the medium before power was cut: the same seed decides the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coin {
    /// The seed.
    pub seed: u64,
    /// The probability that a write is kept, from 0 to 1.
    pub kept: f64,
    /// Whether it decides for each sector of a write, not for the write as a whole.
    pub tears: bool,
}

impl Coin {
    /// One that keeps half of all writes, each as a whole.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, kept: 0.5, tears: false }
    }

    /// Whether this sector of the write of this number is kept.
    #[must_use]
    pub fn keeps(&self, number: u64, sector: u64) -> bool {
        let write = mix(mix(self.seed) ^ number);
        let drawn = if self.tears { mix(write ^ sector) } else { write };
        // 53 bits are a number from 0 on below 1.
        ((drawn >> 11) as f64) < self.kept * (1u64 << 53) as f64
    }

    /// A number below another, which is above 0: for each purpose one of its own.
    #[must_use]
    pub fn below(&self, purpose: u64, end: u64) -> u64 {
        mix(mix(self.seed).rotate_left(32) ^ purpose) % end
    }
}

/// Scatters numbers (Steele et al., Fast splittable pseudorandom number generators, 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// What became of the writes that could be lost, by their numbers, in ascending order. A write that no cut can take
/// back, whose sectors were all written through since, or zeros where nothing was, is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// They reached the medium.
    pub kept: Vec<u64>,
    /// They did not.
    pub lost: Vec<u64>,
    /// Of their sectors some did and some did not.
    pub torn: Vec<u64>,
}

impl Fate {
    /// What a coin decides of these writes and sectors.
    pub(super) fn of(sectors: impl Iterator<Item = (u64, u64)>, coin: &Coin) -> Self {
        let mut found: BTreeMap<u64, (bool, bool)> = BTreeMap::new();
        for (number, sector) in sectors {
            let (kept, lost) = found.entry(number).or_default();
            let keeps = coin.keeps(number, sector);
            *kept |= keeps;
            *lost |= !keeps;
        }
        let mut fate = Self::default();
        for (number, (kept, lost)) in found {
            match (kept, lost) {
                (true, true) => fate.torn.push(number),
                (true, false) => fate.kept.push(number),
                _ => fate.lost.push(number),
            }
        }
        fate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(coin: Coin) -> f64 {
        (0..10_000).filter(|&at| coin.keeps(at / 100, at)).count() as f64 / 10_000.0
    }

    #[test]
    fn a_coin_keeps_its_share() {
        for kept in [0.0, 0.1, 0.5, 1.0] {
            let found = share(Coin { kept, tears: true, ..Coin::new(1) });
            assert!((found - kept).abs() < 0.02, "{found}");
        }
        assert!((share(Coin::new(1)) - 0.5).abs() < 0.15, "of 100 writes");
    }

    #[test]
    fn only_a_coin_that_tears_tells_sectors_apart() {
        let same = |coin: Coin| (0..100).all(|number| coin.keeps(number, 1) == coin.keeps(number, 2));
        assert!(same(Coin::new(7)));
        assert!(!same(Coin { tears: true, ..Coin::new(7) }));
    }

    #[test]
    fn seeds_decide_otherwise() {
        let all = |seed| (0..64).map(|number| Coin::new(seed).keeps(number, 0)).collect::<Vec<_>>();
        assert_eq!(all(3), all(3));
        assert_ne!(all(3), all(4));
    }
}
