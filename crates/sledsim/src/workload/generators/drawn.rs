//! Collection of drawn requests, and calls of an observer while they are drawn.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::trace::{RowBuffer, Trace, TraceRow};

/// Number of requests that are drawn from one call of the observer to the next: about a millisecond of
/// work.
const OBSERVED_EVERY: usize = 1 << 14;

/// Number of requests in a batch, if requests are handed on in batches.
const BATCH: usize = 1 << 16;

/// A function that receives the drawn requests in batches.
pub type Drawer<'a> = dyn FnMut(Trace) -> Result<()> + 'a;

/// The requests drawn so far, and the observer that receives their number.
pub(super) struct Drawn<'a> {
    /// Requests of the current batch, or all requests.
    rows: RowBuffer,
    /// Number of requests drawn so far.
    count: usize,
    observe: &'a mut Observer<'a>,
    sink: Option<&'a mut Drawer<'a>>,
    /// Number of drawn requests at which the current batch ends; unlimited if all requests are kept.
    batch_end: usize,
}

impl<'a> Drawn<'a> {
    /// Returns an empty collection that keeps all requests.
    pub(super) fn new(observe: &'a mut Observer<'a>) -> Self {
        Self { rows: RowBuffer::default(), count: 0, observe, sink: None, batch_end: usize::MAX }
    }

    /// Returns an empty collection that hands requests on to `sink` in batches.
    pub(super) fn in_batches(observe: &'a mut Observer<'a>, sink: &'a mut Drawer<'a>) -> Self {
        Self { sink: Some(sink), batch_end: BATCH, ..Self::new(observe) }
    }

    /// Adds a drawn request.
    ///
    /// # Errors [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks to stop;
    /// errors
    /// of the function that receives batches.
    /// the sink.
    #[inline]
    pub(super) fn push(&mut self, request: TraceRow) -> Result<()> {
        self.rows.push(request);
        self.count += 1;
        if self.count == self.batch_end {
            self.batch_end += BATCH;
            self.hand_on()?;
        }
        self.reached(self.count)
    }

    /// Takes out the requests that were not handed on.
    pub(super) fn take(&mut self) -> Trace {
        self.rows.take()
    }

    /// Hands the remaining requests on as the last batch.
    ///
    /// # Errors Those of the function that receives batches.
    pub(super) fn hand_on(&mut self) -> Result<()> {
        match &mut self.sink {
            Some(sink) => sink(self.rows.take()),
            None => Ok(()),
        }
    }

    /// Calls the observer from time to time with `count`, the number of drawn requests or of other steps.
    /// To be called for every value of `count`.
    ///
    /// # Errors Those of [`push`](Self::push).
    #[inline]
    pub(super) fn reached(&mut self, count: usize) -> Result<()> {
        if count.is_multiple_of(OBSERVED_EVERY) {
            self.ask()?;
        }
        Ok(())
    }

    /// Calls the observer from time to time while requests are planned in memory before the first is drawn.
    /// `step` counts the steps of the plan, `requests` the planned requests. To be called for every step.
    ///
    /// # Errors Those of [`push`](Self::push).
    pub(super) fn planned(&mut self, step: usize, requests: usize) -> Result<()> {
        if step.is_multiple_of(OBSERVED_EVERY) {
            report(self.observe, requests as u64)?;
        }
        Ok(())
    }

    /// Calls the observer between pieces of work in which no request is drawn.
    ///
    /// # Errors Those of [`push`](Self::push).
    pub(super) fn ask(&mut self) -> Result<()> {
        report(self.observe, self.count as u64)
    }
}

/// Operations for generators whose requests are final only when all are drawn.
#[cfg(feature = "fitted")]
impl Drawn<'_> {
    /// Reserves memory for `rows` more requests.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
    }

    /// Sets the arrival times of all requests, which must have been kept.
    pub(super) fn come_at(&mut self, arrivals_ns: Vec<i64>) {
        let trace = Trace { arrival_ns: arrivals_ns, ..self.rows.take() };
        self.rows = trace.into();
    }

    /// Keeps all requests as one batch, because they are final only at the end.
    pub(super) fn keep_all(&mut self) {
        self.batch_end = usize::MAX;
    }
}
