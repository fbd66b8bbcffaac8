//! The interface of formats that read a file, and options of reading a trace.

use std::io::Read;
use std::ops::ControlFlow;

use super::trace_info::ReaderOutput;
use crate::error::Result;

/// Options of reading a trace.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// Name of the format; detected from the content if not given.
    pub format: Option<&'a str>,
    /// Map of the columns of a CSV file; only for that format.
    pub map: Option<&'a str>,
    /// Skip and count unreadable lines and records, instead of refusing the file.
    pub skip_bad: bool,
    /// Maker of a reader that decompresses ahead, in a thread of the caller.
    pub ahead: Option<Ahead>,
    /// Callback at every piece of the file, and while no piece comes: a break ends the reading with
    /// [`Error::Interrupted`](crate::error::Error::Interrupted).
    pub asked: Option<Asked>,
}

/// A callback that breaks to end the reading.
pub type Asked = fn() -> ControlFlow<()>;

/// A function that makes a reader that reads ahead of another reader.
pub type Ahead = fn(Box<dyn Read + Send>) -> Box<dyn Read + Send>;

/// A reader of an open file in some format.
pub trait Reader: Send {
    /// Takes in the next lines or records, at most `most`; returns their number, 0 at the end.
    ///
    /// # Errors An unreadable line or record; the next call continues behind it.
    fn take_in(&mut self, most: usize, out: &mut ReaderOutput) -> Result<usize>;

    /// Takes in `entries` lines or records and skips unreadable entries if the options say so; returns false at the
    /// end.
    ///
    /// # Errors An unreadable line or record.
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

    /// Number of bytes consumed so far, before decompression.
    fn consumed_bytes(&self) -> u64;
}
