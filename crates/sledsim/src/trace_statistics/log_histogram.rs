//! Counts of whole numbers over many decades, fine enough for quantiles.

use serde::Serialize;

/// Number of buckets per doubling: a bucket is at most a 32nd of its values wide.
const PARTS: usize = 32;
const PARTS_LOG2: u32 = PARTS.trailing_zeros();

/// A histogram whose buckets grow with the numbers in them; each number below 64 has its own bucket.
///
/// Count, total, mean and maximum are exact. A quantile is the middle of its bucket and so **approximate**:
/// within 1.6 % (1/64) of the number in that rank. Memory is allocated for the doublings up to that of the
/// largest number, 256 bytes each.
#[derive(Debug, Clone, Default)]
pub(super) struct LogHistogram {
    /// Counts of the buckets: one for each number below [`PARTS`], then [`PARTS`] for each doubling.
    counts: Vec<[u64; PARTS]>,
    /// Number of values.
    pub count: u64,
    /// Sum of the values.
    pub total: u128,
    max: u64,
}

/// Summary of a distribution, in the unit of the histogram. Without values all but the count are NaN.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distribution {
    /// Number of values.
    pub count: u64,
    /// Mean, exact.
    pub mean: f64,
    /// The 10th percentile; all percentiles are within 1.6 %.
    pub p10: f64,
    /// The median.
    pub median: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// Maximum, exact.
    pub max: f64,
}

/// A bucket in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Smallest value of the bucket.
    pub low: u64,
    /// Largest value of the bucket.
    pub high: u64,
    /// Number of values in the bucket.
    pub count: u64,
}

impl LogHistogram {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        let octave = (u64::BITS - PARTS_LOG2).saturating_sub(value.leading_zeros()) as usize;
        let part = (value >> octave.saturating_sub(1)) as usize % PARTS;
        if octave >= self.counts.len() {
            self.counts.resize(octave + 1, [0; PARTS]);
        }
        self.counts[octave][part] += 1;
        self.count += 1;
        self.total += u128::from(value);
        self.max = self.max.max(value);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.counts.resize(self.counts.len().max(other.counts.len()), [0; PARTS]);
        let counts = self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened());
        counts.for_each(|(mine, theirs)| *mine += theirs);
        self.count += other.count;
        self.total += other.total;
        self.max = self.max.max(other.max);
    }

    /// Heap memory of the histogram in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.counts[..])
    }

    /// The buckets in use, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + '_ {
        let counts = self.counts.as_flattened().iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(|(at, &count)| {
            let (octave, part) = (at / PARTS, at % PARTS);
            let shift = octave.saturating_sub(1);
            let first = if octave == 0 { part } else { PARTS + part } as u64;
            let low = first << shift;
            Bucket { low, high: low + ((1 << shift) - 1), count }
        })
    }

    /// The value in the nearest rank of this share from below, approximately; NaN without values.
    pub fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut below = 0;
        for bucket in self.buckets() {
            below += bucket.count;
            if below >= rank {
                return (bucket.low as f64 / 2.0 + bucket.high as f64 / 2.0).min(self.max as f64);
            }
        }
        f64::NAN
    }

    /// Count, mean, quantiles and maximum.
    pub fn distribution(&self) -> Distribution {
        self.scaled(1.0)
    }

    /// The distribution with every value multiplied by `unit`.
    pub fn scaled(&self, unit: f64) -> Distribution {
        let quantile = |share| self.quantile(share) * unit;
        Distribution {
            count: self.count,
            mean: self.total as f64 / self.count as f64 * unit,
            p10: quantile(0.1),
            median: quantile(0.5),
            p90: quantile(0.9),
            p95: quantile(0.95),
            p99: quantile(0.99),
            max: if self.count == 0 { f64::NAN } else { self.max as f64 * unit },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of all magnitudes.
    fn number() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0..64_u32).prop_map(|(value, shift)| value >> shift)
    }

    proptest! {
        #[test]
        fn every_number_is_in_one_narrow_bucket(value in number()) {
            let mut histogram = LogHistogram::default();
            histogram.add(value);
            let buckets: Vec<Bucket> = histogram.buckets().collect();
            prop_assert_eq!(buckets.len(), 1);
            prop_assert!(buckets[0].low <= value && value <= buckets[0].high);
            prop_assert!(buckets[0].high - buckets[0].low <= value / 32);
            prop_assert!(value >= 64 || buckets[0].low == buckets[0].high);
        }

        #[test]
        fn quantiles_are_within_a_64th(mut values in prop::collection::vec(number(), 1..200), share in 0.0..=1.0_f64) {
            let mut halves = [LogHistogram::default(), LogHistogram::default()];
            values.iter().enumerate().for_each(|(at, value)| halves[at % 2].add(*value));
            let [mut histogram, other] = halves;
            histogram.merge(&other);
            values.sort_unstable();
            let rank = ((share * values.len() as f64).ceil() as usize).max(1);
            let exact = values[rank - 1] as f64;
            prop_assert!((histogram.quantile(share) - exact).abs() <= exact / 64.0 * (1.0 + 1e-12));
            let total: u128 = values.iter().map(|value| u128::from(*value)).sum();
            prop_assert_eq!((histogram.total, histogram.count), (total, values.len() as u64));
            prop_assert_eq!(histogram.distribution().max, values[values.len() - 1] as f64);
        }
    }

    #[test]
    fn an_empty_histogram_has_no_quantiles() {
        let distribution = LogHistogram::default().distribution();
        assert!(distribution.median.is_nan() && distribution.mean.is_nan() && distribution.max.is_nan());
    }
}
