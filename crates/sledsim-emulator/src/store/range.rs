//! Check ranges of bytes, and cut them into equal parts.

use std::io;
use std::ops::Range;

/// The range of `bytes` bytes from `offset` on, within a store of `of` bytes.
///
/// # Errors
/// The range exceeds the end.
pub(super) fn within(offset: u64, bytes: u64, of: u64) -> io::Result<Range<u64>> {
    match offset.checked_add(bytes) {
        Some(end) if end <= of => Ok(offset..end),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("expected a range within {of} bytes, found {bytes} bytes from {offset} on"),
        )),
    }
}

/// Cut a range at multiples of `length`: the number of each part, and the range within it.
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
