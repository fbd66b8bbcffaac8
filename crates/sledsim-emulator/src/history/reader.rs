//! Read a history file: events are read into memory, the data of writes stay in the file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::frame::{self, Frames, Next};
use super::{About, MAGIC};
use crate::store::SECTOR_BYTES;

/// A write that a client submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Time of submission in nanoseconds of the server's clock.
    pub submitted_ns: u64,
    /// Row of the write in the record of requests; the first row if the write has several.
    pub row: u64,
    /// Offset of the write on the device in bytes, at a sector boundary.
    pub offset: u64,
    /// Length of the write in bytes, a multiple of the sector size.
    pub bytes: u64,
    /// True if the write must be durable before it is answered (FUA).
    pub fua: bool,
    /// Offset of the write's data in the history file; `None` for a write of zeros.
    data_at: Option<u64>,
}

impl Write {
    /// Return true if the write consists of zeros, which are not stored in the history file.
    #[must_use]
    pub fn is_zeros(&self) -> bool {
        self.data_at.is_none()
    }

    /// Number of sectors of the write.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        self.bytes / SECTOR_BYTES
    }
}

/// An event of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A write was submitted; the value is its number, counted from 0.
    Submitted(usize),
    /// A write was answered. A write that failed changed nothing.
    Completed {
        /// Number of the answered write.
        write: usize,
        /// True if the write succeeded.
        is_done: bool,
    },
    /// A flush was answered.
    Flushed {
        /// Number of writes that were answered before the flush was submitted, in the order of their answers.
        covers: u64,
    },
}

/// Reason for the end of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The server ended normally.
    Whole,
    /// The server or the machine died, or the file is truncated.
    CutOff,
    /// The history file could not keep up with the server, so later events are missing.
    Overrun,
}

/// A history that was read from a file.
#[derive(Debug)]
pub struct History {
    /// Description of the served device.
    pub about: About,
    /// All writes in the order of submission.
    pub writes: Vec<Write>,
    /// All events in the order in which they happened.
    pub events: Vec<Event>,
    /// Reason for the end of the history.
    pub end: End,
    /// Ranges of the contents at the start: offset on the device, length, and offset in the history file, in bytes.
    state: Vec<[u64; 3]>,
    file: File,
}

/// The error for a history file that cannot be read.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// An I/O error of the operating system.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the history file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The error for a file that is not a history, or that is damaged.
    #[error("{}: at byte {at}: expected {expected}, found {found}", path.display())]
    Record {
        /// Path of the history file.
        path: PathBuf,
        /// Offset of the faulty record in the file.
        at: u64,
        /// Expected contents of the record.
        expected: &'static str,
        /// Actual contents of the record.
        found: String,
    },
}

/// Fault of a record: the expected contents, and the contents found.
type Wrong = (&'static str, String);

impl History {
    /// Read and check the history file at `path`. The data of writes are not kept in memory.
    ///
    /// # Errors
    /// I/O errors of the operating system. The file is not a history, or it is damaged before its last record.
    pub fn open(path: &Path) -> Result<Self, HistoryError> {
        let system = |source| HistoryError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(system)?;
        let mut input = BufReader::with_capacity(1 << 20, &file);
        let wrong = |at, (expected, found): Wrong| HistoryError::Record {
            path: path.to_owned(),
            at,
            expected,
            found,
        };
        let mut magic = Vec::new();
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(system)?;
        if magic != MAGIC {
            let found = format!("{:?}", String::from_utf8_lossy(&magic));
            return Err(wrong(0, ("a history written by 'sledsim serve --history'", found)));
        }
        let mut frames = Frames::new(input, MAGIC.len() as u64);
        let mut reading = Reading::default();
        loop {
            let at = frames.at;
            match frames.next().map_err(system)? {
                Next::Record { kind, payload_at } => {
                    reading.take(kind, &frames.payload, payload_at).map_err(|found| wrong(at, found))?
                }
                Next::End | Next::CutOff if reading.has_begun => break,
                Next::End | Next::CutOff => {
                    return Err(wrong(
                        at,
                        (
                            "records with the contents of the device at the start",
                            "the end of the file".into(),
                        ),
                    ));
                }
                Next::Broken => {
                    return Err(wrong(at, ("a valid record", "damaged bytes".into())));
                }
            }
        }
        let Reading { about, writes, events, end, state, .. } = reading;
        let about = about.expect("every history begins with a record of kind H");
        Ok(Self { about, writes, events, end: end.unwrap_or(End::CutOff), state, file })
    }

    /// Fill `into` with the data of `write` from the write's byte `from` on.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn read(&self, write: &Write, from: u64, into: &mut [u8]) -> io::Result<()> {
        match write.data_at {
            Some(at) => self.file.read_exact_at(into, at + from),
            None => {
                into.fill(0);
                Ok(())
            }
        }
    }

    /// Iterate over the ranges of the device that may have data other than zeros at the start of the history,
    /// in ascending order. Each item is the offset of a range in bytes, and its data.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn state(&self) -> impl Iterator<Item = io::Result<(u64, Vec<u8>)>> + '_ {
        self.state.iter().map(|&[offset, bytes, at]| {
            let mut data = vec![0; bytes as usize];
            self.file.read_exact_at(&mut data, at)?;
            Ok((offset, data))
        })
    }
}

