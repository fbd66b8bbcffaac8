//! Requests while they are being drawn.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::trace::{RowBuffer, Trace, TraceRow};

/// Requests drawn between two calls of the observer: about a millisecond's work.
const OBSERVED_EVERY: usize = 1 << 14;

/// Requests that are handed on together.
const BATCH: usize = 1 << 16;

/// Given the requests that were drawn, in batches.
pub type Drawer<'a> = dyn FnMut(Trace) -> Result<()> + 'a;

/// The requests that a generator has drawn, and the observer of how many there are.
pub(super) struct Drawn<'a> {
    /// Requests that were not handed on yet.
    rows: RowBuffer,
    /// Requests drawn so far.
    count: usize,
    observe: &'a mut Observer<'a>,
    sink: Option<&'a mut Drawer<'a>>,
    /// How many there are when the next batch is handed on; without end where all are kept.
    batch_end: usize,
}

impl<'a> Drawn<'a> {
    /// None yet.
    pub(super) fn new(observe: &'a mut Observer<'a>) -> Self {
        Self { rows: RowBuffer::default(), count: 0, observe, sink: None, batch_end: usize::MAX }
    }

    /// None yet; they are handed on in batches.
    pub(super) fn in_batches(observe: &'a mut Observer<'a>, sink: &'a mut Drawer<'a>) -> Self {
        Self { sink: Some(sink), batch_end: BATCH, ..Self::new(observe) }
    }

    /// One more request of the trace.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks; those of who takes batches.
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

    /// The requests that were not handed on.
    pub(super) fn take(&mut self) -> Trace {
        self.rows.take()
    }

    /// Hands on what is left to be.
    ///
    /// # Errors
    /// Those of who takes batches.
    pub(super) fn hand_on(&mut self) -> Result<()> {
        match &mut self.sink {
            Some(sink) => sink(self.rows.take()),
            None => Ok(()),
        }
    }

    /// Tells the observer now and then that `count` requests are drawn, or `count` steps of something else done; to
    /// be called for every count.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    #[inline]
    pub(super) fn reached(&mut self, count: usize) -> Result<()> {
        if count.is_multiple_of(OBSERVED_EVERY) {
            self.ask()?;
        }
        Ok(())
    }

    /// Tells the observer now and then how many requests are planned, all of which are in memory before the first
    /// is drawn; to be called for every step of the plan.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub(super) fn planned(&mut self, step: usize, requests: usize) -> Result<()> {
        if step.is_multiple_of(OBSERVED_EVERY) {
            report(self.observe, requests as u64)?;
        }
        Ok(())
    }

    /// Between pieces of work that are not counted.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub(super) fn ask(&mut self) -> Result<()> {
        report(self.observe, self.count as u64)
    }
}

/// For requests that are drawn as a whole.
#[cfg(feature = "fitted")]
impl Drawn<'_> {
    /// Makes room for that many more requests.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
    }

    /// The requests, which were kept, come at these times.
    pub(super) fn come_at(&mut self, arrivals_ns: Vec<i64>) {
        let trace = Trace { arrival_ns: arrivals_ns, ..self.rows.take() };
        self.rows = trace.into();
    }

    /// Requests are final only when all are drawn: they are handed on at once.
    pub(super) fn keep_all(&mut self) {
        self.batch_end = usize::MAX;
    }
}
