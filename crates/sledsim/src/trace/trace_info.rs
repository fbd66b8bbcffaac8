//! Information about a trace besides its requests.

use std::collections::BTreeMap;
use std::fmt;

use super::row_buffer::RowBuffer;
use crate::error::{ensure, Error, Result};

/// This many bad lines or records are shown.
const SHOWN: usize = 3;

/// Information about a trace besides its requests; complete when it has been read to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceInfo {
    /// The name of the format that it was read from.
    pub format: &'static str,
    /// Records that are no requests, by kind.
    pub skipped: Skipped,
    /// Lines or records that could not be read and were skipped.
    pub bad: Bad,
    /// Events of requests that were queued above a device, to be dispatched in events of their own.
    pub queued: u64,
    /// Requests that came after a later one, and so were sorted.
    pub late: u64,
    /// Notes on what looks wrong, in words for the user.
    pub notes: Vec<String>,
    /// The names of devices that the trace does not number.
    pub device_names: BTreeMap<i32, String>,
    /// When time 0 was, in ns since 1970 (UTC), of a trace that gives the time of day.
    pub origin_unix_ns: Option<i64>,
}

/// Entries of a trace that are no requests, and so are not in the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Commands passed through to the device (SCSI packet commands).
    pub commands: u64,
    /// Reads, writes and discards of nothing.
    pub empty: u64,
    /// Requests of which the trace does not know what they ask for.
    pub unknown: u64,
    /// Records of other things than requests, or of a kind that is not known.
    pub other: u64,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, empty, unknown, other } = self;
        write!(f, "{commands} passed-through commands, {empty} requests without data")?;
        if *unknown > 0 {
            write!(f, ", {unknown} of an unknown kind")?;
        }
        if *other > 0 {
            write!(f, ", {other} records of other things")?;
        }
        Ok(())
    }
}

/// Lines or records that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bad {
    /// Whether they are to be skipped.
    pub skip: bool,
    /// How many there were.
    pub count: u64,
    /// Faults of the first three.
    pub first: Vec<String>,
}

impl Bad {
    /// Passes over a fault, if that is wanted.
    ///
    /// # Errors
    /// The fault, if not.
    #[cold]
    pub(super) fn pass(&mut self, fault: Error) -> Result<()> {
        ensure!(self.skip && matches!(fault.cause(), Error::Trace(_)), fault);
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(fault.to_string());
        }
        Ok(())
    }
}

/// Where the times of a trace count from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Times {
    /// The start of the trace.
    #[default]
    FromStart,
    /// 1970 (UTC); the reader subtracts that of the first request.
    OfDay,
    /// It is not known; the reader subtracts that of the first request.
    FromAnywhere,
}

/// The output of a reader.
#[derive(Debug, Default)]
pub struct ReaderOutput {
    /// The requests.
    pub rows: RowBuffer,
    /// Information besides the requests.
    pub about: TraceInfo,
    /// Where the arrival times count from, if it is not what the format says.
    pub times: Times,
}
