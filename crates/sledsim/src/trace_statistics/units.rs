//! Sectors, bytes and shares.

pub(super) const SECTOR_BYTES: u64 = 512;

/// Sectors as bytes, at most what a signed number can say: totals of traces that are no traces.
pub(super) fn bytes(sectors: u64) -> u64 {
    sectors.saturating_mul(SECTOR_BYTES).min(i64::MAX as u64)
}

/// A share; NaN of nothing.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
