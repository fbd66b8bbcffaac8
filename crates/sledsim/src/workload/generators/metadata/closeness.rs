//! Comparison of drawn requests with the published figures of the day that they imitate.

use super::day::Day;
use crate::error::Result;
use crate::trace::Trace;
use crate::trace_statistics::{Statistics, StatisticsOptions};

/// Lists every figure of the drawn requests with the published figure in parentheses. Times are
/// first scaled to the rate of the day; figures are computed as by `sledsim trace info`.
///
/// # Errors The requests do not come from this generator.
pub(super) fn closeness(day: &Day, pace: f64, trace: &Trace) -> Result<String> {
    let mut at_own_rate = trace.clone();
    at_own_rate.arrival_ns.iter_mut().for_each(|at| *at = (*at as f64 * pace) as i64);
    let mut statistics = Statistics::new(StatisticsOptions::default());
    statistics.add(&at_own_rate)?;
    let found = statistics.summary().overall;
    let (counts, arrivals) = (found.counts, found.arrivals);
    let counts = [
        ("requests", counts.requests, day.requests),
        ("writes", counts.writes, day.writes),
        ("metadata", counts.metadata, day.metadata),
        ("metadata writes", counts.metadata_writes, day.metadata_writes),
    ];
    let shares = [
        ("sequential", found.places.logical_sequentiality, day.sequentiality),
        ("inter-arrival times below 10 ms", arrivals.all.share_below_10_ms, day.below_10_ms),
        ("of metadata below 1 ms", arrivals.metadata.share_below_1_ms, day.metadata_below_1_ms),
        ("of metadata below 10 ms", arrivals.metadata.share_below_10_ms, day.metadata_below_10_ms),
    ];
    let counts = counts.map(|(name, found, asked)| format!("{found} {name} ({asked})"));
    let shares = shares.map(|(name, found, asked)| {
        // A single request has no time to a previous one.
        let found = if found.is_nan() { "of none".to_owned() } else { format!("{:.2} %", found * 100.0) };
        format!("{name} {found} ({:.1} %)", asked * 100.0)
    });
    Ok([counts.to_vec(), shares.to_vec()].concat().join("; "))
}
