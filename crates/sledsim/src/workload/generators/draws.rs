//! Random numbers out of a seed, and the options that every generator reads the same way.

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::error::Result;
use crate::options::Options;

/// More requests than rows can be numbered.
pub(super) const COUNT_MAX: u64 = u32::MAX as u64;

/// How many requests are wanted.
pub(super) fn count(options: &Options) -> Result<usize> {
    Ok(options.whole("count")? as usize)
}

/// The seed.
pub(super) fn seed(options: &Options) -> Result<u64> {
    options.whole("seed")
}

/// The numbers of the requests.
pub(super) fn rng(options: &Options) -> Result<Pcg64> {
    Ok(Pcg64::seed_from_u64(seed(options)?))
}

/// Numbers of their own for a purpose beside the requests, which stay as they are without it.
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

/// A first sector anywhere that leaves room for so many sectors.
#[inline]
pub(super) fn anywhere(rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
    rng.random_range(0..=capacity - sectors)
}

/// A place in a table, as often as its weight says; of all weights together there is at least one.
pub(super) fn weighted(rng: &mut Pcg64, mut weights: impl Iterator<Item = u64> + Clone) -> usize {
    let mut at = rng.random_range(0..weights.clone().sum());
    let found = weights.position(|weight| {
        let is_here = at < weight;
        at -= if is_here { 0 } else { weight };
        is_here
    });
    found.expect("it is below the sum of all")
}
