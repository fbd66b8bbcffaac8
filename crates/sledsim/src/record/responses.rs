//! The distribution of the response times of a run of any length.

use hdrhistogram::Histogram;

/// Largest number of response times that are stored individually; if there are more, all of them are counted in a
/// histogram.
const EXACT: usize = 1_000_000;
/// Number of decimal digits to which the histogram keeps a value: quantiles have a relative error of at most 1e-4.
const DIGITS: u8 = 4;

/// Response times in nanoseconds. Number, mean, standard deviation and maximum are exact except for rounding. Quantiles
/// are exact up to a million response times; with more, they have a relative error of at most 0.01 %.
#[derive(Clone, Debug, Default)]
pub struct Responses {
    /// All response times, as long as there are fewer than a million.
    few: Vec<u64>,
    /// Histogram of all response times, as soon as there are a million.
    many: Option<Histogram<u64>>,
    count: u64,
    sum_ns: u128,
    mean_ns: f64,
    /// Sum of the squared differences from the mean.
    squares: f64,
    max_ns: u64,
}

impl Responses {
    /// Adds response times, in nanoseconds.
    pub fn add(&mut self, responses_ns: impl Iterator<Item = u64> + Clone) {
        let (count, sum) = responses_ns.clone().fold((0, 0), |(n, sum), ns| (n + 1, sum + u128::from(ns)));
        if count == 0 {
            return;
        }
        // Each batch has its own mean, as in Chan, Golub and LeVeque (1979), so that no small difference of
        // large sums is computed.
        let mean_ns = sum as f64 / count as f64;
        let squares: f64 = responses_ns.clone().map(|ns| (ns as f64 - mean_ns).powi(2)).sum();
        let (before, added) = (self.count as f64, count as f64);
        let apart = mean_ns - self.mean_ns;
        self.squares += squares + apart * apart * before * added / (before + added);
        self.count += count;
        self.sum_ns += sum;
        self.mean_ns = self.sum_ns as f64 / self.count as f64;
        self.max_ns = responses_ns.clone().fold(self.max_ns, u64::max);
        self.count_values(responses_ns);
    }

    fn count_values(&mut self, responses_ns: impl Iterator<Item = u64>) {
        if self.many.is_none() {
            self.few.extend(responses_ns);
            if self.few.len() < EXACT {
                return;
            }
            let mut counted = Histogram::new(DIGITS).expect("a histogram can have 4 digits");
            // The histogram grows as larger values arrive.
            self.few.drain(..).for_each(|ns| counted += ns);
            self.few = Vec::new();
            self.many = Some(counted);
        } else if let Some(counted) = &mut self.many {
            responses_ns.for_each(|ns| *counted += ns);
        }
    }

    /// Number of response times.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// True if quantiles are exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.many.is_none()
    }

    /// Sum of the response times in nanoseconds.
    #[must_use]
    pub fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// Standard deviation of the response times in nanoseconds; 0 without response times.
    #[must_use]
    pub fn deviation_ns(&self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        (self.squares / self.count as f64).sqrt()
    }

    /// Longest response time in nanoseconds.
    #[must_use]
    pub fn max_ns(&self) -> u64 {
        self.max_ns
    }

    /// Quantiles of the response time in nanoseconds, for `shares` from 0 to 1 in ascending order: 0 is the shortest
    /// response time, 1 the longest. Between two response times, quantiles are interpolated. NaN without response
    /// times.
    #[must_use]
    pub fn quantiles_ns(&self, shares: &[f64]) -> Vec<f64> {
        if self.count == 0 {
            return vec![f64::NAN; shares.len()];
        }
        let places = shares.iter().map(|share| share * (self.count - 1) as f64);
        let ends =
            places.clone().flat_map(|place| [place.floor() as u64, place.ceil() as u64]).collect::<Vec<_>>();
        let values = match &self.many {
            None => in_order(&self.few, &ends),
            Some(counted) => counted_in_order(counted, &ends),
        };
        let between = |(place, pair): (f64, &[f64])| pair[0] + (pair[1] - pair[0]) * place.fract();
        // A value of the histogram stands for all values near it; no result exceeds the maximum.
        places.zip(values.chunks(2)).map(|place| between(place).min(self.max_ns() as f64)).collect()
    }
}

