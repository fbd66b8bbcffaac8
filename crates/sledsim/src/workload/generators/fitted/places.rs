//! Blocks that earlier requests have touched, and positions for requests that start anywhere.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_pcg::Pcg64;

use super::frequencies::{Quantiles, Urn};

/// Largest number of ranges of touched blocks that are kept, which limits the memory.
const EXTENTS_MOST: usize = 1 << 22;

/// The blocks that requests have touched, as separate ranges. Each range has a first block and the
/// block behind its end.
#[derive(Debug, Default)]
pub(super) struct Touched {
    extents: BTreeMap<i64, i64>,
}

impl Touched {
    /// The first untouched block at or after `lbn`.
    pub fn next_free(&self, lbn: i64) -> i64 {
        let before = self.extents.range(..=lbn).next_back();
        before.map_or(lbn, |(_, end)| lbn.max(*end))
    }

    /// True if no block from `lbn` to `end` (excluded) has been touched.
    pub fn is_free(&self, lbn: i64, end: i64) -> bool {
        let before = self.extents.range(..end).next_back();
        before.is_none_or(|(_, its_end)| *its_end <= lbn)
    }

    /// True if the blocks `lbn..end` are as required: for a true `is_covered`, the first block has
    /// been touched; otherwise none of the blocks has been touched.
    pub fn is_as_wanted(&self, is_covered: bool, lbn: i64, end: i64) -> bool {
        if is_covered {
            self.next_free(lbn) != lbn
        } else {
            self.is_free(lbn, end)
        }
    }

    /// Marks the blocks from `lbn` to `end` (excluded) as touched; does nothing if the number of
    /// ranges has reached its limit.
    pub fn add(&mut self, mut lbn: i64, mut end: i64) {
        if self.extents.len() >= EXTENTS_MOST {
            return;
        }
        if let Some((before, its_end)) = self.extents.range(..lbn).next_back() {
            if *its_end >= end {
                return;
            }
            if *its_end >= lbn {
                lbn = *before;
            }
        }
        while let Some((next, its_end)) = self.extents.range(lbn..=end).next() {
            let next = *next;
            end = end.max(*its_end);
            self.extents.remove(&next);
        }
        self.extents.insert(lbn, end);
    }
}

/// Positions for requests that start anywhere, drawn from a distribution. Between two quantiles of
/// it, successive positions ascend, as files fill a disk; requests that continue from them then
/// seldom reach touched blocks.
pub(super) struct Places<'a> {
    quantiles: &'a Quantiles,
    /// Intervals between neighbouring quantiles, which all have the same probability.
    cells: Urn,
    visits: Vec<u64>,
    visits_expected: u64,
}

impl<'a> Places<'a> {
    /// Prepares to draw about `count` positions from the distribution `quantiles`.
    pub fn new(quantiles: &'a Quantiles, count: u64) -> Self {
        let cells = quantiles.0.len().saturating_sub(1);
        let visits_expected = (count / cells.max(1) as u64).max(1);
        Self { quantiles, cells: Urn::new(vec![1; cells]), visits: vec![0; cells], visits_expected }
    }

    /// Draws a position; `None` if the distribution has no values.
    pub fn draw(&mut self, rng: &mut Pcg64) -> Option<i64> {
        let Some(cell) = self.cells.draw(rng) else {
            return self.quantiles.0.first().copied();
        };
        let visit = self.visits[cell] % self.visits_expected;
        self.visits[cell] += 1;
        let within = (visit as f64 + rng.random::<f64>()) / self.visits_expected as f64;
        self.quantiles.at((cell as f64 + within) / self.visits.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn touched_blocks_are_those_of_a_set(extents in prop::collection::vec((0..90_i64, 1..20_i64), 1..40)) {
            let (mut touched, mut blocks) = (Touched::default(), BTreeSet::new());
            for (lbn, length) in extents {
                touched.add(lbn, lbn + length);
                blocks.extend(lbn..lbn + length);
            }
            for lbn in 0..120 {
                prop_assert_eq!(touched.next_free(lbn), (lbn..).find(|at| !blocks.contains(at)).unwrap());
                prop_assert_eq!(touched.is_free(lbn, lbn + 5), (lbn..lbn + 5).all(|at| !blocks.contains(&at)));
            }
            let extents: Vec<(i64, i64)> = touched.extents.into_iter().collect();
            prop_assert!(extents.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
