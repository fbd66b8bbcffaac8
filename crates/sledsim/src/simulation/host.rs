//! The host of a run: the requests that it sends, and those that are complete.

use super::watching::Watch;
use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::error::Result;
use crate::observer::{report, Observer};
use crate::record::{Record, Totals};
use crate::request::Durable;
use crate::time::Time;
use crate::workload::Arrival;

/// Number of units of work between two calls of the observer. A completion counts one unit. A decision of a policy
/// counts one unit for each waiting request: the policy may examine each of them, and a policy in Python is slow.
const OBSERVED_EVERY: u64 = 1 << 14;
/// Smallest number of rows that are moved from the record to the sink in one step.
const TAKEN: usize = 1 << 15;

/// A function that receives the rows of the record in order. It receives a row as soon as the row can no longer change.
pub type Sink<'a> = dyn FnMut(Record) -> Result<()> + 'a;

/// The requests of a run, and their progress.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub record: Record,
    pub totals: Totals,
    /// Number of requests that are complete.
    pub served: u64,
    /// Completions that the caller has not yet collected, in order: number of the request, and time of its completion.
    pub complete: Vec<(u32, Time)>,
    /// True if the caller does not collect completions, so that they are not kept.
    pub is_silent: bool,
    /// Flushes that are not complete: number of the request, and time of its arrival.
    flushing: Vec<(u32, Time)>,
    /// Units of work since the observer was last called; see [`OBSERVED_EVERY`].
    pub work: u64,
    /// State of the requests whose history is recorded; `None` without such requests.
    pub watch: Option<Box<Watch>>,
    /// Number of rows that were removed from the record.
    taken: u64,
    /// Number of rows from the start of the record that are known to be complete.
    complete_rows: usize,
}

impl Host {
    /// Creates a host that has sent no request.
    pub fn new(record: Record) -> Self {
        Self { record, ..Self::default() }
    }

    /// Number of requests that have arrived.
    #[inline]
    pub fn arrived(&self) -> u64 {
        self.totals.requests
    }

    /// Records a request that arrives when `queue_length` requests are in the system; returns its number.
    #[inline]
    pub fn arrive(&mut self, arrival: &Arrival, queue_length: u32) -> u32 {
        let row = self.arrived() as u32;
        let now = arrival.time;
        self.record.arrive(row, now, queue_length);
        let Arrival { op, durable, metadata, request, .. } = *arrival;
        let extent = [request.sector, request.sectors.into()];
        self.record.ask(row, extent, (op, durable), metadata, request.traced_device);
        self.totals.arrive(now);
        if arrival.durable == Durable::Earlier {
            self.totals.flushes += 1;
            self.flushing.push((row, now));
        } else if !cfg!(target_family = "wasm") {
            self.totals.busiest.add(now.0 as i64);
        }
        if let Some(watch) = &mut self.watch {
            watch.arrive(row, now);
        }
        row
    }

    /// Records the service of the request `row`, or that of its last part; `energy` is the energy of all services for
    /// the request.
    #[inline]
    pub fn serve(&mut self, row: u32, start: Time, service: &Service, energy: &ServiceEnergy) {
        if self.flushing.is_empty() || !self.is_flush(row) {
            self.totals.serve(service);
        }
        self.record.serve(row, start, service, energy);
    }

    /// True if the request `row` is a flush that is not complete.
    #[cold]
    #[inline(never)]
    fn is_flush(&self, row: u32) -> bool {
        self.flushing.iter().any(|(flush, _)| *flush == row)
    }

    /// Adds the response time of the request `row` to the totals if the request is a flush.
    #[cold]
    fn end_flush(&mut self, row: u32, now: Time) {
        let Some(at) = self.flushing.iter().position(|(flush, _)| *flush == row) else { return };
        let (_, arrival) = self.flushing.remove(at);
        // A web page loads sooner without the code, and does not show the figures.
        if !cfg!(target_family = "wasm") {
            self.totals.flush_responses.add(std::iter::once((now - arrival).0));
        }
    }

    /// Completes a request at `now`, the time of its arrival, without the work of any device.
    pub fn complete_at_once(&mut self, row: u32, now: Time) {
        self.record.serve_from_memory(row);
        self.record.complete(row, now, now, 0, 0);
        self.complete(row, now);
    }

    /// Completes the request `row` at `now`.
    #[inline]
    pub fn complete(&mut self, row: u32, now: Time) {
        if !self.flushing.is_empty() {
            self.end_flush(row, now);
        }
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

    /// Number of requests in the system: arrived and not complete.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.arrived() - self.served
    }

    /// Calls the observer with the number of complete requests, and passes the rows that can no longer change to the
    /// sink. Does nothing if too little work was done since the last call.
    ///
    /// # Errors [`Interrupted`](crate::error::Error::Interrupted) if the observer stops the run; errors of the sink.
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

    /// Passes the rows that can no longer change to the sink, if they are numerous enough.
    fn hand_on(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        let rows = self.rows();
        self.complete_rows = self.record.complete_rows(self.complete_rows, rows);
        // All later rows are then moved; they are never more than the rows that are removed.
        if self.complete_rows >= TAKEN.max(rows / 2) {
            let taken = self.take(self.complete_rows);
            sink(taken)?;
        }
        Ok(())
    }

    /// Removes the first rows of the record that can no longer change, at most `most` of them, and returns them.
    pub fn take_final(&mut self, most: usize) -> Record {
        self.complete_rows = self.record.complete_rows(self.complete_rows, self.rows());
        let (final_rows, rows) = (self.complete_rows, self.complete_rows.min(most));
        let taken = self.take(rows);
        self.complete_rows = final_rows - rows;
        taken
    }

    /// Removes and returns all rows of the record at the end of the run.
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

    /// Number of rows in the record.
    fn rows(&self) -> usize {
        (self.arrived() - self.taken) as usize
    }

    /// The rows that are still in the record, and the sums over all requests of the run.
    pub fn into_record(self) -> (Record, Totals) {
        let rows = self.rows();
        (self.record.into_rows(rows), self.totals)
    }
}
