//! Generator of the requests that a disk of a RAID-5 receives if the array serves small requests.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arrivals::Arrivals;
use super::drawn::Drawn;
use super::draws::{count, rng};
use super::requests::{request, Sizes, FLUSHES, READS, SIZES, TIMING};
use super::rmw::{first, gap_ns, GAP};
use super::{GeneratorKind, GeneratorRow};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::trace::Op;

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "raid5",
    "requests to one disk of a RAID-5 that serves small requests",
    GeneratorKind { draw, notes: None },
)
.source("001-F27")
.options(&[TIMING, READS, SIZES, FLUSHES, OPTIONS]);

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::whole("disks", "5", [3, 1000], "number of disks in the array, including the simulated disk"),
    OptionRow::whole(
        "unit_blocks",
        "128",
        [1, u64::MAX],
        "size of a stripe unit; each request lies within a stripe unit",
    )
    .unit("blocks"),
    GAP.default("1").description("time from a read to the write of the same blocks"),
];

/// Layout of a RAID-5 array. The parity rotates from the last disk backwards, and the data of a
/// stripe begin on the disk after the parity (left-symmetric).
struct Array {
    disks: u64,
    unit: u64,
    /// Number of stripes; a stripe has one stripe unit on every disk.
    stripes: u64,
}

/// Role of the simulated disk in a request to the array.
enum Part {
    /// The simulated disk stores the data of the request.
    Data,
    /// The simulated disk stores the parity of the request's data.
    Parity,
    /// The simulated disk does not take part in the request.
    None,
}

/// Draws small requests to the array, and returns the requests that its first disk, the simulated
/// one, receives.
///
/// A read of the array is a read on the disk that stores the data. A write of the array reads the old data
/// on this disk and the old parity on another, and writes both after the gap. A disk thus receives a read
/// and a write of the same blocks if it stores the data or the parity. Let `reads` be the share of reads
/// among the array's requests. A rate of `rate` requests per second at this disk then requires `rate *
/// disks / (reads + 4 (1 - reads))` requests per second at the array, if the disk holds the parity of one
/// stripe in `disks`. In an incomplete last round of stripes this does not hold.
pub(super) fn draw(options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
    let (count, mut rng, array) = (count(options)?, rng(options)?, Array::new(options, capacity)?);
    let (reads, sizes, gap_ns) =
        (options.number("reads")?, Sizes::new(options, array.unit)?, gap_ns(options)?);
    let (data, parity) = array.shares();
    let seen_here = data * (reads + 2.0 * (1.0 - reads)) + parity * 2.0 * (1.0 - reads);
    let mut arrivals = Arrivals::new(options, 1.0 / seen_here)?;
    let mut requests = Vec::with_capacity(count + 1);
    let mut seen = 0;
    while requests.len() < count {
        seen += 1;
        drawn.reached(seen)?;
        let arrival_ns = arrivals.next(&mut rng)?;
        let sectors = sizes.draw(&mut rng);
        let (part, lbn) = array.place(&mut rng, sectors);
        let write = rng.random::<f64>() >= reads;
        match part {
            Part::Data => requests.push(request(arrival_ns, lbn, sectors, Op::Read)),
            Part::Parity if write => requests.push(request(arrival_ns, lbn, sectors, Op::Read)),
            _ => continue,
        }
        if write {
            requests.push(request(arrival_ns + gap_ns, lbn, sectors, Op::Write));
        }
    }
    first(requests, count, drawn)
}

impl Array {
    fn new(options: &Options, capacity: u64) -> Result<Self> {
        let disks = options.whole("disks")?;
        let unit = options.whole_within("unit_blocks", 1, capacity)?;
        Ok(Self { disks, unit, stripes: capacity / unit })
    }

    /// Fraction of the data units whose data the simulated disk stores, and fraction of those whose
    /// parity it stores.
    fn shares(&self) -> (f64, f64) {
        let parity = (self.stripes / self.disks) as f64 / self.stripes as f64;
        ((1.0 - parity) / (self.disks - 1) as f64, parity)
    }

