//! Ranges of bytes: that they are within the store, and how they are cut into equal parts.

use std::io;
use std::ops::Range;

/// A range that lies within so many bytes, from its beginning and length.
///
/// # Errors
/// One that reaches past the end.
pub(super) fn within(offset: u64, bytes: u64, of: u64) -> io::Result<Range<u64>> {
    match offset.checked_add(bytes) {
        Some(end) if end <= of => Ok(offset..end),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("expected a range within {of} bytes, found {bytes} bytes from {offset} on"),
        )),
    }
}

/// The parts of a range in parts of the store of this length: the number of each, and the range within it.
pub(super) fn parts(range: Range<u64>, length: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
    let numbers = if range.is_empty() { 0..0 } else { range.start / length..range.end.div_ceil(length) };
    numbers.map(move |number| {
        let start = number * length;
        let from = range.start.max(start) - start;
        let to = range.end.min(start + length) - start;
        (number, from as usize..to as usize)
    })
}

/// Whether there are only zeros.
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<16>();
    chunks.iter().all(|chunk| u128::from_ne_bytes(*chunk) == 0) && rest.iter().all(|&byte| byte == 0)
}
