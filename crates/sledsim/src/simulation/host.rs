//! The host's side of a run: its requests, row by row, and which of them are complete.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::record::Record;
use crate::time::Time;

/// Work between two calls of the observer: a decision counts as many as wait, for a policy may look at each, and
/// one written in Python is slow.
const OBSERVED_EVERY: u64 = 1 << 14;

/// The requests of the host in a run, and how far they are.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub record: Record,
    /// Requests that have arrived.
    pub arrived: u32,
    /// Requests that are complete.
    pub served: u64,
    /// Those of them that nobody has been told of: row and time, in the order of completion.
    pub complete: Vec<(u32, Time)>,
    /// The last completion.
    pub end: Time,
    /// Work since the observer was last called: requests that were looked at, and completions.
    pub work: u64,
}

impl Host {
    /// A host without requests, with room in the record for so many.
    pub fn expecting(requests: usize) -> Self {
        Self { record: Record::with_capacity(requests), ..Self::default() }
    }

    /// A request arrives, and finds so many in the system; returns its row.
    #[inline]
    pub fn arrive(&mut self, now: Time, queue_length: u32) -> u32 {
        let row = self.arrived;
        self.record.arrive(row, now, queue_length);
        self.arrived += 1;
        row
    }

    /// The host has a request at `now`.
    #[inline]
    pub fn complete(&mut self, row: u32, now: Time) {
        self.served += 1;
        self.work += 1;
        self.end = self.end.max(now);
        self.complete.push((row, now));
    }

    /// Requests that are not complete.
    #[inline]
    pub fn waiting(&self) -> u64 {
        u64::from(self.arrived) - self.served
    }

    /// Tells the observer how many are complete, if there was some work since it was told last.
    ///
    /// # Errors
    /// [`Interrupted`](crate::error::Error::Interrupted) when it breaks.
    #[inline]
    pub fn observed(&mut self, observe: &mut Observer<'_>) -> Result<()> {
        if self.work >= OBSERVED_EVERY {
            self.work = 0;
            report(observe, self.served)?;
        }
        Ok(())
    }

    /// The record of all that arrived.
    pub fn into_record(mut self) -> Record {
        self.record.resize(self.arrived as usize);
        self.record
    }
}
