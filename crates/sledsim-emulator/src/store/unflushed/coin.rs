//! Choose the writes that survive a power failure.

use std::collections::BTreeMap;

/// A random choice, with a seed, of the writes that reached the medium before a power failure. Equal seeds give
/// equal choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coin {
    /// Seed of the choice.
    pub seed: u64,
    /// Probability that a write or sector is kept, from 0 to 1.
    pub kept: f64,
    /// True to decide for each sector of a write separately if it is kept; false to keep or lose each write as
    /// a whole.
    pub tears: bool,
}

impl Coin {
    /// Create a coin that keeps half of all writes, each as a whole.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, kept: 0.5, tears: false }
    }

    /// Return true if the sector with number `sector` of the write with number `number` is kept.
    #[must_use]
    pub fn keeps(&self, number: u64, sector: u64) -> bool {
        let write = mix(mix(self.seed) ^ number);
        let drawn = if self.tears { mix(write ^ sector) } else { write };
        // The upper 53 bits are a uniform number in [0, 1).
        ((drawn >> 11) as f64) < self.kept * (1u64 << 53) as f64
    }

    /// Return a random number below `end`. Different values of `purpose` give independent numbers.
    #[must_use]
    pub fn below(&self, purpose: u64, end: u64) -> u64 {
        mix(mix(self.seed).rotate_left(32) ^ purpose) % end
    }
}

/// Mix the bits of a number (Steele et al., Fast splittable pseudorandom number generators, 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Outcome of a power failure for unflushed writes. Each list has numbers of writes in ascending order. Writes
/// that cannot be lost are in no list: all their sectors were later written through the cache, or they replaced
/// zeros by zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Numbers of the writes that reached the medium.
    pub kept: Vec<u64>,
    /// Numbers of the writes that were lost.
    pub lost: Vec<u64>,
    /// Numbers of the writes of which only some sectors reached the medium.
    pub torn: Vec<u64>,
}

impl Fate {
    /// Return the outcome of the choices of `coin`. Each item of `sectors` is the number of an unflushed write
    /// and one of its sectors.
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
        assert!((share(Coin::new(1)) - 0.5).abs() < 0.15, "about half of 100 writes are kept");
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
