//! What the requests of generators have in common: how many, when, how large, and how many of them read.

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::arrivals::Arrivals;
use super::drawn::Drawn;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::trace::{Op, Request};

/// Requests in all.
pub(super) const COUNT: OptionRow = OptionRow {
    name: "count",
    unit: "requests",
    default: "100000",
    description: "how many requests are drawn",
};
/// Which of all.
pub(super) const SEED: OptionRow =
    OptionRow { name: "seed", unit: "", default: "1", description: "same seed, same requests" };

/// When requests come, for every generator.
pub(super) const TIMING: &[OptionRow] = &timing(COUNT);

/// The same with another default for the count.
pub(super) const fn timing(count: OptionRow) -> [OptionRow; 11] {
    use super::arrivals::{ARRIVALS, OWN, RATE};
    let [on, off, hurst, sources, session, close, close_gap] = OWN;
    [RATE, count, SEED, ARRIVALS, on, off, hurst, sources, session, close, close_gap]
}

/// Which of them read.
pub(super) const READS: &[OptionRow] = &[OptionRow {
    name: "reads",
    unit: "",
    default: "0.67",
    description: "the part of the requests that read; the others write (001-F11)",
}];

/// How large they are.
pub(super) const SIZES: &[OptionRow] = &[
    OptionRow {
        name: "size_bytes",
        unit: "bytes",
        default: "4096",
        description: "mean size before it is rounded to sectors of 512 bytes, at least one (001-F11)",
    },
    OptionRow {
        name: "sizes",
        unit: "",
        default: "exponential",
        description: "how sizes are distributed: exponential (001-F11), or fixed",
    },
];

/// More requests than rows can be numbered.
const COUNT_MAX: u64 = u32::MAX as u64;
/// So that no size, up to 37 times its mean, is more than a column holds.
const SIZE_BYTES_MAX: f64 = 1e9;
/// The unit of sizes.
pub(super) const SECTOR_BYTES: f64 = 512.0;

/// Where requests go.
pub(super) trait Places {
    /// The first sector of the next request, of so many sectors, on a device of `capacity` sectors.
    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64;
}

/// Requests that have nothing to do with each other but their places.
///
/// Whatever the options, each takes the same numbers out of the generator for its arrival, size and operation:
/// so requests are the same for every process of arrivals.
pub(super) fn independent(
    options: &Options,
    capacity: u64,
    drawn: &mut Drawn<'_>,
    places: &mut dyn Places,
) -> Result<()> {
    let (count, mut rng) = (count(options)?, rng(options)?);
    let (mut arrivals, sizes) = (Arrivals::new(options, 1.0)?, Sizes::new(options, capacity)?);
    let reads = share(options, "reads")?;
    for _ in 0..count {
        let arrival_ns = arrivals.next(&mut rng)?;
        let sectors = sizes.draw(&mut rng);
        let lbn = places.place(&mut rng, sectors, capacity);
        let op = if rng.random::<f64>() < reads { Op::Read } else { Op::Write };
        drawn.push(request(arrival_ns, lbn, sectors, op))?;
    }
    Ok(())
}

/// A row of a trace.
pub(super) fn request(arrival_ns: i64, lbn: u64, sectors: u64, op: Op) -> Request {
    Request { arrival_ns, lbn: lbn as i64, blocks: sectors as i32, op, ..Request::default() }
}

/// The sizes of requests.
pub(super) struct Sizes {
    mean_sectors: f64,
    fixed: bool,
    most_sectors: f64,
}

impl Sizes {
    /// Sizes of at most `most_sectors`.
    pub(super) fn new(options: &Options, most_sectors: u64) -> Result<Self> {
        let allowed = |bytes: f64| (1.0..=SIZE_BYTES_MAX).contains(&bytes);
        let bytes = options.number("size_bytes", "bytes from 1 to 1e9", allowed)?;
        let fixed = options.one_of("sizes", &[("exponential", false), ("fixed", true)])?;
        Ok(Self { mean_sectors: bytes / SECTOR_BYTES, fixed, most_sectors: most_sectors as f64 })
    }

    /// The next size in sectors.
    pub(super) fn draw(&self, rng: &mut Pcg64) -> u64 {
        let exponential = exponential(rng);
        let sectors = self.mean_sectors * if self.fixed { 1.0 } else { exponential };
        sectors.round().clamp(1.0, self.most_sectors) as u64
    }
}

/// How many requests are wanted.
pub(super) fn count(options: &Options) -> Result<usize> {
    Ok(options.whole_within("count", 1, COUNT_MAX)? as usize)
}

/// The seed.
pub(super) fn seed(options: &Options) -> Result<u64> {
    options.whole_within("seed", 0, u64::MAX)
}

/// The numbers of the requests.
pub(super) fn rng(options: &Options) -> Result<Pcg64> {
    Ok(Pcg64::seed_from_u64(seed(options)?))
}

/// Numbers of their own for a purpose beside the requests, which stay as they are without it.
pub(super) fn rng_beside(options: &Options, purpose: u64) -> Result<Pcg64> {
    Ok(Pcg64::new(rng(options)?.random(), u128::from(purpose)))
}

/// A part of a whole.
pub(super) fn share(options: &Options, name: &str) -> Result<f64> {
    options.number(name, "a number from 0 to 1", |share| (0.0..=1.0).contains(&share))
}

/// Exponential with mean 1, by inversion, with a logarithm that is the same on every platform.
pub(super) fn exponential(rng: &mut Pcg64) -> f64 {
    -libm::log(1.0 - rng.random::<f64>())
}

/// Normal with mean 0 and variance 1, after Box and Muller.
pub(super) fn normal(rng: &mut Pcg64) -> f64 {
    (2.0 * exponential(rng)).sqrt() * libm::cos(TAU * rng.random::<f64>())
}

/// A first sector anywhere that leaves room for so many sectors.
pub(super) fn anywhere(rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
    rng.random_range(0..=capacity - sectors)
}
