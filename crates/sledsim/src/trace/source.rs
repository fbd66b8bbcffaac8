//! Source of a trace reader: lines or bytes of a file through a buffer of limited size, with positions for
//! messages.

use std::mem;
use std::ops::Range;
use std::path::Path;

use memchr::{memchr, memmem};

use super::decoded_stream::{DecodedStream, Input};
use super::reader::ReadOptions;
use crate::error::{Error, Result};

/// Size of the buffer in bytes; a shorter file gets a smaller buffer, which speeds up tests.
const BUFFER_BYTES: usize = 1 << 20;
const SMALL_BUFFER_BYTES: usize = 4 << 10;
/// Smallest number of bytes at the start of a file by which its format is recognised; a shorter
/// file is used as a whole.
const HEAD_BYTES: usize = 64 << 10;
const LINE_BYTES_MAX: usize = 64 << 10;
/// Byte order mark of UTF-8, which some editors write at the start of a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// Numbers of lines before the last one with which its length is compared: at least and at most.
const LINES: [usize; 2] = [8, 16];
/// Largest number of bytes of a line that names the separator of a table.
const SEPARATOR_BYTES_MAX: usize = 12;

/// An open trace file, decompressed and read from start to end.
pub(super) struct DecodedSource {
    stream: DecodedStream,
    buffer: Vec<u8>,
    /// Part of the buffer that has not been read yet.
    unread: Range<usize>,
    /// Position of the buffer's first byte in the decompressed file.
    buffer_offset: u64,
    is_at_end: bool,
    line_number: u64,
    separator: Option<u8>,
    /// Position of the current line within the buffer.
    line: Range<usize>,
    /// True if the current line has no line end, because the file ends in it.
    is_open_line: bool,
    /// True if the unread part of the buffer begins in the middle of a line that is too long.
    is_inside_line: bool,
    /// Error that occurred while the first bytes were read; it is returned once these bytes have
    /// been consumed.
    fault: Option<Error>,
}

impl DecodedSource {
    pub fn open(input: Input, options: &ReadOptions<'_>) -> Result<Self> {
        Ok(Self {
            stream: DecodedStream::open(input, options)?,
            buffer: vec![0; SMALL_BUFFER_BYTES],
            unread: 0..0,
            buffer_offset: 0,
            is_at_end: false,
            line_number: 0,
            separator: None,
            line: 0..0,
            is_open_line: false,
            is_inside_line: false,
            fault: None,
        })
    }

    /// Name of the file as the user wrote it.
    pub fn name(&self) -> &str {
        &self.stream.name
    }

    /// Path of the file; `None` for a pipe.
    pub fn path(&self) -> Option<&Path> {
        self.stream.path.as_deref()
    }

    /// Number of bytes of the file consumed so far, counted before decompression.
    pub fn consumed_bytes(&self) -> u64 {
        self.stream.consumed_bytes()
    }

    /// Skips a byte order mark of UTF-8 at the start of the file, and a first line `sep=,` behind it, with
    /// which Excel names the separator of a table.
    pub fn skip_byte_order_mark(&mut self) {
        if let Err(fault) = self.next_at_least(BYTE_ORDER_MARK.len() + SEPARATOR_BYTES_MAX) {
            self.fault = Some(fault);
        }
        if self.unread().starts_with(BYTE_ORDER_MARK) {
            self.unread.start += BYTE_ORDER_MARK.len();
        }
        let start = self.unread().get(..SEPARATOR_BYTES_MAX).unwrap_or(self.unread());
        if let Some((length, separator)) =
            memchr(b'\n', start).and_then(|end| Some((end + 1, named(&start[..end])?)))
        {
            self.separator = Some(separator);
            self.unread.start += length;
            self.line_number += 1;
        }
    }

    /// The separator that the first line of the file names, if any.
    pub fn separator(&self) -> Option<u8> {
        self.separator
    }

    /// The first bytes of the file: at least 64 KiB, or the whole file if it is shorter. They remain
    /// unread.
    pub fn head(&mut self) -> Result<&[u8]> {
        if let Err(fault) = self.next_at_least(HEAD_BYTES) {
            if self.unread.is_empty() {
                return Err(fault);
            }
            self.fault = Some(fault);
        }
        Ok(&self.buffer[self.unread.clone()])
    }

