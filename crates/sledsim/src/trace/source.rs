//! What a reader of a format reads from: lines or bytes through a bounded buffer, with their places.

use std::io::BufRead;
use std::ops::Range;
use std::path::Path;

use super::fields::Fault;
use super::stream::Stream;
use super::Observer;
use crate::error::{Error, Result};

const BUFFER_BYTES: usize = 1 << 20;
/// The head shown to the formats for recognition is at least this long if the file is.
const HEAD_BYTES: usize = 64 << 10;
const LINE_BYTES_MAX: usize = 64 << 10;

/// An open trace file (or one file after another), decompressed, read in order.
pub struct Source<'a> {
    stream: Stream,
    /// The bytes consumed of files before this one.
    earlier_bytes: u64,
    observe: &'a mut Observer<'a>,
    buffer: Vec<u8>,
    /// The part of the buffer that is still to be read.
    unread: Range<usize>,
    /// Where the buffer begins in the decompressed file.
    buffer_offset: u64,
    is_at_end: bool,
    line_number: u64,
    /// Where the current line lies in the buffer.
    line: Range<usize>,
    sort: bool,
    last_arrival_ns: i64,
}

impl<'a> Source<'a> {
    pub(super) fn open(path: &Path, sort: bool, observe: &'a mut Observer<'a>) -> Result<Self> {
        Ok(Self {
            stream: Stream::open(path)?,
            earlier_bytes: 0,
            observe,
            buffer: vec![0; BUFFER_BYTES],
            unread: 0..0,
            buffer_offset: 0,
            is_at_end: false,
            line_number: 0,
            line: 0..0,
            sort,
            last_arrival_ns: i64::MIN,
        })
    }

    /// Goes on with another file, after `earlier_bytes` of those before it.
    pub(super) fn switch_to(&mut self, path: &Path, earlier_bytes: u64) -> Result<()> {
        self.stream = Stream::open(path)?;
        self.earlier_bytes = earlier_bytes;
        self.unread = 0..0;
        self.buffer_offset = 0;
        self.is_at_end = false;
        Ok(())
    }

    /// The file being read, as the user named it.
    pub fn path(&self) -> std::path::Display<'_> {
        self.stream.path().display()
    }

    pub(super) fn file(&self) -> &Path {
        self.stream.path()
    }

    /// The bytes consumed so far, before decompression, of all files.
    pub(super) fn consumed_bytes(&self) -> u64 {
        self.earlier_bytes + self.stream.consumed_bytes()
    }

    /// The first bytes, still unread after this: all of them or at least 64 KiB.
    pub(super) fn head(&mut self) -> Result<&[u8]> {
        self.next_at_least(HEAD_BYTES)?;
        Ok(&self.buffer[self.unread.clone()])
    }

    /// The next line that is neither blank nor a `#` comment, without its end.
    pub(super) fn next_line(&mut self) -> Result<Option<&[u8]>> {
        loop {
            let unread = &self.buffer[self.unread.clone()];
            let (length, step) = match find_newline(unread) {
                Some(length) => (length, length + 1),
                None if unread.len() <= LINE_BYTES_MAX && self.fill()? => continue,
                None => (self.unread.len(), self.unread.len()),
            };
            if step == 0 {
                return Ok(None);
            }
            self.line_number += 1;
            if length > LINE_BYTES_MAX {
                return Err(self.line_error(&format!(
                    "expected a line of at most {LINE_BYTES_MAX} bytes, found a longer one"
                )));
            }
            self.line = self.unread.start..self.unread.start + length;
            self.unread.start += step;
            if self.has_content() {
                return Ok(Some(&self.buffer[self.line.clone()]));
            }
        }
    }

    /// Drops the carriage return of the current line, and says whether anything stands on it.
    fn has_content(&mut self) -> bool {
        let line = &self.buffer[self.line.clone()];
        if line.ends_with(b"\r") {
            self.line.end -= 1;
        }
        !matches!(line.trim_ascii_start().first(), None | Some(b'#'))
    }

    /// The next `count` bytes (at most the buffer's), or what is left of the file.
    pub(super) fn next_bytes(&mut self, count: usize) -> Result<&[u8]> {
        self.next_at_least(count)?;
        let start = self.unread.start;
        self.unread.start += count.min(self.unread.len());
        Ok(&self.buffer[start..self.unread.start])
    }

    /// Where the next unread byte lies in the decompressed file.
    pub(super) fn offset(&self) -> u64 {
        self.buffer_offset + self.unread.start as u64
    }

    fn next_at_least(&mut self, count: usize) -> Result<()> {
        while self.unread.len() < count && self.fill()? {}
        Ok(())
    }

    /// Reads more behind what is unread; false at the end of the file.
    fn fill(&mut self) -> Result<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        self.buffer.copy_within(self.unread.clone(), 0);
        self.buffer_offset += self.unread.start as u64;
        self.unread = 0..self.unread.len();
        let count = self.stream.read(&mut self.buffer[self.unread.end..])?;
        self.unread.end += count;
        self.is_at_end = count == 0;
        let consumed_bytes = self.consumed_bytes();
        if (self.observe)(consumed_bytes).is_break() {
            return Err(Error::Interrupted);
        }
        Ok(!self.is_at_end)
    }

    /// Refuses an arrival before the last one, unless the trace will be sorted.
    pub(super) fn check_order(&mut self, arrival_ns: i64) -> Result<()> {
        if arrival_ns < self.last_arrival_ns && !self.sort {
            let (last, this) = (seconds(self.last_arrival_ns), seconds(arrival_ns));
            return Err(self.line_error(&format!(
                "expected arrival times that never decrease, found {this} after {last}: sort it, or pass sort=True (--sort)"
            )));
        }
        self.last_arrival_ns = arrival_ns;
        Ok(())
    }

    /// A fault at a byte of the decompressed file.
    #[cold]
    pub(super) fn byte_error(&self, offset: u64, message: &str) -> Error {
        Error::Trace(format!("{}: byte {offset}: {message}", self.path()))
    }

    /// A fault in the current line.
    #[cold]
    pub(super) fn fault(&self, fault: Fault) -> Error {
        self.line_error(&fault.message(&self.buffer[self.line.clone()]))
    }

    #[cold]
    fn line_error(&self, message: &str) -> Error {
        Error::Trace(format!("{}:{}: {message}", self.path(), self.line_number))
    }
}

/// The place of the first newline.
fn find_newline(bytes: &[u8]) -> Option<usize> {
    // The standard library's fast search for a byte is behind this method only.
    let step = (&mut &*bytes).skip_until(b'\n').unwrap_or_default();
    bytes[..step].ends_with(b"\n").then(|| step - 1)
}

fn seconds(ns: i64) -> String {
    format!("{}.{:09} s", ns / 1_000_000_000, ns % 1_000_000_000)
}
