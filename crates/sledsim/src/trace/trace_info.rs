//! Information about a trace apart from its requests.

use std::collections::BTreeMap;
use std::fmt;

use super::evidence::{Aspect, Evidence};
use super::row_buffer::RowBuffer;
use crate::error::{ensure, Error, Result};

/// Number of messages about unreadable lines or records that are kept for the user.
const SHOWN: usize = 3;

/// Information about a trace apart from its requests; complete once the whole trace has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceInfo {
    /// Name of the trace format.
    pub format: &'static str,
    /// Numbers of lines or records that are left out because they are no requests, by reason.
    pub skipped: Skipped,
    /// Number of lines or records that could not be read and were skipped, with messages about the first of
    /// them.
    pub bad: Bad,
    /// Number of events in which a request is queued above the device; only dispatches to the
    /// device count as requests.
    pub queued: u64,
    /// Number of completions whose dispatch the trace does not have.
    pub completions: u64,
    /// Number of requests that stand in the file after a request with a later arrival, and were
    /// moved to their place.
    pub late: u64,
    /// Evidence on how far the trace can be believed.
    pub evidence: Vec<Evidence>,
    /// Names of devices by device number, for traces that give names instead of numbers.
    pub device_names: BTreeMap<i32, String>,
    /// Time of day of time 0 of the trace, in ns since 1970 (UTC); `None` if the trace does not
    /// give the time of day.
    pub origin_unix_ns: Option<i64>,
}

impl TraceInfo {
    /// The sentences of the evidence that a user should see, without remarks on an exact clock.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let is_shown = |found: &&Evidence| found.is_doubtful || found.aspect != Aspect::Clock;
        self.evidence.iter().filter(is_shown).map(|found| found.text.clone()).collect()
    }

    pub(super) fn remark(&mut self, aspect: Aspect, text: impl Into<String>) {
        self.evidence.push(Evidence::remark(aspect, text));
    }

    pub(super) fn doubt(&mut self, aspect: Aspect, text: impl Into<String>) {
        self.evidence.push(Evidence::doubt(aspect, text));
    }
}

/// Numbers of lines or records that are left out because they are no requests, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Number of commands that were passed through to the device, such as SCSI packet commands.
    pub commands: u64,
    /// Number of reads, writes and discards without data.
    pub empty: u64,
    /// Number of requests whose operation the trace does not give.
    pub unknown: u64,
    /// Number of records that are no requests, or whose kind is unknown.
    pub other: u64,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, empty, unknown, other } = self;
        write!(f, "{commands} passed-through commands, {empty} requests without data")?;
        if *unknown > 0 {
            write!(f, ", {unknown} requests of unknown operation")?;
        }
        if *other > 0 {
            write!(f, ", {other} records of other kinds")?;
        }
        Ok(())
    }
}

/// Number of lines or records that could not be read, with messages about the first of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bad {
    /// True if lines or records that cannot be read are skipped.
    pub skip: bool,
    /// Number of lines or records that could not be read.
    pub count: u64,
    /// Messages about the first three lines or records that could not be read.
    pub first: Vec<String>,
}

impl Bad {
    /// Counts a line or record that cannot be read, with the error `fault`, if such lines and
    /// records are skipped.
    ///
    /// # Errors The given error, if such lines and records are not to be skipped.
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

/// Point in time from which the times of a trace count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Times {
    /// The start of the trace.
    #[default]
    FromStart,
    /// The start of the year 1970 (UTC); the reader subtracts the time of the first request.
    OfDay,
    /// An unknown point; the reader subtracts the time of the first request.
    FromAnywhere,
    /// Midnight, again and again; the reader subtracts the time of the first request.
    FromMidnight,
}

/// The place where a reader puts requests and information.
#[derive(Debug, Default)]
pub struct ReaderOutput {
    /// The requests that have been read.
    pub rows: RowBuffer,
    /// Information about the trace apart from its requests.
    pub about: TraceInfo,
    /// Point in time from which arrival times count.
    pub times: Times,
    /// The events that a file holds instead of requests, for the error message if it has no requests.
    pub instead: String,
}
