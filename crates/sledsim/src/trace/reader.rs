//! The interface of formats that read a file, and options of reading a trace.

use std::io::Read;
use std::ops::ControlFlow;

use super::trace_info::ReaderOutput;
use crate::error::Result;

/// How to read a trace.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The name of the format; found from the content when not given.
    pub format: Option<&'a str>,
    /// Which column of a CSV file holds what; only for that format.
    pub map: Option<&'a str>,
    /// Skip, and count, lines and records that cannot be read, instead of refusing the file.
    pub skip_bad: bool,
    /// Makes of a decompressor one that works ahead of who reads from it, in a thread of the caller's.
    pub ahead: Option<Ahead>,
    /// Asked at every piece of the file, and while none comes, whether to go on: a break ends the reading with
    /// [`Error::Interrupted`](crate::error::Error::Interrupted).
    pub asked: Option<Asked>,
}

/// Whether to go on.
pub type Asked = fn() -> ControlFlow<()>;

/// Makes a reader that reads ahead of another one.
pub type Ahead = fn(Box<dyn Read + Send>) -> Box<dyn Read + Send>;

/// A reader of an open file in some format.
pub trait Reader: Send {
    /// Takes in the next lines or records, at most `most`, and returns how many they were; 0 when there are none
    /// left.
    ///
    /// # Errors
    /// What cannot be read; the next call goes on behind it.
    fn take_in(&mut self, most: usize, out: &mut ReaderOutput) -> Result<usize>;

    /// Takes in `entries` lines or records, of which those that cannot be read are passed over, if that is wanted;
    /// false when there are none left.
    ///
    /// # Errors
    /// What cannot be read.
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

    /// The bytes consumed so far, before decompression.
    fn consumed_bytes(&self) -> u64;
}
