//! Generator with an organ-pipe layout: the most popular blocks lie in the middle of the device.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::requests::{at, Places, FLUSHES, READS, SIZES, TIMING};
use super::GeneratorRow;
use crate::error::Result;
use crate::options::{OptionRow, Options};

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "organpipe",
    "random requests, most of them near the middle of the device; popularity falls exponentially outwards",
    at::<OrganPipe>(),
)
.source("001-F18, D13")
.options(&[TIMING, READS, SIZES, FLUSHES, OPTIONS]);

pub(super) const OPTIONS: &[OptionRow] = &[OptionRow::number(
    "mean",
    "0.12",
    [0.0, 1e6],
    "mean distance of requests from the middle, as a fraction of half the device", // 000-D13: 0.10 to 0.15
)
.above()];

/// Draws positions on both sides of the middle of the device, at exponentially distributed
/// distances that do not reach past its ends (001-F18, D13).
pub(super) struct OrganPipe {
    mean: f64,
    /// Probability that an exponential distance without a limit does not reach past the end of the
    /// device.
    on_device: f64,
}

impl Places for OrganPipe {
    fn new(options: &Options, _capacity: u64) -> Result<Self> {
        let mean = options.number("mean")?;
        Ok(Self { mean, on_device: -libm::expm1(-1.0 / mean) })
    }

    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
        let distance = -self.mean * libm::log1p(-rng.random::<f64>() * self.on_device);
        let side = if rng.random::<f64>() < 0.5 { -1.0 } else { 1.0 };
        let half = (capacity - sectors) as f64 / 2.0;
        ((half + side * distance.min(1.0) * half) as u64).min(capacity - sectors)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_mean, assert_share, draw, fault, CAPACITY};

    /// Draws distances from the middle, as fractions of half the device, positive or negative.
    fn offsets(options: &str) -> Vec<f64> {
        let half = CAPACITY as f64 / 2.0;
        let trace = draw(&format!("organpipe:rate=100,size_bytes=512,sizes=fixed,{options}"));
        trace.lbn.iter().map(|lbn| (*lbn as f64 + 0.5 - half) / half).collect()
    }

    #[test]
    fn distances_are_exponential_up_to_the_ends() {
        for mean in [0.1, 1.0_f64] {
            let distances: Vec<f64> = offsets(&format!("mean={mean}")).iter().map(|at| at.abs()).collect();
            // An exponential that is cut off at 1 loses its far end.
            let lost = f64::exp(-1.0 / mean);
            assert_mean(&distances, mean - lost / (1.0 - lost));
            let nearer = distances.iter().filter(|distance| **distance < mean / 2.0).count();
            assert_share(nearer, distances.len(), (1.0 - (-0.5_f64).exp()) / (1.0 - lost));
        }
    }

    #[test]
    fn both_sides_are_alike() {
        let offsets = offsets("count=50000");
        assert_share(offsets.iter().filter(|at| **at < 0.0).count(), offsets.len(), 0.5);
    }

    #[test]
    fn a_mean_is_positive() {
        assert!(fault("organpipe:rate=1,mean=0").contains("mean = 0: expected a number above 0"));
    }
}
