//! Histogram of whole numbers of any magnitude, with buckets that are narrow enough for quantiles.

use serde::Serialize;

/// Number of buckets between a number and its double. A bucket is at most 1/32 as wide as the
/// numbers in it.
const PARTS: usize = 32;
const PARTS_LOG2: u32 = PARTS.trailing_zeros();

/// A histogram whose buckets widen in proportion to the numbers in them; each number below 64 has its own
/// bucket.
///
/// Count, total, mean and maximum are exact. A quantile is the middle of a bucket and thus **approximate**:
/// within 1.6 % (1/64) of the exact quantile. Memory is 256 bytes for each doubling up to the largest
/// number.
#[derive(Debug, Clone, Default)]
pub(super) struct LogHistogram {
    /// Counts of the buckets: one bucket for each number below [`PARTS`], then [`PARTS`] buckets for each
    /// doubling.
    counts: Vec<[u64; PARTS]>,
    /// Number of values in the histogram.
    pub count: u64,
    /// Sum of the values in the histogram.
    pub total: u128,
    max: u64,
}

/// Summary of a distribution, in the unit of its values. Without values, every field except the count is
/// NaN.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distribution {
    /// Number of values.
    pub count: u64,
    /// Mean of the values, exact.
    pub mean: f64,
    /// 10th percentile. All percentiles are within 1.6 % of the exact ones.
    pub p10: f64,
    /// Median, within 1.6 %.
    pub median: f64,
    /// 90th percentile, within 1.6 %.
    pub p90: f64,
    /// 95th percentile, within 1.6 %.
    pub p95: f64,
    /// 99th percentile, within 1.6 %.
    pub p99: f64,
    /// Largest value, exact.
    pub max: f64,
}

/// A bucket of a histogram that holds at least one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Smallest value that belongs to the bucket.
    pub low: u64,
    /// Largest value that belongs to the bucket.
    pub high: u64,
    /// Number of values in the bucket.
    pub count: u64,
}

impl LogHistogram {
    /// Adds a value to the histogram.
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

    /// Adds the counts of the histogram `other` to this one.
    pub fn merge(&mut self, other: &Self) {
        self.counts.resize(self.counts.len().max(other.counts.len()), [0; PARTS]);
        let counts = self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened());
        counts.for_each(|(mine, theirs)| *mine += theirs);
        self.count += other.count;
        self.total += other.total;
        self.max = self.max.max(other.max);
    }

    /// Memory of the histogram on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.counts[..])
    }

    /// The buckets that hold values, in ascending order.
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

    /// Quantile of the values: the value that the fraction `share` of them does not exceed.
    /// Approximate within 1.6 %; NaN without values.
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

    /// Count, mean, quantiles and maximum of the values.
    pub fn distribution(&self) -> Distribution {
        self.scaled(1.0)
    }

    /// Distribution of the values, each multiplied by `unit`.
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

    /// Strategy for random numbers of all magnitudes.
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
