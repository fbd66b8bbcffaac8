//! Conversions to bytes and to shares.

pub(super) const SECTOR_BYTES: u64 = 512;

/// Converts a number of sectors to bytes; the result is at most the largest signed number, which
/// only invalid traces reach.
pub(super) fn bytes(sectors: u64) -> u64 {
    sectors.saturating_mul(SECTOR_BYTES).min(i64::MAX as u64)
}

/// Share of `part` in `whole`; NaN if `whole` is 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
