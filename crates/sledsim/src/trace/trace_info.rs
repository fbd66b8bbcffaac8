//! Information about a trace besides its requests.

use std::collections::BTreeMap;
use std::fmt;

use super::row_buffer::RowBuffer;
use crate::error::{ensure, Error, Result};

/// Number of bad lines or records that are shown.
const SHOWN: usize = 3;

/// Information about a trace besides its requests; complete after the end of the trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceInfo {
    /// Name of the format.
    pub format: &'static str,
    /// Records that are not requests, by kind.
    pub skipped: Skipped,
    /// Lines or records that could not be read and were skipped.
    pub bad: Bad,
    /// Number of events of requests queued above a device, whose dispatches are separate events.
    pub queued: u64,
    /// Number of requests that came after a later one, and were sorted.
    pub late: u64,
    /// Notes for the user on suspicious data.
    pub notes: Vec<String>,
    /// Names of devices that the trace does not number.
    pub device_names: BTreeMap<i32, String>,
    /// Time of day of time 0, in ns since 1970 (UTC), if the trace gives it.
    pub origin_unix_ns: Option<i64>,
}

/// Entries of a trace that are not requests, and are left out of the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Number of commands passed through to the device (SCSI packet commands).
    pub commands: u64,
    /// Reads, writes and discards without data.
    pub empty: u64,
    /// Number of requests whose operation the trace does not give.
    pub unknown: u64,
    /// Number of records that are not about requests, or have an unknown kind.
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
            write!(f, ", {other} records of other kinds")?;
        }
        Ok(())
    }
}

/// Lines or records that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bad {
    /// True if unreadable lines or records are to be skipped.
    pub skip: bool,
    /// Number of unreadable lines or records.
    pub count: u64,
    /// Messages of the first three faults.
    pub first: Vec<String>,
}

impl Bad {
    /// Counts a fault and continues, if so wanted.
    ///
    /// # Errors The fault, if it is not to be skipped.
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

/// The reference of the times of a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Times {
    /// The start of the trace.
    #[default]
    FromStart,
    /// The year 1970 (UTC); the reader subtracts the time of the first request.
    OfDay,
    /// An unknown time; the reader subtracts the time of the first request.
    FromAnywhere,
}

/// The output of a reader.
#[derive(Debug, Default)]
pub struct ReaderOutput {
    /// The requests that the reader has taken in.
    pub rows: RowBuffer,
    /// Information besides the requests.
    pub about: TraceInfo,
    /// Reference of the arrival times, if it differs from the reference of the format.
    pub times: Times,
}
