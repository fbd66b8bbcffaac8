//! Reading of a text format in which every line is a request, an event or another entry.

use super::evidence::Aspect;
use super::fields::{Fault, Parsed};
use super::source::DecodedSource;
use super::trace_info::ReaderOutput;
use super::Reader;
use crate::error::Result;

const CUT: &str = "the last line of the file has no line end";

/// A text format in which every line is a request, an event or another entry.
pub(super) trait LineFormat: Send {
    /// Reads a line that is neither blank nor a comment, and appends the requests that are then
    /// complete to `out`.
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()>;

    /// True if a line that cannot be read as an entry is a header, which is skipped.
    fn is_header(&self, _line: &[u8]) -> bool {
        false
    }

    /// Returns the error message for a fault in `line`.
    fn message(&self, fault: Fault, line: &[u8]) -> String {
        fault.message(line)
    }

    /// Appends requests that are still held back to `out`, at the end of the file.
    fn finish(&mut self, _out: &mut ReaderOutput) {}
}

/// Reader of the lines of a file in one format.
pub(super) struct Lines<F> {
    source: DecodedSource,
    format: F,
    /// True once a line was read as an entry.
    has_entry: bool,
    /// False if the last line could not be read because the file ends in it.
    is_whole: bool,
}

impl<F: LineFormat + 'static> Lines<F> {
    /// Returns a reader of the unread lines of `source` in the given format.
    pub fn reader(source: DecodedSource, format: F) -> Box<dyn Reader> {
        Box::new(Self { source, format, has_entry: false, is_whole: true })
    }
}

impl<F: LineFormat> Reader for Lines<F> {
    fn take_in(&mut self, most: usize, out: &mut ReaderOutput) -> Result<usize> {
        // A separate loop, because returning the outcome of every line takes time.
        for taken in 0..most {
            let line = match self.source.next_line() {
                Ok(Some([])) => continue,
                Ok(Some(line)) => line,
                Ok(None) if taken > 0 => return Ok(taken),
                Ok(None) => {
                    self.format.finish(out);
                    if self.is_whole && self.source.looks_cut() {
                        out.about.doubt(
                            Aspect::Completeness,
                            format!("{CUT}, and is the shortest: it may be cut short"),
                        );
                    } else if self.is_whole && self.source.ends_in_line() {
                        out.about.remark(Aspect::Completeness, format!("{CUT}, and may be cut short"));
                    }
                    return Ok(0);
                }
                Err(error) => {
                    out.about.bad.pass(error)?;
                    continue;
                }
            };
            match self.format.line(line, out) {
                Ok(()) => self.has_entry = true,
                Err(_) if self.format.is_header(line) => {}
                Err(fault) => {
                    let message = self.format.message(fault, line);
                    let fault = self.source.line_error(&message);
                    if self.has_entry && self.source.ends_in_line() {
                        out.about.doubt(Aspect::Completeness, format!("{CUT}, and is left out: {fault}"));
                        self.is_whole = false;
                    } else {
                        out.about.bad.pass(fault)?;
                    }
                }
            }
        }
        Ok(most)
    }

    fn consumed_bytes(&self) -> u64 {
        self.source.consumed_bytes()
    }
}
