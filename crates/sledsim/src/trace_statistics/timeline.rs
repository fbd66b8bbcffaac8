//! Numbers of arrivals over time, counted in a limited number of equal intervals.

use serde::Serialize;

use crate::trace::{Op, TraceRow};

/// Largest number of intervals; if a trace needs more, each pair of neighbouring intervals is
/// merged.
const INTERVALS_MOST: u64 = 1024;
/// Smallest width of an interval in ns (1 ms).
const NARROWEST_NS: i64 = 1_000_000;

/// Counter of arrivals in intervals of equal width, from the first arrival on.
#[derive(Debug, Clone, Default)]
pub(super) struct Timeline {
    first_ns: Option<i64>,
    doublings: u32,
    intervals: Vec<Interval>,
}

/// Numbers of arrivals in one interval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Interval {
    /// Number of reads.
    pub reads: u64,
    /// Number of writes.
    pub writes: u64,
    /// Number of discards.
    pub discards: u64,
    /// Number of flushes.
    pub flushes: u64,
    /// Number of reads and writes of metadata, which are also included in `reads` or `writes`.
    pub metadata: u64,
}

/// Numbers of arrivals over the time of the trace, exact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineFigures {
    /// Width of an interval in seconds.
    pub interval_s: f64,
    /// The intervals, from the first arrival on.
    pub intervals: Vec<Interval>,
}

impl Timeline {
    /// Counts the arrival of a request, which must not be earlier than the previous arrival.
    #[inline]
    pub fn add(&mut self, row: &TraceRow) {
        let first_ns = *self.first_ns.get_or_insert(row.arrival_ns);
        let narrowest = ((row.arrival_ns - first_ns) / NARROWEST_NS) as u64;
        while narrowest >> self.doublings >= INTERVALS_MOST {
            self.fold();
        }
        let at = (narrowest >> self.doublings) as usize;
        if at >= self.intervals.len() {
            self.intervals.resize(at + 1, Interval::default());
        }
        let interval = &mut self.intervals[at];
        match row.op {
            Op::Read => interval.reads += 1,
            Op::Write => interval.writes += 1,
            Op::Discard => interval.discards += 1,
            Op::Flush => interval.flushes += 1,
        }
        interval.metadata += u64::from(row.metadata && row.op.moves_data());
    }

    fn fold(&mut self) {
        let sum = |pair: &[Interval]| {
            pair.iter().fold(Interval::default(), |sum, one| Interval {
                reads: sum.reads + one.reads,
                writes: sum.writes + one.writes,
                discards: sum.discards + one.discards,
                flushes: sum.flushes + one.flushes,
                metadata: sum.metadata + one.metadata,
            })
        };
        self.intervals = self.intervals.chunks(2).map(sum).collect();
        self.doublings += 1;
    }

    pub fn figures(&self) -> TimelineFigures {
        let narrowest_s = NARROWEST_NS as f64 * 1e-9;
        TimelineFigures {
            interval_s: narrowest_s * (1_u64 << self.doublings) as f64,
            intervals: self.intervals.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ms: i64) -> TraceRow {
        let op = [Op::Read, Op::Write, Op::Discard, Op::Flush][ms as usize % 7 % 4];
        TraceRow { arrival_ns: 5 + ms * NARROWEST_NS, op, metadata: ms % 3 == 0, ..TraceRow::default() }
    }

    /// Checks the counts in intervals for traces of any length, and that the intervals are as
    /// narrow as the limit on their number allows.
    #[test]
    fn every_interval_has_what_arrives_in_it() {
        for (last, width) in [(0, 1), (1023, 1), (1024, 2), (2047, 2), (2048, 4), (5000, 8), (9000, 16)] {
            let mut timeline = Timeline::default();
            // Leaves some intervals empty.
            let rows: Vec<TraceRow> = (0..=last).filter(|ms| ms % 5 != 3 || *ms == last).map(row).collect();
            rows.iter().for_each(|row| timeline.add(row));
            let found = timeline.figures();
            assert!((found.interval_s - width as f64 * 1e-3).abs() < 1e-12, "{last}: {}", found.interval_s);
            assert_eq!(found.intervals.len() as i64, last / width + 1);
            for (at, interval) in (0..).zip(&found.intervals) {
                let begin_ns = 5 + at * width * NARROWEST_NS;
                let within = begin_ns..begin_ns + width * NARROWEST_NS;
                let here = rows.iter().filter(|row| within.contains(&row.arrival_ns));
                let of = |ops: &[Op]| here.clone().filter(|row| ops.contains(&row.op)).count() as u64;
                let expected = Interval {
                    reads: of(&[Op::Read]),
                    writes: of(&[Op::Write]),
                    discards: of(&[Op::Discard]),
                    flushes: of(&[Op::Flush]),
                    metadata: here.clone().filter(|row| row.metadata && row.op.moves_data()).count() as u64,
                };
                assert_eq!(*interval, expected, "trace of {last} ns: interval {at}");
            }
        }
    }
}
