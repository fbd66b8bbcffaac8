//! Paces: ranges of the time from a request to the next one. The kind of the next request depends
//! on the pace.

/// Upper limits in ns of the inter-arrival times of each pace; the last pace has no limit.
const PACES_NS: [i64; PACES - 1] = [1_000_000, 10_000_000, 100_000_000];
/// Number of paces.
pub(super) const PACES: usize = 4;

/// Index of the pace to which the inter-arrival time `interval_ns` belongs.
pub(super) fn pace(interval_ns: i64) -> usize {
    PACES_NS.iter().filter(|limit_ns| interval_ns > **limit_ns).count()
}
