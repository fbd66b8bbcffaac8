//! Requests that are being drawn.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::trace::{RowBuffer, Trace, TraceRow};

/// Number of requests drawn between two calls of the observer: about a millisecond of work.
const OBSERVED_EVERY: usize = 1 << 14;

/// Number of requests in a batch.
const BATCH: usize = 1 << 16;

/// A function that is given the drawn requests, in batches.
pub type Drawer<'a> = dyn FnMut(Trace) -> Result<()> + 'a;

/// The requests that a generator has drawn, and the observer of their number.
pub(super) struct Drawn<'a> {
    /// Requests of the current batch.
    rows: RowBuffer,
    /// Number of requests drawn so far.
    count: usize,
    observe: &'a mut Observer<'a>,
    sink: Option<&'a mut Drawer<'a>>,
    /// Number of requests at the end of the batch; unlimited if all are kept.
    batch_end: usize,
}

impl<'a> Drawn<'a> {
    /// No requests yet; all will be kept.
    pub(super) fn new(observe: &'a mut Observer<'a>) -> Self {
        Self { rows: RowBuffer::default(), count: 0, observe, sink: None, batch_end: usize::MAX }
    }

    /// No requests yet; they go to the sink in batches.
    pub(super) fn in_batches(observe: &'a mut Observer<'a>, sink: &'a mut Drawer<'a>) -> Self {
        Self { sink: Some(sink), batch_end: BATCH, ..Self::new(observe) }
    }

    /// Adds a request of the trace.
    ///
    /// # Errors [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks; errors of
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

    /// Takes the requests that did not go to the sink.
    pub(super) fn take(&mut self) -> Trace {
        self.rows.take()
    }

    /// Hands the remaining requests to the sink.
    ///
    /// # Errors Those of the sink.
    pub(super) fn hand_on(&mut self) -> Result<()> {
        match &mut self.sink {
            Some(sink) => sink(self.rows.take()),
            None => Ok(()),
        }
    }

    /// Calls the observer from time to time with the number of drawn requests, or of other steps; must be
    /// called for every count.
    ///
    /// # Errors Those of [`push`](Self::push).
    #[inline]
    pub(super) fn reached(&mut self, count: usize) -> Result<()> {
        if count.is_multiple_of(OBSERVED_EVERY) {
            self.ask()?;
        }
        Ok(())
    }

    /// Calls the observer from time to time with the number of planned requests, which are all in memory
    /// before the first is drawn; must be called for every step of the plan.
    ///
    /// # Errors Those of [`push`](Self::push).
    pub(super) fn planned(&mut self, step: usize, requests: usize) -> Result<()> {
        if step.is_multiple_of(OBSERVED_EVERY) {
            report(self.observe, requests as u64)?;
        }
        Ok(())
    }

    /// Calls the observer between pieces of work that are not counted.
    ///
    /// # Errors Those of [`push`](Self::push).
    pub(super) fn ask(&mut self) -> Result<()> {
        report(self.observe, self.count as u64)
    }
}

/// Operations for requests that are drawn as a whole.
#[cfg(feature = "fitted")]
impl Drawn<'_> {
    /// Reserves room for that many more requests.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
    }

    /// Sets the arrival times of the requests, which were kept.
    pub(super) fn come_at(&mut self, arrivals_ns: Vec<i64>) {
        let trace = Trace { arrival_ns: arrivals_ns, ..self.rows.take() };
        self.rows = trace.into();
    }

    /// Keeps all requests, which are final only at the end, in one batch.
    pub(super) fn keep_all(&mut self) {
        self.batch_end = usize::MAX;
    }
}
