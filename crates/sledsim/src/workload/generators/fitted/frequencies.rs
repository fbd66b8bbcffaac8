//! Distributions and counts of observed values, and random values drawn from them.

use std::collections::HashMap;
use std::hash::Hash;
use std::mem;

use rand::RngExt;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::super::draws::weighted;
use crate::trace_statistics::EveryNth;

/// Largest number of values that a sample keeps; an even number.
const KEPT_MOST: usize = 1 << 14;
/// Default number of steps in a list of quantiles.
pub(super) const STEPS: usize = 64;
/// Size in sectors above which sizes are rounded down to six significant binary digits.
const EXACT_BLOCKS: i64 = 2048;
/// Number of most recent keys that are remembered in any case; up to twice as many may be
/// remembered.
const REMEMBERED: usize = 1 << 20;

/// Sample of observed values: every nth value.
pub(super) type Sample = EveryNth<i64, KEPT_MOST>;

impl Sample {
    /// Returns quantiles that divide the sample into `steps` parts of equal probability, or all
    /// values if they are fewer.
    pub(super) fn quantiles(&self, steps: usize) -> Quantiles {
        let mut sorted = self.kept.clone();
        sorted.sort_unstable();
        if sorted.len() > steps + 1 {
            let last = sorted.len() - 1;
            return Quantiles((0..=steps).map(|step| sorted[step * last / steps]).collect());
        }
        Quantiles(sorted)
    }
}

/// A distribution as a list of quantiles: ascending values with equal probability between each
/// value and the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Quantiles(pub(super) Vec<i64>);

impl Quantiles {
    /// The value below which the fraction `share` of the distribution lies; `None` if the
    /// distribution has no values.
    pub fn at(&self, share: f64) -> Option<i64> {
        let last = self.0.len().checked_sub(1)?;
        let place = share * last as f64;
        let below = (place as usize).min(last);
        let (low, high) = (self.0[below], self.0[(below + 1).min(last)]);
        Some(low + ((high - low) as f64 * (place - below as f64)).round() as i64)
    }

    /// Draws a value from the distribution; `None` if it has no values.
    pub fn draw(&self, rng: &mut Pcg64) -> Option<i64> {
        self.at(rng.random())
    }
}

/// Counts of a few outcomes, which are drawn without replacement: after all draws, each outcome has
/// been drawn exactly as often as its count.
#[derive(Clone, Debug)]
pub(super) struct Urn {
    counts: Vec<u64>,
    left: Vec<u64>,
    all_left: u64,
}

impl Urn {
    pub fn new(counts: impl IntoIterator<Item = u64>) -> Self {
        Self { counts: counts.into_iter().collect(), left: Vec::new(), all_left: 0 }
    }

    /// Draws an outcome and returns its index; `None` if all counts are 0.
    pub fn draw(&mut self, rng: &mut Pcg64) -> Option<usize> {
        self.fill()?;
        let drawn = weighted(rng, self.left.iter().copied());
        self.take(drawn)
    }

    /// Draws an outcome whose probability depends on the situation. The count of each outcome that
    /// is left is multiplied by its count in this situation (`row`), and divided by its count in
    /// all situations (`usual`).
    pub fn draw_like(&mut self, row: &[u64], usual: &[u64], rng: &mut Pcg64) -> Option<usize> {
        self.fill()?;
        let weight = |at: usize| match (self.left[at], row[at]) {
            (0, _) | (_, 0) => 0.0,
            (left, count) => count as f64 * left as f64 / usual[at].max(1) as f64,
        };
        let all: f64 = (0..row.len()).map(weight).sum();
        let mut rest = rng.random::<f64>() * all;
        let drawn = (0..row.len()).filter(|at| weight(*at) > 0.0).find(|at| {
            rest -= weight(*at);
            rest < 0.0
        });
        match drawn {
            Some(drawn) => self.take(drawn),
            None => self.draw(rng),
        }
    }

    /// Restores all counts once they are used up; returns `None` if all counts are 0.
    fn fill(&mut self) -> Option<()> {
        if self.all_left == 0 {
            self.left.clone_from(&self.counts);
            self.all_left = self.counts.iter().sum();
        }
        (self.all_left > 0).then_some(())
    }

    fn take(&mut self, drawn: usize) -> Option<usize> {
        self.left[drawn] -= 1;
        self.all_left -= 1;
        Some(drawn)
    }
}

/// The number recorded last for each key. If there are too many keys, the oldest are forgotten.
#[derive(Debug)]
pub(super) struct Recent<K> {
    young: HashMap<K, u64>,
    old: HashMap<K, u64>,
}

impl<K> Default for Recent<K> {
    fn default() -> Self {
        Self { young: HashMap::new(), old: HashMap::new() }
    }
}

impl<K: Eq + Hash> Recent<K> {
    /// Records `number` for `key`, and returns the number recorded before for this key.
    pub fn replace(&mut self, key: K, number: u64) -> Option<u64> {
        if self.young.len() == REMEMBERED {
            self.old = mem::take(&mut self.young);
        }
        let old = self.old.get(&key).copied();
        self.young.insert(key, number).or(old)
    }
}

/// Rounds a large size in sectors down to six significant binary digits.
pub(super) fn rounded(blocks: i64) -> i64 {
    if blocks <= EXACT_BLOCKS {
        return blocks;
    }
    let shift = blocks.ilog2() - 5;
    blocks >> shift << shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;

    #[test]
    fn a_sample_is_spread_evenly_over_all_that_came() {
        let mut sample = Sample::default();
        (0..1_000_000).for_each(|value| sample.add(value));
        assert_eq!(sample.seen, 1_000_000);
        assert!((KEPT_MOST / 2..=KEPT_MOST).contains(&sample.kept.len()));
        let step = 1 << sample.doublings;
        assert!(sample.kept.iter().zip(0..).all(|(value, at)| *value == at * step));
        for (at, value) in sample.quantiles(4).0.into_iter().enumerate() {
            assert!((value - at as i64 * 250_000).abs() <= 2 * step, "{at}: {value}");
        }
    }

    proptest! {
        #[test]
        fn quantiles_are_within_the_values(values in prop::collection::vec(any::<i32>(), 1..99), share in 0.0..1.0) {
            let mut sample = Sample::default();
            values.iter().for_each(|value| sample.add(i64::from(*value)));
            let found = sample.quantiles(16).at(share).unwrap() as i32;
            prop_assert!(values.iter().min() <= Some(&found) && Some(&found) <= values.iter().max());
        }

        #[test]
        fn an_urn_gives_back_what_is_in_it(counts in prop::collection::vec(0..4_u64, 1..9), seed: u64) {
            let (mut urn, mut rng) = (Urn::new(counts.iter().copied()), Pcg64::seed_from_u64(seed));
            let mut drawn = vec![0; counts.len()];
            for _ in 0..2 * counts.iter().sum::<u64>() {
                drawn[urn.draw(&mut rng).unwrap()] += 1;
            }
            prop_assert!(drawn.iter().zip(&counts).all(|(drawn, count)| *drawn == 2 * count));
            prop_assert!(counts.iter().any(|count| *count > 0) || urn.draw(&mut rng).is_none());
        }
    }

    #[test]
    fn what_came_lately_is_remembered() {
        let mut recent = Recent::default();
        let keys = 3 * REMEMBERED as u64;
        (0..keys).for_each(|key| assert_eq!(recent.replace(key, key), None));
        let lately = keys - REMEMBERED as u64;
        assert_eq!(recent.replace(lately, keys), Some(lately));
        assert_eq!(recent.replace(0, keys), None);
    }
}
