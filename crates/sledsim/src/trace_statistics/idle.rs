//! Periods in which no request is known to be outstanding.

use serde::Serialize;

use super::log_histogram::{Distribution, LogHistogram};
use crate::time::NANOS_PER_S;

/// Limits in ms; gaps longer than each limit are counted exactly. The limits are times in which a
/// device can seek ahead, flush, or power down.
const LONGER_MS: [u64; 5] = [10, 100, 1000, 10_000, 60_000];
const NANOS_PER_MS: u64 = 1_000_000;

/// Idle gaps. A gap lasts from the last known completion (or the last arrival, if its completion is
/// unknown) to the next arrival.
#[derive(Debug, Clone, Default)]
pub(super) struct Idle {
    busy_until_ns: Option<i64>,
    gaps: LogHistogram,
    longer: [(u64, u64); LONGER_MS.len()],
}

/// Idle time of a trace. If the trace has no measured response times, all time between arrivals counts as
/// idle.
#[derive(Debug, Clone, Serialize)]
pub struct IdleTime {
    /// Distribution of the lengths of gaps in seconds; its quantiles are within 1.6 % of the exact ones.
    pub gaps_s: Distribution,
    /// Total length of all gaps in seconds.
    pub total_s: f64,
    /// Number and total length of the gaps longer than each of several limits.
    pub longer: Vec<LongGaps>,
}

/// Number and total length of the gaps longer than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LongGaps {
    /// Limit on the length of a gap, in seconds.
    pub longer_than_s: f64,
    /// Number of gaps longer than the limit.
    pub count: u64,
    /// Total length of the gaps longer than the limit, in seconds.
    pub total_s: f64,
}

impl Idle {
    /// Counts a request that arrives at `arrival_ns` and whose measured response time is `response_ns`, 0
    /// if not recorded.
    #[inline]
    pub fn add(&mut self, arrival_ns: i64, response_ns: i64) {
        let busy_until_ns = self.busy_until_ns.unwrap_or(arrival_ns);
        if arrival_ns > busy_until_ns {
            let gap_ns = (arrival_ns - busy_until_ns) as u64;
            self.gaps.add(gap_ns);
            for ((count, total_ns), limit_ms) in self.longer.iter_mut().zip(LONGER_MS) {
                let is_longer = u64::from(gap_ns > limit_ms * NANOS_PER_MS);
                *count += is_longer;
                *total_ns += is_longer * gap_ns;
            }
        }
        self.busy_until_ns = Some(busy_until_ns.max(arrival_ns.saturating_add(response_ns)));
    }

    /// Memory of the counts on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        self.gaps.bytes()
    }

    pub fn figures(&self) -> IdleTime {
        let longer = LONGER_MS.iter().zip(self.longer).map(|(limit_ms, (count, total_ns))| LongGaps {
            longer_than_s: *limit_ms as f64 / 1e3,
            count,
            total_s: total_ns as f64 / NANOS_PER_S,
        });
        IdleTime {
            gaps_s: self.gaps.scaled(1.0 / NANOS_PER_S),
            total_s: self.gaps.total as f64 / NANOS_PER_S,
            longer: longer.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_begins_when_the_last_of_all_is_complete() {
        let mut idle = Idle::default();
        // The first request takes until 30 ms and so hides the end of the second.
        for (arrival_ms, response_ms) in [(0, 30), (10, 5), (50, 0), (50, 0), (250, 1)] {
            idle.add(arrival_ms * 1_000_000, response_ms * 1_000_000);
        }
        let found = idle.figures();
        assert_eq!((found.gaps_s.count, found.total_s), (2, 0.22));
        assert_eq!(found.longer[0], LongGaps { longer_than_s: 0.01, count: 2, total_s: 0.22 });
        assert_eq!(found.longer[1], LongGaps { longer_than_s: 0.1, count: 1, total_s: 0.2 });
    }
}