/// Items read so far while a history file is read.
#[derive(Default)]
struct Reading {
    about: Option<About>,
    has_begun: bool,
    state: Vec<[u64; 3]>,
    writes: Vec<Write>,
    is_answered: Vec<bool>,
    /// Number of answers to writes.
    answers: u64,
    events: Vec<Event>,
    end: Option<End>,
}

impl Reading {
    fn take(&mut self, kind: u8, payload: &[u8], payload_at: u64) -> Result<(), Wrong> {
        let named = format!("a record of kind {:?}", char::from(kind));
        if self.end.is_some() {
            return Err(("the end of the file after the last record", named));
        }
        let numbers = Numbers(payload);
        match (kind, self.about.is_some(), self.has_begun) {
            (frame::HEADER, false, false) => {
                let text = String::from_utf8_lossy(payload);
                self.about = Some(About::from_text(&text).map_err(|bad| ("a header", bad.to_string()))?);
            }
            (frame::STATE, true, false) => {
                let (offset, bytes) = (numbers.at(0)?, payload.len().saturating_sub(8) as u64);
                self.check_range(offset, bytes)?;
                self.state.push([offset, bytes, payload_at + 8]);
            }
            (frame::BEGIN, true, false) => self.has_begun = true,
            (frame::WRITE | frame::ZEROES, _, true) => self.submitted(kind, payload, payload_at)?,
            (frame::COMPLETED, _, true) => {
                let (number, is_done) = (numbers.at(8)?, numbers.byte(16)? == 1);
                match self.is_answered.get_mut(number as usize) {
                    Some(is_answered) if !*is_answered => *is_answered = true,
                    _ => {
                        return Err((
                            "the number of a write that was not answered before",
                            format!("write number {number}"),
                        ))
                    }
                }
                self.events.push(Event::Completed { write: number as usize, is_done });
                self.answers += 1;
            }
            (frame::FLUSHED, _, true) => {
                // A flush of version 1 was answered when it was submitted.
                let covers = if payload.len() > 8 { numbers.at(8)? } else { self.answers };
                if covers > self.answers {
                    let found = format!("a flush of {covers} writes after {} answers", self.answers);
                    return Err(("a flush of writes that were answered", found));
                }
                self.events.push(Event::Flushed { covers });
            }
            (frame::OVERRUN, _, true) => self.end = Some(End::Overrun),
            (frame::END, _, true) => self.end = Some(End::Whole),
            _ => return Err(("the records H, S, B and events in this order", named)),
        }
        Ok(())
    }

    fn submitted(&mut self, kind: u8, payload: &[u8], payload_at: u64) -> Result<(), Wrong> {
        let numbers = Numbers(payload);
        let before = frame::before_data(frame::WRITE);
        let (bytes, data_at) = match kind {
            frame::WRITE => ((payload.len().saturating_sub(before)) as u64, Some(payload_at + before as u64)),
            _ => (numbers.at(before)?, None),
        };
        let [submitted_ns, row, offset] = [numbers.at(0)?, numbers.at(8)?, numbers.at(16)?];
        let fua = numbers.byte(24)? == 1;
        self.check_range(offset, bytes)?;
        self.events.push(Event::Submitted(self.writes.len()));
        self.writes.push(Write { submitted_ns, row, offset, bytes, fua, data_at });
        self.is_answered.push(false);
        Ok(())
    }

    fn check_range(&self, offset: u64, bytes: u64) -> Result<(), Wrong> {
        let most = self.about.as_ref().map_or(0, |about| about.bytes);
        let is_whole = offset.is_multiple_of(SECTOR_BYTES) && bytes.is_multiple_of(SECTOR_BYTES) && bytes > 0;
        let is_within = offset.checked_add(bytes).is_some_and(|end| end <= most);
        if is_whole && is_within {
            return Ok(());
        }
        Err(("whole sectors within the device", format!("{bytes} bytes at offset {offset}")))
    }
}

/// The payload of a record, as bytes that contain little-endian numbers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn at(&self, from: usize) -> Result<u64, Wrong> {
        let bytes = self.0.get(from..from + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u64::from_le_bytes).ok_or_else(|| self.short())
    }

    fn byte(&self, from: usize) -> Result<u8, Wrong> {
        self.0.get(from).copied().ok_or_else(|| self.short())
    }

    fn short(&self) -> Wrong {
        ("a longer payload", format!("a payload of {} bytes", self.0.len()))
    }
}
