//! Check that ranges of bytes lie within a store, and divide them into equal parts.

use std::io;
use std::ops::Range;

/// Return the range of `bytes` bytes from `offset` on in a store that has `of` bytes.
///
/// # Errors
/// The range exceeds the end of the store.
pub(super) fn within(offset: u64, bytes: u64, of: u64) -> io::Result<Range<u64>> {
    match offset.checked_add(bytes) {
        Some(end) if end <= of => Ok(offset..end),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "range of bytes: expected one within {of} bytes, found {bytes} bytes from byte {offset} on"
            ),
        )),
    }
}

/// Divide a range of bytes at the multiples of `length`. Return for each part the number of its block of
/// `length` bytes, and the range of the part within this block.
pub(super) fn parts(range: Range<u64>, length: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
    let numbers = if range.is_empty() { 0..0 } else { range.start / length..range.end.div_ceil(length) };
    numbers.map(move |number| {
        let start = number * length;
        let from = range.start.max(start) - start;
        let to = range.end.min(start + length) - start;
        (number, from as usize..to as usize)
    })
}

/// Return true if all bytes are zero.
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<16>();
    chunks.iter().all(|chunk| u128::from_ne_bytes(*chunk) == 0) && rest.iter().all(|&byte| byte == 0)
}
