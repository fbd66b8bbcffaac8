//! Statistics of arrivals: inter-arrival times for reads, writes and metadata, bursts, and idle
//! time.

use serde::Serialize;

use super::idle::{Idle, IdleTime};
use super::log_histogram::{Bucket, Distribution, LogHistogram};
use super::windows::{WindowCounts, Windows};
use crate::busiest::{BusiestTime, BusiestTimes};
use crate::time::NANOS_PER_S;
use crate::trace::{Op, TraceRow};

/// Limits in ns; the share of inter-arrival times below each limit is counted exactly. Paper 003
/// gives shares below 1 and 10 ms, paper 000 below 5 ms.
const BELOW_NS: [u64; 3] = [1_000_000, 5_000_000, 10_000_000];

/// Counts of the arrivals at one device, or at all devices together.
#[derive(Debug, Clone, Default)]
pub(super) struct Arrivals {
    all: Intervals,
    reads: Intervals,
    writes: Intervals,
    metadata: Intervals,
    windows: Windows,
    busiest: BusiestTimes,
    idle: Idle,
}

/// Counts of the times between consecutive arrivals of requests of one sort: all requests, reads,
/// writes or metadata.
#[derive(Debug, Clone, Default)]
struct Intervals {
    last_ns: Option<i64>,
    below: [u64; 3],
    squares: u128,
    histogram: LogHistogram,
}

/// Statistics of the arrivals of requests.
#[derive(Debug, Clone, Serialize)]
pub struct ArrivalFigures {
    /// Inter-arrival times of reads and writes taken together.
    pub all: InterArrivals,
    /// Inter-arrival times of reads.
    pub reads: InterArrivals,
    /// Inter-arrival times of writes.
    pub writes: InterArrivals,
    /// Inter-arrival times of reads and writes of metadata.
    pub metadata: InterArrivals,
    /// Statistics of the number of arrivals in windows of time, for each window width, narrowest
    /// first.
    pub windows: Vec<WindowCounts>,
    /// Second with the most reads and writes.
    pub busiest_second: BusiestTime,
    /// Minute with the most reads and writes.
    pub busiest_minute: BusiestTime,
    /// Estimate of the Hurst parameter from the growth of the variance of window counts with the window
    /// width; NaN for a short trace.
    pub hurst: f64,
    /// Periods in which no request is known to be outstanding.
    pub idle: IdleTime,
}

/// Statistics of the times between consecutive arrivals of requests of one sort, such as reads
/// (003-E-2).
#[derive(Debug, Clone, Serialize)]
pub struct InterArrivals {
    /// Distribution of the inter-arrival times in seconds; its quantiles are within 1.6 % of the
    /// exact ones.
    pub seconds: Distribution,
    /// Share of inter-arrival times below 1 ms, exact.
    pub share_below_1_ms: f64,
    /// Share of inter-arrival times below 5 ms, exact.
    pub share_below_5_ms: f64,
    /// Share of inter-arrival times below 10 ms, exact.
    pub share_below_10_ms: f64,
    /// Variance of the inter-arrival times over their squared mean, exact except for rounding; 1 for
    /// Poisson arrivals.
    pub cv2: f64,
    /// Histogram of the inter-arrival times in ns, in ascending order.
    pub buckets_ns: Vec<Bucket>,
}

impl Arrivals {
    /// Counts the arrival of a request, which must not be earlier than the previous arrival.
    #[inline]
    pub fn add(&mut self, row: &TraceRow) {
        let arrival_ns = row.arrival_ns;
        if row.op.moves_data() {
            self.all.add(arrival_ns);
            self.windows.add(arrival_ns);
            self.busiest.add(arrival_ns);
            if row.metadata {
                self.metadata.add(arrival_ns);
            }
        }
        match row.op {
            Op::Read => self.reads.add(arrival_ns),
            Op::Write => self.writes.add(arrival_ns),
            Op::Discard | Op::Flush => {}
        }
        self.idle.add(arrival_ns, row.response_ns);
    }

    /// Memory of the counts on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        let classes = [&self.all, &self.reads, &self.writes, &self.metadata];
        classes.iter().map(|class| class.histogram.bytes()).sum::<usize>() + self.idle.bytes()
    }

    pub fn figures(&self) -> ArrivalFigures {
        let [busiest_second, busiest_minute] = self.busiest.figures();
        ArrivalFigures {
            all: self.all.figures(),
            reads: self.reads.figures(),
            writes: self.writes.figures(),
            metadata: self.metadata.figures(),
            windows: self.windows.counts(),
            busiest_second,
            busiest_minute,
            hurst: self.windows.hurst(),
            idle: self.idle.figures(),
        }
    }
}

impl Intervals {
    #[inline]
    fn add(&mut self, arrival_ns: i64) {
        if let Some(last_ns) = self.last_ns {
            let interval_ns = (arrival_ns - last_ns) as u64;
            for (below, limit_ns) in self.below.iter_mut().zip(BELOW_NS) {
                *below += u64::from(interval_ns < limit_ns);
            }
            // No square overflows: their sum is at most the square of the span, which is below 2^126.
            self.squares += u128::from(interval_ns) * u128::from(interval_ns);
            self.histogram.add(interval_ns);
        }
        self.last_ns = Some(arrival_ns);
    }

    fn figures(&self) -> InterArrivals {
        let count = self.histogram.count as f64;
        let total = self.histogram.total as f64;
        let [below_1, below_5, below_10] = self.below.map(|below| below as f64 / count);
        InterArrivals {
            seconds: self.histogram.scaled(1.0 / NANOS_PER_S),
            share_below_1_ms: below_1,
            share_below_5_ms: below_5,
            share_below_10_ms: below_10,
            // Never negative except by rounding.
            cv2: if total == 0.0 {
                f64::NAN
            } else {
                (count * (self.squares as f64 / total) / total - 1.0).max(0.0)
            },
            buckets_ns: self.histogram.buckets().collect(),
        }
    }
}