    /// The next line without its line end; `None` at the end of the file. Blank lines, comments
    /// (`#` and the rest of the line) and the rest of a line that is too long are returned as empty
    /// lines.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        loop {
            let unread = &self.buffer[self.unread.clone()];
            let (length, step) = match memchr(b'\n', unread) {
                Some(length) => (length, length + 1),
                None if unread.len() <= LINE_BYTES_MAX && self.fill()? => continue,
                None => (self.unread.len(), self.unread.len()),
            };
            if step == 0 {
                return Ok(None);
            }
            self.line = self.unread.start..self.unread.start + length;
            self.unread.start += step;
            let goes_on = step == length;
            if mem::replace(&mut self.is_inside_line, goes_on && length > LINE_BYTES_MAX) {
                return Ok(Some(&[]));
            }
            self.line_number += 1;
            if length > LINE_BYTES_MAX {
                return Err(self.line_error(&format!(
                    "expected a line of at most {LINE_BYTES_MAX} bytes, found a longer line"
                )));
            }
            let is_entry = self.has_content();
            self.is_open_line = goes_on && is_entry;
            return Ok(Some(if is_entry { &self.buffer[self.line.clone()] } else { &[] }));
        }
    }

    /// True if the last line of the file is not blank and has no line end.
    pub fn ends_in_line(&self) -> bool {
        self.is_open_line
    }

    /// True if the last line has no line end, and is shorter than each of the lines before it: the file may have been cut.
    pub fn looks_cut(&self) -> bool {
        let is_entry = |line: &&[u8]| !matches!(line.trim_ascii_start().first(), None | Some(b'#'));
        // The first line may be a header, or begin before the buffer.
        let before = self.buffer[..self.line.start].split(|byte| *byte == b'\n').skip(1);
        let before: Vec<&[u8]> = before.filter(is_entry).collect();
        let [least, most] = LINES;
        let mut compared = before.iter().rev().take(most);
        self.is_open_line
            && before.len() >= least
            && compared.all(|line| line.trim_ascii_end().len() > self.line.len())
    }

    /// Removes the carriage return at the end of the current line; returns true if the line is neither
    /// blank nor a comment.
    fn has_content(&mut self) -> bool {
        let line = &self.buffer[self.line.clone()];
        if line.ends_with(b"\r") {
            self.line.end -= 1;
        }
        !matches!(line.trim_ascii_start().first(), None | Some(b'#'))
    }

    /// Consumes the next `count` bytes, at most the size of the buffer, and returns them; fewer at
    /// the end of the file.
    pub fn next_bytes(&mut self, count: usize) -> Result<&[u8]> {
        self.next_at_least(count)?;
        Ok(self.claim(count.min(self.unread.len())))
    }

    /// Consumes the next `SIZE` bytes and returns them as a record; `None` at the end of the file.
    pub fn next_record<const SIZE: usize>(&mut self) -> Result<Option<&[u8; SIZE]>> {
        self.next_at_least(SIZE)?;
        let (offset, found) = (self.offset(), self.unread.len());
        if (1..SIZE).contains(&found) {
            self.claim(found);
            return Err(self.cut_short(offset, SIZE, "a record", found));
        }
        Ok(self.claim(SIZE.min(found)).first_chunk())
    }

    /// Bytes that are in the buffer but have not been consumed.
    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.unread.clone()]
    }

    /// Makes the last `count` consumed bytes unread again.
    pub fn give_back(&mut self, count: usize) {
        self.unread.start -= count;
    }

    /// Skips to the next occurrence of `bytes`, or to the end of the file.
    pub fn skip_to(&mut self, bytes: &[u8]) -> Result<()> {
        loop {
            self.next_at_least(bytes.len())?;
            let unread = &self.buffer[self.unread.clone()];
            if let Some(at) = memmem::find(unread, bytes) {
                self.unread.start += at;
                return Ok(());
            }
            if unread.len() < bytes.len() {
                self.unread.start = self.unread.end;
                return Ok(());
            }
            // The last bytes may be the beginning of the searched ones.
            self.unread.start = self.unread.end + 1 - bytes.len();
        }
    }

    fn claim(&mut self, count: usize) -> &[u8] {
        let start = self.unread.start;
        self.unread.start += count;
        &self.buffer[start..self.unread.start]
    }

    /// Position of the next unread byte in the decompressed file.
    pub fn offset(&self) -> u64 {
        self.buffer_offset + self.unread.start as u64
    }

    /// Fills the buffer until it has `count` unread bytes, or until the file ends.
    pub fn next_at_least(&mut self, count: usize) -> Result<()> {
        while self.unread.len() < count && self.fill()? {}
        Ok(())
    }

    /// Reads more bytes behind the unread part of the buffer; returns false at the end of the file.
    fn fill(&mut self) -> Result<bool> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.is_at_end {
            return Ok(false);
        }
        self.buffer.copy_within(self.unread.clone(), 0);
        self.buffer_offset += self.unread.start as u64;
        self.unread = 0..self.unread.len();
        // Reading ends at a fault, so that it is reported only once.
        self.is_at_end = true;
        let count = self.stream.read(&mut self.buffer[self.unread.end..])?;
        self.unread.end += count;
        self.is_at_end = count == 0;
        if self.unread.end == self.buffer.len() {
            self.buffer.resize(BUFFER_BYTES, 0);
        }
        Ok(!self.is_at_end)
    }

    /// Returns an error with the message `message` for byte `offset` of the decompressed file.
    #[cold]
    pub fn byte_error(&self, offset: u64, message: &str) -> Error {
        Error::Trace(format!("byte {offset}: {message}")).at(self.name())
    }

    /// Returns an error for a file that ends within an item: `what` names the item, which has `expected`
    /// bytes but only `found` of them in the file.
    #[cold]
    pub fn cut_short(&self, offset: u64, expected: usize, what: &str, found: usize) -> Error {
        let message = format!("expected {expected} bytes of {what}, found {found} (the file is cut short)");
        self.byte_error(offset, &message)
    }

    /// Returns an error with the message `message` for the current line.
    #[cold]
    pub fn line_error(&self, message: &str) -> Error {
        Error::Trace(message.to_string()).marked(self.name(), format!(":{}", self.line_number))
    }
}

/// The separator that a line such as `sep=,` or `"sep=;"` names.
fn named(line: &[u8]) -> Option<u8> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let bare = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let (name, value) = bare.split_at_checked(4)?;
    match value {
        _ if !name.eq_ignore_ascii_case(b"sep=") => None,
        b"\\t" => Some(b'\t'),
        [separator] => Some(*separator),
        _ => None,
    }
}
