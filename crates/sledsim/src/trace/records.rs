//! Reading a binary format whose records are all of one size.

use super::about::Out;
use super::source::Source;
use super::Reader;
use crate::error::Result;

/// A value, or what is wrong with the record.
pub(super) type Decoded<T> = std::result::Result<T, String>;

/// A format of records of one size.
pub(super) trait RecordFormat: Send {
    /// The size of a record in bytes.
    fn record_bytes(&self) -> usize;

    /// Takes in a record.
    fn record(&mut self, record: &[u8], out: &mut Out) -> Decoded<()>;
}

/// The records of a file, read as a format.
pub(super) struct Records<F> {
    source: Source,
    format: F,
}

impl<F: RecordFormat + 'static> Records<F> {
    /// A reader of the rest of a file.
    pub fn reader(source: Source, format: F) -> Box<dyn Reader> {
        Box::new(Self { source, format })
    }
}

impl<F: RecordFormat> Reader for Records<F> {
    fn read(&mut self, entries: usize, out: &mut Out) -> Result<bool> {
        let size = self.format.record_bytes();
        let mut left = entries;
        while left > 0 {
            let offset = self.source.offset();
            let records = self.source.next_records(size, left)?;
            if records.is_empty() {
                let found = self.source.next_bytes(size)?.len();
                if found > 0 {
                    out.about.bad.pass(self.source.cut_short(offset, size, "a record", found))?;
                }
                return Ok(false);
            }
            left -= records.len() / size;
            for (at, record) in self.source.bytes(records).chunks_exact(size).enumerate() {
                if let Err(message) = self.format.record(record, out) {
                    let fault = self.source.byte_error(offset + (at * size) as u64, &message);
                    out.about.bad.pass(fault)?;
                }
            }
        }
        Ok(true)
    }

    fn consumed_bytes(&self) -> u64 {
        self.source.consumed_bytes()
    }
}
