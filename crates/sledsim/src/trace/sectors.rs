//! Sectors of 512 bytes, for formats that count in bytes.

use super::fields::I32_MAX;

const SECTOR_BYTES: u64 = 512;

/// The first of the sectors that `size` bytes from `offset` touch, and how many they are; none if that is more than
/// a column holds, or the bytes run over the end of what 64 bits can address. Nothing touches no sectors.
pub(super) fn touched(offset: u64, size: u64) -> Option<(i64, i32)> {
    let first = offset / SECTOR_BYTES;
    let end = offset.checked_add(size)?.div_ceil(SECTOR_BYTES);
    let count = if size == 0 { 0 } else { end - first };
    (count <= I32_MAX).then_some((first as i64, count as i32))
}

#[cfg(test)]
mod tests {
    use super::touched;

    #[test]
    fn a_request_covers_every_sector_that_it_touches() {
        assert_eq!(touched(0, 512), Some((0, 1)));
        assert_eq!(touched(512, 1), Some((1, 1)));
        assert_eq!(touched(511, 2), Some((0, 2)));
        assert_eq!(touched(256, 1024), Some((0, 3)));
        assert_eq!(touched(1000, 0), Some((1, 0)));
        assert_eq!(touched(0, 512 * u64::from(u32::MAX >> 1)), Some((0, i32::MAX)));
        assert_eq!(touched(1, 512 * u64::from(u32::MAX >> 1)), None);
        assert_eq!(touched(u64::MAX, 1), None);
    }
}
