//! Distributions of request sizes, learnt from a trace.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::address_motion::Motion;
use super::frequencies::{rounded, Quantiles, Urn, STEPS};

/// Largest number of sizes that are counted exactly: the most frequent ones.
const FREQUENT_MOST: usize = 32;
/// Number of roles of requests, each with its own sizes: requests that continue another one,
/// repeats, and requests at new positions.
pub(super) const ROLES: usize = 3;

/// Distribution of request sizes in sectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sizes {
    /// The most frequent sizes in sectors, each with its number of requests.
    pub frequent_blocks: Vec<(i64, u64)>,
    /// Number of requests of all other sizes.
    pub others: u64,
    pub others_blocks: Quantiles,
}

/// Learns a distribution of request sizes.
#[derive(Debug, Default)]
pub(super) struct SizesFit {
    counts: BTreeMap<i64, u64>,
}

impl SizesFit {
    pub fn add(&mut self, blocks: i32) {
        *self.counts.entry(rounded(i64::from(blocks))).or_default() += 1;
    }

    /// Returns the distribution that was learnt.
    pub fn finish(&self) -> Sizes {
        let mut sizes: Vec<(i64, u64)> = self.counts.iter().map(|(size, count)| (*size, *count)).collect();
        sizes.sort_by_key(|(size, count)| (Reverse(*count), *size));
        let mut others = sizes.split_off(sizes.len().min(FREQUENT_MOST));
        others.sort_unstable();
        let count = others.iter().map(|(_, count)| count).sum();
        Sizes { frequent_blocks: sizes, others: count, others_blocks: quantiles(&others, count) }
    }
}

/// Returns the quantiles of `values`, ascending pairs of a value and its count; `all` is the sum of
/// the counts.
fn quantiles(values: &[(i64, u64)], all: u64) -> Quantiles {
    let mut below = 0;
    let mut quantiles = Vec::new();
    for (value, count) in values {
        below += count;
        while quantiles.len() <= STEPS && quantiles.len() as u64 * (all - 1) < below * STEPS as u64 {
            quantiles.push(*value);
        }
    }
    Quantiles(quantiles)
}

/// Draws request sizes from a distribution.
pub(super) struct SizesDraw<'a> {
    sizes: &'a Sizes,
    urn: Urn,
}

impl<'a> SizesDraw<'a> {
    pub fn new(sizes: &'a Sizes) -> Self {
        let counts = sizes.frequent_blocks.iter().map(|(_, count)| *count).chain([sizes.others]);
        Self { sizes, urn: Urn::new(counts) }
    }

    /// Draws a size in sectors; `None` if the distribution is empty.
    pub fn draw(&mut self, rng: &mut Pcg64) -> Option<i64> {
        match self.sizes.frequent_blocks.get(self.urn.draw(rng)?) {
            Some((size, _)) => Some(*size),
            None => self.sizes.others_blocks.draw(rng),
        }
    }
}

/// Index of the role to which a motion belongs; each role has its own distribution of sizes.
pub(super) fn role(motion: Motion) -> usize {
    match motion {
        Motion::Sequential | Motion::Continued => 0,
        Motion::Again | Motion::Retraced | Motion::Repeated | Motion::Revisited => 1,
        Motion::Near | Motion::Anywhere => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn sizes_come_as_often_as_they_came() {
        let mut fit = SizesFit::default();
        let recorded: Vec<i32> =
            (1..=200).flat_map(|size| vec![size; if size % 8 == 0 { 9 } else { 1 }]).collect();
        recorded.iter().for_each(|size| fit.add(*size));
        let sizes = fit.finish();
        assert_eq!((sizes.frequent_blocks.len(), sizes.others), (32, 175 - 7));
        let (mut draw, mut rng) = (SizesDraw::new(&sizes), Pcg64::seed_from_u64(1));
        let drawn: Vec<i64> = recorded.iter().map(|_| draw.draw(&mut rng).unwrap()).collect();
        let often = |size: i32| drawn.iter().filter(|drawn| **drawn == i64::from(size)).count();
        assert!(
            (8..=200).step_by(8).all(|size| often(size) >= 9),
            "sizes that were frequent keep their counts"
        );
        assert!(drawn.iter().all(|size| (1..=200).contains(size)));
    }
}
