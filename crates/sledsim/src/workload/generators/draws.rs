//! Random numbers from a seed, and the options that all generators read in one way.

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::error::Result;
use crate::options::Options;

/// Largest number of requests: rows have numbers of 32 bits.
pub(super) const COUNT_MAX: u64 = u32::MAX as u64;

/// Returns the number of requests.
pub(super) fn count(options: &Options) -> Result<usize> {
    Ok(options.whole("count")? as usize)
}

/// Returns the seed.
pub(super) fn seed(options: &Options) -> Result<u64> {
    options.whole("seed")
}

/// The random numbers for the requests.
pub(super) fn rng(options: &Options) -> Result<Pcg64> {
    Ok(Pcg64::seed_from_u64(seed(options)?))
}

/// Separate random numbers for another `purpose`, which leave the random numbers of the requests unchanged.
pub(super) fn rng_beside(options: &Options, purpose: u64) -> Result<Pcg64> {
    Ok(Pcg64::new(rng(options)?.random(), u128::from(purpose)))
}

/// Exponential with mean 1, by inversion, with a logarithm that is the same on every platform.
#[inline]
pub(super) fn exponential(rng: &mut Pcg64) -> f64 {
    -libm::log(1.0 - rng.random::<f64>())
}

/// Normal with mean 0 and variance 1, after Box and Muller.
pub(super) fn normal(rng: &mut Pcg64) -> f64 {
    (2.0 * exponential(rng)).sqrt() * libm::cos(TAU * rng.random::<f64>())
}

/// A uniform first sector that leaves room for `sectors` sectors.
#[inline]
pub(super) fn anywhere(rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
    rng.random_range(0..=capacity - sectors)
}

/// An index drawn in proportion to its weight; the sum of weights is at least one.
pub(super) fn weighted(rng: &mut Pcg64, mut weights: impl Iterator<Item = u64> + Clone) -> usize {
    let mut at = rng.random_range(0..weights.clone().sum());
    let found = weights.position(|weight| {
        let is_here = at < weight;
        at -= if is_here { 0 } else { weight };
        is_here
    });
    found.expect("it is below the sum of all")
}
