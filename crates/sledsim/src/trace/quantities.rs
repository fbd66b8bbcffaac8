//! The fields that the formats have in common: sectors, bytes, operations.

use super::columns::Op;
use super::fields::{Fields, Parsed, I32_MAX, LBN_MAX};

/// Bytes in a sector.
pub(super) const SECTOR_BYTES: u64 = 512;
/// The largest offset in bytes, so that the request still ends at a sector that can be numbered.
pub(super) const OFFSET_MAX: u64 = i64::MAX as u64;
/// The largest size in bytes: wherever it begins, it touches no more sectors than can be counted.
pub(super) const SIZE_MAX: u64 = (I32_MAX - 1) * SECTOR_BYTES;

/// The first of the sectors that some bytes touch, and how many they are.
#[inline]
pub(super) fn sectors(offset: u64, size: u64) -> (i64, i32) {
    debug_assert!(offset <= OFFSET_MAX && size <= SIZE_MAX);
    let first = offset / SECTOR_BYTES;
    let end = (offset + size).div_ceil(SECTOR_BYTES);
    (first as i64, (end - first) as i32)
}

impl<const SEPARATOR: u8> Fields<'_, SEPARATOR> {
    /// A device number.
    #[inline]
    pub fn device(&mut self) -> Parsed<i32> {
        self.integer(0..=I32_MAX, "a device number from 0 to 2147483647").map(|device| device as i32)
    }

    /// A first sector.
    #[inline]
    pub fn lbn(&mut self) -> Parsed<u64> {
        self.integer(0..=LBN_MAX, "a block number from 0 to 9223372034707292160")
    }

    /// A number of sectors, perhaps none.
    #[inline]
    pub fn blocks(&mut self) -> Parsed<u64> {
        self.integer(0..=I32_MAX, "a number of blocks from 0 to 2147483647")
    }

    /// A first byte.
    #[inline]
    pub fn offset(&mut self) -> Parsed<u64> {
        self.integer(0..=OFFSET_MAX, "an offset in bytes from 0 to 9223372036854775807")
    }

    /// A number of bytes, perhaps none.
    #[inline]
    pub fn size(&mut self) -> Parsed<u64> {
        self.integer(0..=SIZE_MAX, "a size in bytes from 0 to 1099511626752")
    }

    /// Read or write, as one letter or spelled out.
    #[inline]
    pub fn read_or_write(&mut self) -> Parsed<Op> {
        let fault = self.fault_here("R (read) or W (write)");
        read_or_write(self.word()).ok_or(fault)
    }
}

/// Read or write, as one letter or spelled out.
#[inline]
pub(super) fn read_or_write(word: &[u8]) -> Option<Op> {
    match word {
        b"R" | b"r" | b"Read" | b"read" | b"READ" => Some(Op::Read),
        b"W" | b"w" | b"Write" | b"write" | b"WRITE" => Some(Op::Write),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_cover_the_sectors_they_touch() {
        for (offset, size, expected) in [
            (0, 512, (0, 1)),
            (0, 1, (0, 1)),
            (511, 2, (0, 2)),
            (1024, 513, (2, 2)),
            (OFFSET_MAX, SIZE_MAX, (i64::MAX / 512, i32::MAX)),
        ] {
            assert_eq!(sectors(offset, size), expected, "{offset}+{size}");
        }
        assert_eq!(SIZE_MAX, 1_099_511_626_752);
    }
}
