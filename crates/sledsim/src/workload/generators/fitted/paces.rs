//! The pace of a request: its time after the previous request, on which its kind depends.

/// Upper limits of the paces, as times between arrivals.
const PACES_NS: [i64; PACES - 1] = [1_000_000, 10_000_000, 100_000_000];
/// Number of paces.
pub(super) const PACES: usize = 4;

/// The number of the pace.
pub(super) fn pace(interval_ns: i64) -> usize {
    PACES_NS.iter().filter(|limit_ns| interval_ns > **limit_ns).count()
}
