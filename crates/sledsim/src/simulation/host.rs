//! The host's side of a run: its requests, row by row, and the requests that are complete.

use super::watching::Watch;
use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::error::Result;
use crate::observer::{report, Observer};
use crate::record::{Record, Totals};
use crate::request::Op;
use crate::time::Time;
use crate::workload::Arrival;

/// Number of work units between two calls of the observer. A decision counts one unit for each waiting request, because
/// a policy may look at every waiting request, and a policy in Python is slow.
const OBSERVED_EVERY: u64 = 1 << 14;
/// Smallest number of rows that are taken out of the record together.
const TAKEN: usize = 1 << 15;

/// A function that is given rows of the record once they are final, in order.
pub type Sink<'a> = dyn FnMut(Record) -> Result<()> + 'a;

/// The requests of the host in a run and their progress.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub record: Record,
    pub totals: Totals,
    /// Number of requests that are complete.
    pub served: u64,
    /// Completions not yet reported: row and time in order of completion.
    pub complete: Vec<(u32, Time)>,
    /// True if completions are not reported.
    pub is_silent: bool,
    /// Work since the last call of the observer: requests looked at, and completions.
    pub work: u64,
    /// State of the requests that are followed, if any.
    pub watch: Option<Box<Watch>>,
    /// Number of rows that were taken out of the record.
    taken: u64,
    /// Number of leading rows of the record that are known to be complete.
    complete_rows: usize,
}

impl Host {
    /// A host without requests.
    pub fn new(record: Record) -> Self {
        Self { record, ..Self::default() }
    }

    /// Number of requests that have arrived.
    #[inline]
    pub fn arrived(&self) -> u64 {
        self.totals.requests
    }

    /// Records the arrival of a request that finds `queue_length` requests in the system; returns its row.
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

    /// Records the service of a request, or of its last part, with the energy of all its services.
    #[inline]
    pub fn serve(&mut self, row: u32, start: Time, service: &Service, energy: &ServiceEnergy) {
        self.totals.serve(service);
        self.record.serve(row, start, service, energy);
    }

    /// Completes a request at `now`.
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

    /// Number of requests that are not complete.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.arrived() - self.served
    }

    /// Calls the observer, after some work, with the number of complete requests, and hands final rows to the
    /// sink.
    ///
    /// # Errors [`Interrupted`](crate::error::Error::Interrupted) when the observer breaks; errors of the
    /// sink.
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

    /// Hands final rows to the sink, once there are enough rows.
    fn hand_on(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        let rows = self.rows();
        self.complete_rows = self.record.complete_rows(self.complete_rows, rows);
        // The remaining rows are moved each time: never more of them than are taken out.
        if self.complete_rows >= TAKEN.max(rows / 2) {
            let taken = self.take(self.complete_rows);
            sink(taken)?;
        }
        Ok(())
    }

    /// Takes the final rows at the start of the record out of it, at most `most`.
    pub fn take_final(&mut self, most: usize) -> Record {
        self.complete_rows = self.record.complete_rows(self.complete_rows, self.rows());
        let (final_rows, rows) = (self.complete_rows, self.complete_rows.min(most));
        let taken = self.take(rows);
        self.complete_rows = final_rows - rows;
        taken
    }

    /// Takes all remaining rows out of the record at the end.
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

    /// Number of rows of the record that have a request.
    fn rows(&self) -> usize {
        (self.arrived() - self.taken) as usize
    }

    /// The record of all requests that arrived, without rows taken out before.
    pub fn into_record(self) -> (Record, Totals) {
        let rows = self.rows();
        (self.record.into_rows(rows), self.totals)
    }
}
