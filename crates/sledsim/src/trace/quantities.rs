//! Parsers of the fields that trace formats share: sectors, bytes, operations.

use super::columns::Op;
use super::fields::{Fault, Fields, Parsed, I32_MAX, LBN_MAX};
use crate::error::ensure;

/// Number of bytes in a sector.
pub(super) const SECTOR_BYTES: u64 = 512;
/// The largest offset of a request in bytes; the sector number at the end of the request is then
/// valid for every permitted size.
pub(super) const OFFSET_MAX: u64 = i64::MAX as u64;
/// The largest size of a request in bytes; the number of its sectors is then valid for every
/// offset.
pub(super) const SIZE_MAX: u64 = (I32_MAX - 1) * SECTOR_BYTES;

/// The largest accepted latency in ns, a century.
pub(super) const LATENCY_NS_MAX: i64 = 36_525 * 86_400 * 1_000_000_000;
/// The fault of a latency or a time of completion that cannot be.
const LATENCY: &str = "a latency of at most a century, and a time of completion of at most 192 years";

/// Computes the arrival of a request in ns from its time of completion, counted from 0, and its latency. Arrivals that
/// are accepted differ by less than 2^63 ns. `fault` is a fault at the latency.
#[inline]
pub(super) fn arrival_ns(completed_ns: i64, latency_ns: i64, fault: Fault) -> Parsed<i64> {
    let can_be = completed_ns <= i64::MAX - LATENCY_NS_MAX && latency_ns <= LATENCY_NS_MAX;
    ensure!(can_be, Fault { expected: LATENCY, ..fault });
    Ok(completed_ns - latency_ns)
}

/// The first sector touched by `size` bytes from `offset` on, and the number of sectors touched.
#[inline]
pub(super) fn sectors(offset: u64, size: u64) -> (i64, i32) {
    debug_assert!(offset <= OFFSET_MAX && size <= SIZE_MAX);
    let first = offset / SECTOR_BYTES;
    let end = (offset + size).div_ceil(SECTOR_BYTES);
    (first as i64, (end - first) as i32)
}

impl<const SEPARATOR: u8> Fields<'_, SEPARATOR> {
    /// Parses a field as a device number.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn device(&mut self) -> Parsed<i32> {
        self.integer(0..=I32_MAX, "a device number from 0 to 2147483647").map(|device| device as i32)
    }

    /// Parses a field as the number of a first sector.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn lbn(&mut self) -> Parsed<u64> {
        self.integer(0..=LBN_MAX, "a block number from 0 to 9223372034707292160")
    }

    /// Parses a field as a number of sectors, which may be 0.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn blocks(&mut self) -> Parsed<u64> {
        self.integer(0..=I32_MAX, "a number of blocks from 0 to 2147483647")
    }

    /// Parses a field as an offset in bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn offset(&mut self) -> Parsed<u64> {
        self.integer(0..=OFFSET_MAX, "an offset in bytes from 0 to 9223372036854775807")
    }

    /// Parses a field as a size in bytes, which may be 0.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn size(&mut self) -> Parsed<u64> {
        self.integer(0..=SIZE_MAX, "a size in bytes from 0 to 1099511626752")
    }

    /// Parses a field as a read or write: one letter or the whole word.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn read_or_write(&mut self) -> Parsed<Op> {
        let fault = self.fault_here("R (read) or W (write)");
        let (word, bytes) = self.short_word();
        read_or_write_of(word.len(), bytes).ok_or(fault)
    }
}

/// Parses a whole number up to `max`: decimal, hexadecimal after `0x`, or with a fraction of zeros,
/// as spreadsheets write it. `expected` describes a valid number in an error message.
pub(super) fn whole(word: &[u8], max: u64, expected: &'static str) -> Result<u64, &'static str> {
    if let Some(digits) = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X")) {
        let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'));
        let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        return value.filter(|value| *value <= max).ok_or(expected);
    }
    let value = decimal(word, 0, expected)?;
    let has_fraction =
        word.split(|&byte| byte == b'.').nth(1).is_some_and(|part| part.iter().any(|b| *b != b'0'));
    u64::try_from(value).ok().filter(|value| *value <= max && !has_fraction).ok_or(expected)
}

/// Parses a word as a decimal number of at least 0, and returns it as a number of units of the
/// `places`th decimal place.
pub(super) fn decimal(word: &[u8], places: usize, expected: &'static str) -> Result<i64, &'static str> {
    let mut fields = Fields::new(word);
    let value = fields.decimal(places, expected).map_err(|_| expected)?;
    fields.end().map(|()| value).map_err(|_| expected)
}

/// Parses a word as a read or write: one letter or the whole word.
pub(super) fn read_or_write(word: &[u8]) -> Option<Op> {
    if word.len() > 8 {
        return None;
    }
    read_or_write_of(word.len(), packed(word))
}

/// Parses the word of a read or write. `length` is the number of its bytes, and `bytes` its first
/// eight bytes as a little-endian number. All comparisons are made without a branch, because the
/// processor cannot predict the next word.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn read_or_write_of(length: usize, bytes: u64) -> Option<Op> {
    let is = |words: [&[u8]; 5]| words.into_iter().fold(false, |found, word| found | (bytes == packed(word)));
    let read = is([b"R", b"r", b"Read", b"read", b"READ"]);
    let write = is([b"W", b"w", b"Write", b"write", b"WRITE"]);
    // A word may end with zero bytes itself.
    let is_all = length as u32 * 8 + bytes.leading_zeros() / 8 * 8 == u64::BITS;
    let op = if read { Op::Read } else { Op::Write };
    ((read | write) & is_all).then_some(op)
}

/// The bytes of a word of at most eight bytes as a little-endian number.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn packed(word: &[u8]) -> u64 {
    word.iter().rev().fold(0, |packed, byte| packed << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::super::fields::Commas;
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

    #[test]
    fn whole_numbers_may_have_a_fraction_of_nothing() {
        let whole = |word: &str| whole(word.as_bytes(), 1 << 40, "").ok();
        assert_eq!((whole("4096"), whole("4096.0"), whole("4.096e3")), (Some(4096), Some(4096), None));
        assert_eq!((whole("4096.5"), whole("-1"), whole(""), whole("1 2")), (None, None, None, None));
    }

    #[test]
    fn operations_are_a_letter_or_a_word() {
        for (words, op) in [("R r Read read READ", Op::Read), ("W w Write write WRITE", Op::Write)] {
            for word in words.split(' ') {
                assert_eq!(read_or_write(word.as_bytes()), Some(op), "{word}");
                let line = format!("{word},7");
                let mut fields = Commas::of(line.as_bytes());
                assert_eq!((fields.read_or_write(), fields.device()), (Ok(op), Ok(7)), "{line}");
            }
        }
        for word in ["", "x", "RW", "Reads", "R\0", "Read\0\0\0\0", "Read\0\0\0\0\0", "Write,", "rEAD"] {
            assert_eq!(read_or_write(word.as_bytes()), None, "{word}");
            assert_eq!(Fields::new(word.as_bytes()).read_or_write().ok(), None, "{word}");
        }
    }
}
