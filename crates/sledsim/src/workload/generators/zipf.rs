//! Generator of requests to extents whose popularity follows Zipf's law, scattered over the device.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::draws::rng_beside;
use super::requests::{at, Places, FLUSHES, READS, SIZES, TIMING};
use super::GeneratorRow;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::permutation::Permutation;

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "zipf",
    "requests to extents whose popularity follows Zipf's law; popular extents are scattered over the device",
    at::<Zipf>(),
)
.options(&[TIMING, READS, SIZES, FLUSHES, OPTIONS]);

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::number(
        "theta",
        "0.9",
        [0.0, 10.0],
        "skew: the extent of rank k is requested in proportion to k^-theta; 0: all extents equally",
    ),
    OptionRow::whole(
        "extent_blocks",
        "8",
        [1, u64::MAX],
        "size of an extent; every request starts at the first block of an extent",
    )
    .unit("blocks"),
];

/// Number that identifies the random number generator that scatters extents, which is separate from
/// the one for the requests.
const SCATTER: u64 = 2;

/// Draws the first sectors of extents with Zipf popularity.
pub(super) struct Zipf {
    extent: u64,
    ranks: Ranks,
    scattered: Permutation,
}

impl Places for Zipf {
    fn new(options: &Options, capacity: u64) -> Result<Self> {
        let theta = options.number("theta")?;
        let extent = options.whole_within("extent_blocks", 1, capacity)?;
        let extents = capacity / extent;
        let scattered = Permutation::new(extents, &mut rng_beside(options, SCATTER)?);
        Ok(Self { extent, ranks: Ranks::new(extents, theta), scattered })
    }

    /// Draws the first sector of an extent; if a request from there would pass the end of the
    /// device, an earlier sector.
    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
        let extent = self.scattered.of(self.ranks.draw(rng) - 1);
        (extent * self.extent).min(capacity - sectors)
    }
}

/// Draws ranks from 1 to `count` by rejection-inversion: rank k has a probability in proportion to
/// k^-theta. The probabilities are exact, and the computing time does not depend on `count`
/// (Hörmann and Derflinger 1996).
struct Ranks {
    count: f64,
    theta: f64,
    /// Integrals of the curve above the probabilities (the hat): up to the first rank, and up to
    /// the last.
    ends: [f64; 2],
    /// Difference between a rank and a drawn value below it up to which the rank is accepted
    /// without further computation.
    sure: f64,
}

impl Ranks {
    fn new(count: u64, theta: f64) -> Self {
        let count = count as f64;
        let ends = [integral(1.5, theta) - 1.0, integral(count + 0.5, theta)];
        let sure = 2.0 - inverse(integral(2.5, theta) - power(2.0, theta), theta);
        Self { count, theta, ends, sure }
    }

    fn draw(&self, rng: &mut Pcg64) -> u64 {
        loop {
            let area = self.ends[1] + rng.random::<f64>() * (self.ends[0] - self.ends[1]);
            let x = inverse(area, self.theta);
            let rank = (x + 0.5).floor().clamp(1.0, self.count);
            let below_bar = || area >= integral(rank + 0.5, self.theta) - power(rank, self.theta);
            if rank - x <= self.sure || below_bar() {
                return rank as u64;
            }
        }
    }
}

/// The value `x` to the power of `-theta`.
fn power(x: f64, theta: f64) -> f64 {
    libm::exp(-theta * libm::log(x))
}

/// The integral of x^-theta from 1 to `x`; the logarithm of `x` if `theta` is 1.
fn integral(x: f64, theta: f64) -> f64 {
    let log = libm::log(x);
    let bent = (1.0 - theta) * log;
    log * if bent == 0.0 { 1.0 } else { libm::expm1(bent) / bent }
}

/// The value x for which the integral of x^-theta from 1 to x is `area`.
fn inverse(area: f64, theta: f64) -> f64 {
    // Rounding may go slightly past the pole for large theta.
    let bent = ((1.0 - theta) * area).max(-1.0);
    libm::exp(area * if bent == 0.0 { 1.0 } else { libm::log1p(bent) / bent })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tests::{assert_mean, assert_share, draw, fault, CAPACITY};
    use super::*;
    use rand::SeedableRng;

    /// The probability of each rank from 1 to `count` under Zipf's law.
    fn law(count: u64, theta: f64) -> Vec<f64> {
        let weights: Vec<f64> = (1..=count).map(|rank| (rank as f64).powf(-theta)).collect();
        let all: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / all).collect()
    }

    #[test]
    fn ranks_follow_the_law() {
        let mut rng = Pcg64::seed_from_u64(1);
        assert!((0..100).all(|_| Ranks::new(1, 0.9).draw(&mut rng) == 1));
        for theta in [0.0, 0.5, 1.0, 1.5, 10.0] {
            for count in [2, 7] {
                let ranks = Ranks::new(count, theta);
                let drawn: Vec<u64> = (0..50_000).map(|_| ranks.draw(&mut rng)).collect();
                for (rank, share) in (1..).zip(law(count, theta)) {
                    assert_share(
                        drawn.iter().filter(|drawn| **drawn == rank).count(),
                        drawn.len(),
                        share.max(1e-9),
                    );
                }
            }
        }
    }

    #[test]
    fn popular_extents_are_as_popular_as_the_law_says() {
        let trace = draw("zipf:rate=100,theta=0.9,extent_blocks=1000,sizes=fixed");
        let mut requests = BTreeMap::new();
        for lbn in &trace.lbn {
            assert_eq!(lbn % 1000, 0);
            *requests.entry(lbn).or_insert(0) += 1;
        }
        let mut most: Vec<usize> = requests.into_values().collect();
        most.sort_unstable_by(|a, b| b.cmp(a));
        // The first ranks are so far apart that they cannot change places.
        for (many, share) in most.iter().zip(law(CAPACITY / 1000, 0.9)).take(5) {
            assert_share(*many, trace.len(), share);
        }
    }

    #[test]
    fn a_theta_of_zero_wants_all_alike() {
        let trace = draw("zipf:rate=100,theta=0");
        let middles = trace.lbn.iter().map(|lbn| *lbn as f64);
        assert_mean(&middles.collect::<Vec<_>>(), CAPACITY as f64 / 2.0);
    }

    /// Checks that no rank is rejected if all ranks are equally probable: each draw takes exactly one
    /// random number.
    #[test]
    fn of_ranks_all_alike_none_is_drawn_again() {
        for count in [1, 2, 1000, 1 << 30, 1 << 50] {
            let ranks = Ranks::new(count, 0.0);
            let mut rng = Pcg64::seed_from_u64(1);
            let mut expected = rng.clone();
            for _ in 0..1000 {
                assert!((1..=count).contains(&ranks.draw(&mut rng)));
                expected.random::<f64>();
            }
            assert_eq!(rng, expected, "{count}");
        }
    }

    #[test]
    fn what_cannot_be_is_named() {
        assert!(fault("zipf:rate=1,theta=-1").contains("theta = -1: expected a number from 0 to 10"));
        assert!(fault("zipf:rate=1,extent_blocks=0").contains("expected a whole number from 1 to 6750000"));
    }
}
