//! Interface of the readers of trace formats, and options of reading a trace.

use std::io::Read;
use std::ops::ControlFlow;

use super::trace_info::ReaderOutput;
use crate::error::Result;

/// Options of reading a trace.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// Name of the format; `None` to detect the format from the content.
    pub format: Option<&'a str>,
    /// Map of the columns of a table; only the format `csv` accepts a map.
    pub map: Option<&'a str>,
    /// True to skip and count lines or records that cannot be read; false to refuse a file that
    /// contains one.
    pub skip_bad: bool,
    /// Function that wraps the reader of a file in a reader that works ahead of the parser, in a
    /// separate thread.
    pub ahead: Option<Ahead>,
    /// Callback that is called before every read, and again and again while a pipe has no data. If
    /// it returns `Break`, reading ends with
    /// [`Error::Interrupted`](crate::error::Error::Interrupted).
    pub asked: Option<Asked>,
}

/// A callback that returns `Break` to end the reading.
pub type Asked = fn() -> ControlFlow<()>;

/// A function that wraps a reader in one that reads ahead in its own thread.
pub type Ahead = fn(Box<dyn Read + Send>) -> Box<dyn Read + Send>;

/// A reader of an open file in one trace format.
pub trait Reader: Send {
    /// Reads the next lines or records, at most `most`, and appends their requests to `out`. Returns the
    /// number of lines or records, 0 at the end of the file.
    ///
    /// # Errors A line or record that cannot be read; the next call continues after it.
    fn take_in(&mut self, most: usize, out: &mut ReaderOutput) -> Result<usize>;

    /// Reads `entries` lines or records. Skips those that cannot be read, if `out` allows this.
    /// Returns false at the end of the file.
    ///
    /// # Errors A line or record that cannot be read and must not be skipped.
    fn read(&mut self, entries: usize, out: &mut ReaderOutput) -> Result<bool> {
        let mut left = entries;
        while left > 0 {
            match self.take_in(left, out) {
                Ok(0) => return Ok(false),
                Ok(taken) => left -= taken,
                Err(error) => {
                    out.about.bad.pass(error)?;
                    left -= 1;
                }
            }
        }
        Ok(true)
    }

    /// Number of bytes of the file read so far, counted before decompression.
    fn consumed_bytes(&self) -> u64;
}
