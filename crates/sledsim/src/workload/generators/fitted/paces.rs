//! The pace of a request: a range of the time since the previous request. The kind of a request depends on
//! it.

/// Upper limits in ns of the inter-arrival times of each pace except the last.
const PACES_NS: [i64; PACES - 1] = [1_000_000, 10_000_000, 100_000_000];
/// Number of paces.
pub(super) const PACES: usize = 4;

/// Index of the pace to which an inter-arrival time in ns belongs.
pub(super) fn pace(interval_ns: i64) -> usize {
    PACES_NS.iter().filter(|limit_ns| interval_ns > **limit_ns).count()
}
