//! Reading of a binary format whose records have equal size.

use super::columns::TraceRow;
use super::source::DecodedSource;
use super::trace_info::ReaderOutput;
use super::Reader;
use crate::error::Result;

/// A decoded value, or a message that says what is wrong with the record.
pub(super) type Decoded<T> = std::result::Result<T, String>;

/// A binary format whose records have `SIZE` bytes.
pub(super) trait RecordFormat<const SIZE: usize>: Send {
    /// Decodes a record into a request; returns `None` if the record is not a request.
    fn record(&mut self, record: &[u8; SIZE], out: &mut ReaderOutput) -> Decoded<Option<TraceRow>>;
}

/// Largest number of records in the buffer for which memory is reserved for these records only; for
/// more records, memory for a full batch is reserved.
const FEW: usize = 256;

/// Reader of the records of a file in one format.
pub(super) struct Records<F, const SIZE: usize> {
    source: DecodedSource,
    format: F,
}

impl<F: RecordFormat<SIZE> + 'static, const SIZE: usize> Records<F, SIZE> {
    /// Returns a reader of the unread records of `source` in the given format.
    pub fn reader(source: DecodedSource, format: F) -> Box<dyn Reader> {
        Box::new(Self { source, format })
    }
}

impl<F: RecordFormat<SIZE>, const SIZE: usize> Reader for Records<F, SIZE> {
    fn take_in(&mut self, most: usize, out: &mut ReaderOutput) -> Result<usize> {
        let offset = self.source.offset();
        self.source.next_at_least(SIZE)?;
        let (records, _) = self.source.unread().as_chunks::<SIZE>();
        let records = &records[..records.len().min(most)];
        if records.is_empty() {
            return self.source.next_record::<SIZE>().map(|_| 0);
        }
        // A file that fills the buffer is likely to fill the batch.
        out.rows.reserve(if records.len() > FEW { most } else { records.len() });
        for (at, record) in records.iter().enumerate() {
            match self.format.record(record, out) {
                Ok(Some(request)) => out.rows.push(request),
                Ok(None) => {}
                Err(message) => {
                    let fault = self.source.byte_error(offset + (at * SIZE) as u64, &message);
                    out.about.bad.pass(fault)?;
                }
            }
        }
        let taken = records.len();
        self.source.next_bytes(taken * SIZE)?;
        Ok(taken)
    }

    fn consumed_bytes(&self) -> u64 {
        self.source.consumed_bytes()
    }
}

/// The 16-bit little-endian number that starts at byte `at` of a record.
#[inline]
pub(super) fn u16_le(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([record[at], record[at + 1]])
}

/// The 32-bit little-endian number that starts at byte `at` of a record.
#[inline]
pub(super) fn u32_le(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
}

/// The 64-bit little-endian number that starts at byte `at` of a record.
#[inline]
pub(super) fn u64_le(record: &[u8], at: usize) -> u64 {
    u64::from(u32_le(record, at + 4)) << 32 | u64::from(u32_le(record, at))
}
