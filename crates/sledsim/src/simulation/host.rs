//! The host's side of a run: its requests, row by row, and which of them are complete.

use super::watching::Watch;
use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::error::Result;
use crate::observer::{report, Observer};
use crate::record::{Record, Totals};
use crate::request::Op;
use crate::time::Time;
use crate::workload::Arrival;

/// Work between two calls of the observer: a decision counts as many as wait, for a policy may look at each, and
/// one written in Python is slow.
const OBSERVED_EVERY: u64 = 1 << 14;
/// Rows that are taken out of the record together at least.
const TAKEN: usize = 1 << 15;

/// Given rows of the record that are final, in their order.
pub type Sink<'a> = dyn FnMut(Record) -> Result<()> + 'a;

/// The requests of the host in a run, and how far they are.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub record: Record,
    pub totals: Totals,
    /// Requests that are complete.
    pub served: u64,
    /// Those of them that nobody has been told of, where somebody wants to be: row and time, in the order of completion.
    pub complete: Vec<(u32, Time)>,
    /// Whether nobody does.
    pub is_silent: bool,
    /// Work since the observer was last called: requests that were looked at, and completions.
    pub work: u64,
    /// Requests that somebody follows.
    pub watch: Option<Box<Watch>>,
    /// Rows that were taken out of the record.
    taken: u64,
    /// So many of the others are known to be complete.
    complete_rows: usize,
}

impl Host {
    /// A host without requests.
    pub fn new(record: Record) -> Self {
        Self { record, ..Self::default() }
    }

    /// Requests that have arrived.
    #[inline]
    pub fn arrived(&self) -> u64 {
        self.totals.requests
    }

    /// A request arrives, and finds so many in the system; returns its row.
    #[inline]
    pub fn arrive(&mut self, arrival: &Arrival, queue_length: u32) -> u32 {
        let row = self.arrived() as u32;
        let Arrival { time: now, op, metadata, request } = *arrival;
        self.record.arrive(row, now, queue_length);
        let (place, kind) = ([request.sector, request.sectors.into()], [op == Op::Write, metadata]);
        self.record.ask(row, place, kind, request.traced_device);
        self.totals.arrive(now);
        if let Some(watch) = &mut self.watch {
            watch.arrive(row, now);
        }
        row
    }

    /// A request is being served, or the last part of it; all services for it took that energy.
    #[inline]
    pub fn serve(&mut self, row: u32, start: Time, service: &Service, energy: &ServiceEnergy) {
        self.totals.serve(service);
        self.record.serve(row, start, service, energy);
    }

    /// The host has a request at `now`.
    #[inline]
    pub fn complete(&mut self, row: u32, now: Time) {
        self.served += 1;
        self.work += 1;
        self.totals.end = self.totals.end.max(now);
        if let Some(watch) = &mut self.watch {
            watch.complete(row, now);
        }
        if !self.is_silent {
            self.complete.push((row, now));
        }
    }

    /// Requests that are not complete.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.arrived() - self.served
    }

    /// If there was some work since it was last done: tells the observer how many requests are complete, and hands on the
    /// rows that are final to who takes them.
    ///
    /// # Errors
    /// [`Interrupted`](crate::error::Error::Interrupted) when the observer breaks; those of the taker.
    #[inline]
    pub fn observed(&mut self, observe: &mut Observer<'_>, sink: &mut Option<&mut Sink<'_>>) -> Result<()> {
        if self.work >= OBSERVED_EVERY {
            self.work = 0;
            report(observe, self.served)?;
            if let Some(sink) = sink {
                self.hand_on(sink)?;
            }
        }
        Ok(())
    }

    /// Hands on the rows that are final, where these are not few.
    fn hand_on(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        let rows = self.rows();
        self.complete_rows = self.record.complete_rows(self.complete_rows, rows);
        // What stays behind is moved each time: no more than what is taken.
        if self.complete_rows >= TAKEN.max(rows / 2) {
            let taken = self.take(self.complete_rows);
            sink(taken)?;
        }
        Ok(())
    }

    /// Takes out as many of the first rows as are final, up to so many.
    pub fn take_final(&mut self, most: usize) -> Record {
        self.complete_rows = self.record.complete_rows(self.complete_rows, self.rows());
        let (final_rows, rows) = (self.complete_rows, self.complete_rows.min(most));
        let taken = self.take(rows);
        self.complete_rows = final_rows - rows;
        taken
    }

    /// Takes out all rows that are left, at the end.
    pub fn take_rest(&mut self) -> Record {
        self.take(self.rows())
    }

    fn take(&mut self, count: usize) -> Record {
        let taken = self.record.take(count, self.rows());
        self.totals.take(&taken);
        self.taken += count as u64;
        self.complete_rows = 0;
        taken
    }

    /// Rows of the record that have a request.
    fn rows(&self) -> usize {
        (self.arrived() - self.taken) as usize
    }

    /// The record of all that arrived, or what is left of it.
    pub fn into_record(self) -> (Record, Totals) {
        let rows = self.rows();
        (self.record.into_rows(rows), self.totals)
    }
}