    /// Draws a position in the array for a request of `sectors` sectors. Returns the role of the
    /// simulated disk in this request, and the position on this disk.
    fn place(&self, rng: &mut Pcg64, sectors: u64) -> (Part, u64) {
        let stripe = rng.random_range(0..self.stripes);
        let behind_parity = rng.random_range(1..self.disks);
        let offset = rng.random_range(0..=self.unit - sectors);
        let parity = self.disks - 1 - stripe % self.disks;
        let part = match (parity, (parity + behind_parity) % self.disks) {
            (0, _) => Part::Parity,
            (_, 0) => Part::Data,
            _ => Part::None,
        };
        (part, stripe * self.unit + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_share, draw, fault, CAPACITY};
    use crate::trace::{Op, Trace};

    /// Returns the row of the read that belongs to each write. In these traces without a gap, a
    /// write directly follows its read.
    fn read_for_writes(trace: &Trace) -> Vec<usize> {
        let rows: Vec<usize> =
            (1..trace.len()).filter(|row| trace.op[*row] == Op::Write).map(|row| row - 1).collect();
        for row in &rows {
            assert!(trace.op[*row] == Op::Read);
            assert_eq!((trace.lbn[*row], trace.blocks[*row]), (trace.lbn[row + 1], trace.blocks[row + 1]));
        }
        rows
    }

    #[test]
    fn one_disk_sees_its_share() {
        let trace = draw("raid5:rate=100,gap_ms=0,reads=0.6");
        // Of the array's requests 0.6/5 are reads here and 2 * 0.4/5 writes, which are two requests each.
        let operations = trace.len() - trace.op.iter().filter(|op| **op == Op::Write).count();
        assert_share(read_for_writes(&trace).len(), operations, 0.8 / (0.6 + 0.8));
    }

    #[test]
    fn parity_is_here_in_every_fifth_stripe_and_is_written_as_often_as_four_times_the_data() {
        let trace = draw("raid5:rate=100,gap_ms=0,reads=0");
        let rows = read_for_writes(&trace);
        // This disk, the first, holds the parity of stripes 4, 9, 14 and so on. Each stripe is written
        // equally often; data are written here in a quarter of all writes to a stripe, the parity in all of
        // them.
        let parity = rows.iter().filter(|row| trace.lbn[**row] as u64 / 128 % 5 == 4).count();
        assert_share(parity, rows.len(), 0.5);
    }

    /// Checks the rate for an array of six stripes: one complete round of the parity over five
    /// disks, and one stripe whose parity lies on another disk.
    #[test]
    fn the_rate_is_that_of_the_disk_however_few_its_stripes_are() {
        for (unit_blocks, reads) in [(1_000_000, 0.67), (1_000_000, 0.0), (2_000_000, 0.5), (128, 0.67)] {
            let trace = draw(&format!("raid5:rate=100,reads={reads},unit_blocks={unit_blocks},count=20000"));
            let span_s = (trace.arrival_ns[trace.len() - 1] - trace.arrival_ns[0]) as f64 * 1e-9;
            let rate = trace.len() as f64 / span_s;
            assert!((rate / 100.0 - 1.0).abs() < 0.03, "{unit_blocks} {reads}: {rate}");
        }
    }

    #[test]
    fn requests_stay_within_a_stripe_unit() {
        let trace = draw("raid5:rate=100,unit_blocks=16");
        for (lbn, blocks) in trace.lbn.iter().zip(&trace.blocks) {
            assert_eq!(lbn / 16, (lbn + i64::from(*blocks) - 1) / 16);
        }
        let halves = trace.lbn.iter().filter(|lbn| (**lbn as u64) < CAPACITY / 2).count();
        // A read and its write are one draw: at least half as many draws as requests.
        assert_share(halves / 2, trace.len() / 2, 0.5);
    }

    #[test]
    fn the_gap_lies_between_a_read_and_its_write() {
        let trace = draw("raid5:rate=0.1,count=50,reads=0,arrivals=constant");
        assert_eq!(trace.arrival_ns[1] - trace.arrival_ns[0], 1_000_000);
    }

    #[test]
    fn an_array_has_three_disks() {
        assert!(fault("raid5:rate=1,disks=2").contains("disks = 2: expected a whole number from 3 to 1000"));
        assert!(fault("raid5:rate=1,unit_blocks=9999999").contains("from 1 to 6750000"));
    }
}
