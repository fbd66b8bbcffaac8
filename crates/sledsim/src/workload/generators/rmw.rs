//! Generator of read-modify-write requests: every block that is read is also written.

use super::arrivals::Arrivals;
use super::drawn::Drawn;
use super::draws::{anywhere, count, rng};
use super::requests::{request, Sizes, FLUSHES, SIZES, TIMING};
use super::{GeneratorKind, GeneratorRow};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::time::NANOS_PER_MS;
use crate::trace::{Op, TraceRow};

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "rmw",
    "read-modify-write: a write of the same blocks follows each read",
    GeneratorKind { draw, notes: None },
)
.source("001-F26")
.options(&[TIMING, SIZES, FLUSHES, OPTIONS]);

/// Option for the time from a read to its write.
pub(super) const GAP: OptionRow = OptionRow::number(
    "gap_ms",
    "0",
    [0.0, 1e9],
    "time from a read to the write of the same blocks; 0: both arrive at the same time",
)
.unit("ms");

pub(super) const OPTIONS: &[OptionRow] = &[GAP];

/// Draws reads at uniformly distributed positions, each followed by a write of the same blocks (001-F26,
/// Table 2).
///
/// One half of the requests are reads. If the number of requests is odd, the last read has no
/// write.
pub(super) fn draw(options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
    let (count, mut rng) = (count(options)?, rng(options)?);
    let (mut arrivals, sizes) = (Arrivals::new(options, 0.5)?, Sizes::new(options, capacity)?);
    let gap_ns = gap_ns(options)?;
    let mut requests = Vec::with_capacity(count + 1);
    for pair in 0..count.div_ceil(2) {
        drawn.reached(pair)?;
        let arrival_ns = arrivals.next(&mut rng)?;
        let sectors = sizes.draw(&mut rng);
        let lbn = anywhere(&mut rng, sectors, capacity);
        requests.push(request(arrival_ns, lbn, sectors, Op::Read));
        requests.push(request(arrival_ns + gap_ns, lbn, sectors, Op::Write));
    }
    first(requests, count, drawn)
}

/// Time in ns from a read to its write.
pub(super) fn gap_ns(options: &Options) -> Result<i64> {
    Ok((options.number(GAP.name)? * NANOS_PER_MS) as i64)
}

/// Sorts `requests` by arrival time and passes the first `count` of them on to `drawn`; requests of
/// equal times keep their order.
pub(super) fn first(mut requests: Vec<TraceRow>, count: usize, drawn: &mut Drawn<'_>) -> Result<()> {
    requests.sort_by_key(|request| request.arrival_ns);
    requests.into_iter().take(count).try_for_each(|request| drawn.push(request))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tests::{assert_mean, draw, fault, gaps_s};
    use crate::trace::Op;

    #[test]
    fn every_read_is_followed_by_the_write_of_its_blocks() {
        let trace = draw("rmw:rate=100,count=1000");
        for row in (0..1000).step_by(2) {
            assert_eq!((trace.op[row], trace.op[row + 1]), (Op::Read, Op::Write));
            assert_eq!(trace.arrival_ns[row], trace.arrival_ns[row + 1]);
            assert_eq!((trace.lbn[row], trace.blocks[row]), (trace.lbn[row + 1], trace.blocks[row + 1]));
        }
    }

    #[test]
    fn a_write_comes_the_gap_after_its_read() {
        let trace = draw("rmw:rate=1000,count=1001,gap_ms=2.5");
        assert!(trace.arrival_ns.is_sorted());
        let mut reads = BTreeMap::new();
        for row in 0..trace.len() {
            let blocks = (trace.lbn[row], trace.blocks[row]);
            if trace.op[row] == Op::Write {
                assert_eq!(reads.remove(&blocks), Some(trace.arrival_ns[row] - 2_500_000));
            } else {
                reads.insert(blocks, trace.arrival_ns[row]);
            }
        }
        // Blocks read within the last gap wait for their writes.
        assert!(reads.values().all(|at| *at + 2_500_000 >= trace.arrival_ns[1000]));
    }

    #[test]
    fn the_rate_is_that_of_reads_and_writes() {
        let trace = draw("rmw:rate=1000");
        assert_mean(&gaps_s(&trace).chunks(2).map(|pair| pair[0] + pair[1]).collect::<Vec<_>>(), 2e-3);
    }

    #[test]
    fn a_gap_does_not_go_back() {
        assert!(fault("rmw:rate=1,gap_ms=-1").contains("gap_ms = -1: expected a number from 0 to 1e9 (ms)"));
    }
}
