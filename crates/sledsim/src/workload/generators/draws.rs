//! Random numbers from a seed, and the options for the seed and the number of requests.

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::error::Result;
use crate::options::Options;

/// Largest number of requests that a generator draws; requests are numbered with 32 bits.
pub(super) const COUNT_MAX: u64 = u32::MAX as u64;

/// Returns the number of requests that the option `count` asks for.
pub(super) fn count(options: &Options) -> Result<usize> {
    Ok(options.whole("count")? as usize)
}

/// Returns the seed that the option `seed` gives.
pub(super) fn seed(options: &Options) -> Result<u64> {
    options.whole("seed")
}

/// Returns the random number generator for the requests, with the seed that the options give.
pub(super) fn rng(options: &Options) -> Result<Pcg64> {
    Ok(Pcg64::seed_from_u64(seed(options)?))
}

/// Returns a separate random number generator with the same seed; the number `purpose` identifies
/// it. Numbers drawn from it leave the random numbers of the requests unchanged.
pub(super) fn rng_beside(options: &Options, purpose: u64) -> Result<Pcg64> {
    Ok(Pcg64::new(rng(options)?.random(), u128::from(purpose)))
}

/// Draws an exponential number with mean 1 by inversion. The logarithm is computed in software, so
/// that the result is the same on every platform.
#[inline]
pub(super) fn exponential(rng: &mut Pcg64) -> f64 {
    -libm::log(1.0 - rng.random::<f64>())
}

/// Draws a normal number with mean 0 and variance 1 by the method of Box and Muller.
pub(super) fn normal(rng: &mut Pcg64) -> f64 {
    (2.0 * exponential(rng)).sqrt() * libm::cos(TAU * rng.random::<f64>())
}

/// Draws a uniformly distributed first sector for a request of `sectors` sectors on a device of `capacity`
/// sectors.
#[inline]
pub(super) fn anywhere(rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
    rng.random_range(0..=capacity - sectors)
}

/// Draws an index into `weights`, with a probability in proportion to the weight; at least one
/// weight must be positive.
pub(super) fn weighted(rng: &mut Pcg64, mut weights: impl Iterator<Item = u64> + Clone) -> usize {
    let mut at = rng.random_range(0..weights.clone().sum());
    let found = weights.position(|weight| {
        let is_here = at < weight;
        at -= if is_here { 0 } else { weight };
        is_here
    });
    found.expect("the drawn number is below the sum of all weights")
}