/// The elements of the sorted `values` at the indices `places`, which are in ascending order.
fn in_order(values: &[u64], places: &[u64]) -> Vec<f64> {
    let mut ordered = values.to_vec();
    ordered.sort_unstable();
    places.iter().map(|place| ordered[*place as usize] as f64).collect()
}

/// The sorted response times of a histogram at the indices `places`, which are in ascending order; each is the middle
/// of its bucket.
fn counted_in_order(counted: &Histogram<u64>, places: &[u64]) -> Vec<f64> {
    let (mut buckets, mut reached, mut value) = (counted.iter_recorded(), 0, 0.0);
    let mut at = |place: u64| {
        while reached <= place {
            let Some(bucket) = buckets.next() else { break };
            reached += bucket.count_since_last_iteration();
            value = counted.median_equivalent(bucket.value_iterated_to()) as f64;
        }
        value
    };
    places.iter().map(|place| at(*place)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SHARES: [f64; 6] = [0.0, 0.5, 0.95, 0.99, 0.999, 1.0];

    /// Quantiles of `values` by their definition, as a model for tests.
    fn expected(values: &[u64]) -> Vec<f64> {
        let mut ordered: Vec<f64> = values.iter().map(|ns| *ns as f64).collect();
        ordered.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| {
            let place = share * (ordered.len() - 1) as f64;
            let (below, above) = (ordered[place.floor() as usize], ordered[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        SHARES.map(quantile).to_vec()
    }

    proptest! {
        #[test]
        fn few_are_exact(values in prop::collection::vec(0..1_u64 << 40, 1..2000), parts in 1..50_usize) {
            let mut responses = Responses::default();
            values.chunks(parts).for_each(|part| responses.add(part.iter().copied()));
            prop_assert_eq!(responses.quantiles_ns(&SHARES), expected(&values));
            let mean = values.iter().sum::<u64>() as f64 / values.len() as f64;
            let squares = values.iter().map(|ns| (*ns as f64 - mean).powi(2)).sum::<f64>();
            let deviation = (squares / values.len() as f64).sqrt();
            prop_assert!((responses.deviation_ns() - deviation).abs() <= 1e-12 * deviation.max(1.0));
        }
    }

    #[test]
    fn many_are_within_the_error_that_is_stated() {
        // The values range from nanoseconds to hours, with a few outliers.
        let value = |n: u64| match n % 1000 {
            0 => n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20,
            _ => (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).pow(2) >> (n % 30),
        };
        let values: Vec<u64> = (0..1_500_000).map(value).collect();
        let mut responses = Responses::default();
        values.chunks(30_000).for_each(|part| responses.add(part.iter().copied()));
        for (found, exact) in responses.quantiles_ns(&SHARES).into_iter().zip(expected(&values)) {
            assert!((found - exact).abs() <= 1e-4 * exact, "found {found}, expected {exact}");
        }
        assert_eq!(responses.max_ns(), *values.iter().max().unwrap());
        assert_eq!(responses.sum_ns(), values.iter().map(|ns| u128::from(*ns)).sum());
    }

    #[test]
    fn none_and_one_do_not_deviate() {
        let mut responses = Responses::default();
        assert_eq!((responses.count(), responses.deviation_ns(), responses.max_ns()), (0, 0.0, 0));
        assert!(responses.quantiles_ns(&SHARES).iter().all(|ns| ns.is_nan()));
        responses.add([].into_iter());
        assert_eq!((responses.count(), responses.deviation_ns()), (0, 0.0));
        responses.add([7].into_iter());
        assert_eq!((responses.count(), responses.deviation_ns(), responses.max_ns()), (1, 0.0, 7));
        assert_eq!(responses.quantiles_ns(&SHARES), [7.0; 6]);
    }
}
