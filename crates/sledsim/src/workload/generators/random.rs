//! The Random workload of the papers (001-F11, 002-F13).

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::error::{Error, Result};
use crate::time::NANOS_PER_S;
use crate::trace::{Op, Request, Trace};

/// Mean size of a request in sectors: 4 KiB.
const MEAN_SECTORS: f64 = 8.0;
/// Share of reads.
const READ_SHARE: f64 = 0.67;
/// More requests than rows can be numbered.
const COUNT_MAX: usize = u32::MAX as usize;

/// `count` requests at `rate_per_s`: Poisson arrivals, 67 % reads, sizes exponential with a mean of 4 KiB
/// (rounded to sectors, at least one), starts uniform over the `capacity` sectors of a device.
///
/// # Errors
/// A rate that is not positive, no requests or more than rows can be numbered.
pub fn random(capacity: u64, rate_per_s: f64, count: usize, seed: u64) -> Result<Trace> {
    if !(rate_per_s.is_finite() && rate_per_s > 0.0) {
        return Err(Error::Parameter(format!(
            "rate = {rate_per_s}: must be a positive number of requests a second"
        )));
    }
    if count == 0 || count > COUNT_MAX {
        return Err(Error::Parameter(format!("count = {count}: must be from 1 to {COUNT_MAX}")));
    }
    if count as f64 / rate_per_s > 4e9 {
        return Err(Error::Parameter(format!(
            "rate = {rate_per_s}: {count} requests would take longer than 4e9 s"
        )));
    }
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut trace = Trace::default();
    let mut arrival_s = 0.0;
    for _ in 0..count {
        arrival_s += exponential(&mut rng) / rate_per_s;
        let sectors = (MEAN_SECTORS * exponential(&mut rng)).round().clamp(1.0, capacity as f64) as u64;
        trace.push(Request {
            arrival_ns: (arrival_s * NANOS_PER_S) as i64,
            lbn: rng.random_range(0..=capacity - sectors) as i64,
            blocks: sectors as i32,
            op: if rng.random::<f64>() < READ_SHARE { Op::Read } else { Op::Write },
            ..Request::default()
        });
    }
    Ok(trace)
}

/// Exponential with mean 1, by inversion, with a logarithm that is the same on every platform.
fn exponential(rng: &mut Pcg64) -> f64 {
    -libm::log(1.0 - rng.random::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_published_statistics() {
        let trace = random(6_750_000, 1000.0, 200_000, 1).unwrap();
        let n = trace.lbn.len() as f64;
        let mean = |sum: f64| sum / n;
        let reads = mean(trace.op.iter().filter(|op| **op == Op::Read).count() as f64);
        let sectors = mean(trace.blocks.iter().map(|blocks| f64::from(*blocks)).sum());
        let middle = mean(trace.lbn.iter().map(|lbn| *lbn as f64).sum()) / 6_750_000.0;
        let rate = n / (*trace.arrival_ns.last().unwrap() as f64 / 1e9);
        assert!((reads - 0.67).abs() < 0.005);
        assert!((sectors - 8.0).abs() < 0.1);
        assert!((middle - 0.5).abs() < 0.003);
        assert!((rate - 1000.0).abs() < 10.0);
    }

    #[test]
    fn a_seed_gives_the_same_bytes() {
        let draw = |seed| random(1000, 10.0, 100, seed).unwrap();
        assert_eq!(draw(3).lbn, draw(3).lbn);
        assert_ne!(draw(3).lbn, draw(4).lbn);
    }
}
