//! Generator of reads of whole files with a published distribution of file sizes.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arrivals::Arrivals;
use super::drawn::Drawn;
use super::draws::{anywhere, count, rng};
use super::requests::{request, timing, COUNT, SECTOR_BYTES};
use super::{GeneratorKind, GeneratorRow};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::trace::Op;

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "files",
    "reads of whole files with a published distribution of sizes; each file is contiguous, at a random position",
    GeneratorKind { draw, notes: None },
)
.source("001-F20, D14")
.options(&[TIMING, OPTIONS]);

/// Options of arrival times; by default, the number of requests is the number in paper 001.
pub(super) const TIMING: &[OptionRow] = &timing(COUNT.default("10000"));

pub(super) const OPTIONS: &[OptionRow] = &[OptionRow::number(
    "largest_bytes",
    "8388608",
    [MIB, 1e9],
    "size of the largest file; with 8 MiB the mean size is about 29 KB", // 001-C14
)
.unit("bytes")];

const KIB: f64 = 1024.0;
const MIB: f64 = KIB * KIB;
/// Distribution of file sizes, as pairs of a fraction and a size in bytes: this fraction of files
/// is not larger than this size (001-F20). The smallest size is a sector.
const QUANTILES: [(f64, f64); 4] =
    [(0.0, SECTOR_BYTES), (0.78, 8.0 * KIB), (0.96, 64.0 * KIB), (0.9975, MIB)];

/// Draws reads of whole files, each of them contiguous at a random position on a device of `capacity`
/// sectors.
pub(super) fn draw(options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
    let (count, mut rng, mut arrivals) = (count(options)?, rng(options)?, Arrivals::new(options, 1.0)?);
    let largest = options.number("largest_bytes")?;
    for _ in 0..count {
        let arrival_ns = arrivals.next(&mut rng)?;
        let sectors =
            (size_bytes(&mut rng, largest) / SECTOR_BYTES).ceil().clamp(1.0, capacity as f64) as u64;
        let lbn = anywhere(&mut rng, sectors, capacity);
        drawn.push(request(arrival_ns, lbn, sectors, Op::Read))?;
    }
    Ok(())
}

/// Draws the size of a file in bytes. Its logarithm is uniformly distributed between two
/// neighbouring quantiles (D14 of 001).
fn size_bytes(rng: &mut Pcg64, largest: f64) -> f64 {
    let part: f64 = rng.random();
    let above = QUANTILES.iter().position(|(quantile, _)| *quantile > part).unwrap_or(QUANTILES.len());
    let (from, smaller) = QUANTILES[above - 1];
    let (to, larger) = *QUANTILES.get(above).unwrap_or(&(1.0, largest));
    smaller * libm::exp((part - from) / (to - from) * libm::log(larger / smaller))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_mean, assert_share, draw, fault, mean_and_deviation, CAPACITY};
    use crate::trace::Op;

    #[test]
    fn sizes_have_the_published_quantiles() {
        let trace = draw("files:rate=100,count=100000");
        assert!(trace.op.iter().all(|op| *op == Op::Read));
        for (share, kib) in [(0.78, 8), (0.96, 64), (0.9975, 1024)] {
            let up_to = trace.blocks.iter().filter(|blocks| **blocks <= kib * 2).count();
            assert_share(up_to, trace.len(), share);
        }
        assert!(trace.blocks.iter().all(|blocks| *blocks <= 8 * 2048));
    }

    #[test]
    fn between_quantiles_the_logarithm_is_uniform() {
        let trace = draw("files:rate=100,count=100000");
        let within = |from: i32, to: i32| trace.blocks.iter().filter(|at| **at > from && **at <= to).count();
        // Half of the files between 8 and 64 KiB are below the geometric mean; the same holds for the other
        // intervals.
        for (from, to) in [(1, 16), (16, 128), (128, 2048), (2048, 16384)] {
            let steps = f64::from(to / from).log2();
            let below = from << (steps / 2.0) as i32;
            assert_share(within(from, below), within(from, to), f64::from(below / from).log2() / steps);
        }
    }

    #[test]
    fn the_mean_size_is_that_of_the_distribution() {
        let trace = draw("files:rate=100,count=100000");
        let part = |share: f64, from: f64, to: f64| share * (to - from) / (to / from).ln();
        let mean_bytes = part(0.78, 512.0, 8192.0)
            + part(0.18, 8192.0, 65536.0)
            + part(0.0375, 65536.0, 1048576.0)
            + part(0.0025, 1048576.0, 8388608.0);
        assert_eq!((mean_bytes / 1000.0).round(), 29.0);
        // A file fills half of its last sector on average, except for the smallest ones; always 0 to 1 of it.
        let bytes: Vec<f64> = trace.blocks.iter().map(|blocks| f64::from(*blocks) * 512.0).collect();
        let (mean, deviation) = mean_and_deviation(&bytes);
        assert!((mean - 256.0 - mean_bytes).abs() <= 256.0 + 4.0 * deviation / (bytes.len() as f64).sqrt());
    }

    #[test]
    fn files_lie_anywhere() {
        let trace = draw("files:rate=100");
        let middles =
            trace.lbn.iter().zip(&trace.blocks).map(|(lbn, blocks)| *lbn as f64 + f64::from(*blocks) / 2.0);
        assert_mean(&middles.collect::<Vec<_>>(), CAPACITY as f64 / 2.0);
    }

    #[test]
    fn the_largest_is_above_the_last_quantile() {
        assert!(fault("files:rate=1,largest_bytes=1000")
            .contains("expected a number from 1048576 to 1e9 (bytes)"));
    }
}
