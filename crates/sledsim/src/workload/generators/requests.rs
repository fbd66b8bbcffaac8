//! Options and functions that generators share: number, arrival times, sizes and operations of requests.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arrivals::Arrivals;
use super::drawn::Drawn;
use super::draws::{count, exponential, rng, COUNT_MAX};
use super::GeneratorKind;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::trace::{Op, TraceRow};

/// Option for the total number of requests.
pub(super) const COUNT: OptionRow =
    OptionRow::whole("count", "100000", [1, COUNT_MAX], "number of requests").unit("requests");
/// Option for the seed of the random numbers.
pub(super) const SEED: OptionRow = OptionRow::whole(
    "seed",
    "1",
    [0, u64::MAX],
    "seed of the random numbers; the same seed gives the same requests",
);

/// Options of arrival times, with the usual default for the number of requests.
pub(super) const TIMING: &[OptionRow] = &timing(COUNT);

/// Returns the options of arrival times; `count` is the option for the number of requests, with its
/// default.
pub(super) const fn timing(count: OptionRow) -> [OptionRow; 11] {
    use super::arrival_options::{ARRIVALS, OWN, RATE};
    let [on, off, hurst, sources, session, close, close_gap] = OWN;
    [RATE, count, SEED, ARRIVALS, on, off, hurst, sources, session, close, close_gap]
}

/// Option for the fraction of reads.
pub(super) const READS: &[OptionRow] = &[OptionRow::number(
    "reads",
    "0.67",
    [0.0, 1.0],
    "fraction of requests that are reads; the others are writes", // 001-F11
)];

/// Options of flushes.
pub(super) const FLUSHES: &[OptionRow] = &[OptionRow::whole(
    FLUSH_EVERY,
    "0",
    [0, COUNT_MAX],
    "number of writes for each flush, which arrives with the last of them and covers complete writes (0: no flush)",
)
.unit("requests")];

/// Name of the option for flushes.
pub(super) const FLUSH_EVERY: &str = "flush_every";

/// Options of request sizes. The largest size that can be drawn is 37 times the mean; it fits into
/// the column `blocks`.
pub(super) const SIZES: &[OptionRow] = &[
    OptionRow::number(
        "size_bytes",
        "4096",
        [1.0, 1e9],
        "mean size of a request, before rounding to whole sectors of 512 bytes", // 001-F11
    )
    .unit("bytes"),
    OptionRow::one_of(
        "sizes",
        &["exponential", "fixed"],
        "distribution of request sizes; fixed: all requests have the mean size", // 001-F11
    ),
];

/// Number of bytes in a sector, the unit of sizes.
pub(super) const SECTOR_BYTES: f64 = 512.0;

/// A rule that draws the positions of requests.
pub(super) trait Places: Sized {
    /// Returns the rule that the options describe, for a device of `capacity` sectors.
    ///
    /// # Errors An option is invalid.
    fn new(options: &Options, capacity: u64) -> Result<Self>;

    /// Draws the first sector of the next request, which has `sectors` sectors, on a device of `capacity`
    /// sectors.
    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64;
}

/// Describes a generator whose requests are independent of each other, except for their positions.
pub(super) const fn at<P: Places>() -> GeneratorKind {
    GeneratorKind { draw: independent::<P>, notes: None }
}

/// Draws requests. Each request takes the same random numbers for its arrival, size and operation,
/// whatever the options are, so that positions and sizes do not depend on the arrival process.
fn independent<P: Places>(options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
    let mut places = P::new(options, capacity)?;
    let (count, mut rng) = (count(options)?, rng(options)?);
    let (mut arrivals, sizes) = (Arrivals::new(options, 1.0)?, Sizes::new(options, capacity)?);
    let reads = options.number("reads")?;
    for _ in 0..count {
        let arrival_ns = arrivals.next(&mut rng)?;
        let sectors = sizes.draw(&mut rng);
        let lbn = places.place(&mut rng, sectors, capacity);
        let op = if rng.random::<f64>() < reads { Op::Read } else { Op::Write };
        drawn.push(request(arrival_ns, lbn, sectors, op))?;
    }
    Ok(())
}

/// Returns a request as a row of a trace.
pub(super) fn request(arrival_ns: i64, lbn: u64, sectors: u64, op: Op) -> TraceRow {
    TraceRow { arrival_ns, lbn: lbn as i64, blocks: sectors as i32, op, ..TraceRow::default() }
}

/// Draws the sizes of requests.
pub(super) struct Sizes {
    mean_sectors: f64,
    fixed: bool,
    most_sectors: f64,
}

impl Sizes {
    /// Returns the rule for sizes that the options describe, with at most `most_sectors` sectors.
    pub(super) fn new(options: &Options, most_sectors: u64) -> Result<Self> {
        let bytes = options.number("size_bytes")?;
        let fixed = options.is("sizes", "fixed")?;
        Ok(Self { mean_sectors: bytes / SECTOR_BYTES, fixed, most_sectors: most_sectors as f64 })
    }

    /// Draws the size of the next request in sectors.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Pcg64) -> u64 {
        let exponential = exponential(rng);
        let sectors = self.mean_sectors * if self.fixed { 1.0 } else { exponential };
        rounded(sectors.clamp(1.0, self.most_sectors))
    }
}

/// Rounds a positive number to the nearest whole number, as `round` does but without a function
/// call.
fn rounded(number: f64) -> u64 {
    let whole = number as i64;
    (whole + i64::from(number - whole as f64 >= 0.5)) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::rounded;

    proptest! {
        #[test]
        fn numbers_are_rounded_as_elsewhere(half in 2..1_u64 << 40, offset in -2..=2_i64) {
            let middle = half as f64 / 2.0;
            let number = f64::from_bits(middle.to_bits().wrapping_add_signed(offset));
            prop_assert_eq!(rounded(number), number.round() as u64);
        }
    }
}
