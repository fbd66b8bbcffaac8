//! How soon a request comes after the one before: what comes next depends on it.

/// Up to these times between arrivals it depends which kind comes next.
const PACES_NS: [i64; PACES - 1] = [1_000_000, 10_000_000, 100_000_000];
/// Paces at which the next request comes.
pub(super) const PACES: usize = 4;

/// The number of the pace.
pub(super) fn pace(interval_ns: i64) -> usize {
    PACES_NS.iter().filter(|limit_ns| interval_ns > **limit_ns).count()
}
