//! Numbers of requests and bytes by operation, and the share of metadata.

use serde::Serialize;

use super::units::{bytes, share};
use crate::trace::{Op, TraceRow};

/// Numbers of requests and sectors, all exact.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Number of requests by operation, in the order of [`Op`].
    requests: [u64; 4],
    sectors: [u64; 4],
    metadata_reads: u64,
    metadata_writes: u64,
    /// First and last arrival of any request, and of reads and writes.
    span_ns: Option<(i64, i64)>,
    moving_ns: Option<(i64, i64)>,
}

/// Numbers of requests by operation. A share of 0 requests is NaN.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CountFigures {
    /// Number of reads and writes together: the requests that a run simulates.
    pub requests: u64,
    /// Number of reads.
    pub reads: u64,
    /// Number of writes.
    pub writes: u64,
    /// Number of discards.
    pub discards: u64,
    /// Number of flushes.
    pub flushes: u64,
    /// Share of reads among reads and writes.
    pub read_share: f64,
    /// Number of bytes that are read.
    pub read_bytes: u64,
    /// Number of bytes that are written.
    pub written_bytes: u64,
    /// Number of bytes that are discarded.
    pub discarded_bytes: u64,
    /// Arrival of the first request in seconds from the start of the trace.
    pub first_arrival_s: f64,
    /// Time from the first to the last arrival in seconds, over requests of any operation.
    pub span_s: f64,
    /// Mean arrival rate of reads and writes per second: their number minus 1, over the time from the first of them to the
    /// last.
    pub rate_per_s: f64,
    /// Mean number of bytes read and written per second, over the same time.
    pub rate_bytes_per_s: f64,
    /// Number of reads and writes of metadata.
    pub metadata: u64,
    /// Number of writes of metadata.
    pub metadata_writes: u64,
    /// Share of metadata requests among reads and writes.
    pub metadata_share: f64,
    /// Share of metadata requests among writes.
    pub metadata_share_of_writes: f64,
}

impl Counts {
    /// Counts a request.
    #[inline]
    pub fn add(&mut self, row: &TraceRow) {
        let op = row.op as usize;
        self.requests[op] += 1;
        self.sectors[op] += u64::from(row.blocks.unsigned_abs());
        self.metadata_reads += u64::from(row.metadata && row.op == Op::Read);
        self.metadata_writes += u64::from(row.metadata && row.op == Op::Write);
        extend(&mut self.span_ns, row.arrival_ns);
        if row.op.moves_data() {
            extend(&mut self.moving_ns, row.arrival_ns);
        }
    }

    /// Adds the counts of `other` to these.
    pub fn merge(&mut self, other: &Self) {
        for op in 0..self.requests.len() {
            self.requests[op] += other.requests[op];
            self.sectors[op] += other.sectors[op];
        }
        self.metadata_reads += other.metadata_reads;
        self.metadata_writes += other.metadata_writes;
        self.span_ns = joined(self.span_ns, other.span_ns);
        self.moving_ns = joined(self.moving_ns, other.moving_ns);
    }

    pub fn figures(&self) -> CountFigures {
        let [reads, writes, discards, flushes] = self.requests;
        let [read_bytes, written_bytes, discarded_bytes, _] = self.sectors.map(bytes);
        let (first_ns, last_ns) = self.span_ns.unwrap_or_default();
        let requests = reads + writes;
        let span_s = (last_ns - first_ns) as f64 * 1e-9;
        let moving_s = self.moving_ns.map_or(0.0, |(first_ns, last_ns)| (last_ns - first_ns) as f64 * 1e-9);
        let metadata = self.metadata_reads + self.metadata_writes;
        let moved_bytes = read_bytes as f64 + written_bytes as f64;
        CountFigures {
            requests,
            reads,
            writes,
            discards,
            flushes,
            read_share: share(reads, reads + writes),
            read_bytes,
            written_bytes,
            discarded_bytes,
            first_arrival_s: first_ns as f64 * 1e-9,
            span_s,
            rate_per_s: if moving_s > 0.0 { requests.saturating_sub(1) as f64 / moving_s } else { f64::NAN },
            rate_bytes_per_s: if moving_s > 0.0 { moved_bytes / moving_s } else { f64::NAN },
            metadata,
            metadata_writes: self.metadata_writes,
            metadata_share: share(metadata, reads + writes),
            metadata_share_of_writes: share(self.metadata_writes, writes),
        }
    }
}

/// Makes a span of time end at `now_ns`; a new span also begins there.
#[inline]
fn extend(span_ns: &mut Option<(i64, i64)>, now_ns: i64) {
    let first_ns = span_ns.map_or(now_ns, |(first_ns, _)| first_ns);
    *span_ns = Some((first_ns, now_ns));
}

/// The span from the start of the first of two spans to the end of the last.
fn joined(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let spans = one.into_iter().chain(other);
    spans.reduce(|one, two| (one.0.min(two.0), one.1.max(two.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates of requests and of bytes for reads of 4 KiB with these arrival times.
    fn rates(arrivals_ns: &[i64]) -> (f64, f64) {
        let mut counts = Counts::default();
        let row = |arrival_ns: &i64| TraceRow { arrival_ns: *arrival_ns, blocks: 8, ..TraceRow::default() };
        arrivals_ns.iter().map(row).for_each(|row| counts.add(&row));
        let figures = counts.figures();
        (figures.rate_per_s, figures.rate_bytes_per_s)
    }

    #[test]
    fn what_arrives_at_one_instant_has_no_rate() {
        for arrivals_ns in [&[][..], &[7], &[7, 7], &[0, 0, 0]] {
            let (rate_per_s, rate_bytes_per_s) = rates(arrivals_ns);
            assert!(rate_per_s.is_nan() && rate_bytes_per_s.is_nan(), "{arrivals_ns:?}");
        }
        assert_eq!(rates(&[7, 2_000_000_007]), (0.5, 4096.0));
        assert_eq!(rates(&[7, 7, 8]).0.round(), 2e9);
    }
}
