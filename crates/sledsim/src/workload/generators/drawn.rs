//! Buffer of the requests that a generator draws, which also calls the observer.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::trace::{Op, RowBuffer, Trace, TraceRow};

/// Number of requests that are drawn between two calls of the observer, which takes about a
/// millisecond.
const OBSERVED_EVERY: usize = 1 << 14;

/// Number of requests in a batch, if requests are handed on in batches.
const BATCH: usize = 1 << 16;

/// A function that receives the drawn requests in batches.
pub type Drawer<'a> = dyn FnMut(Trace) -> Result<()> + 'a;

/// Buffer of the requests drawn so far; the observer receives their number.
pub(super) struct Drawn<'a> {
    /// Requests of the current batch, or all requests.
    rows: RowBuffer,
    /// Number of requests drawn so far.
    count: usize,
    /// Number of writes after which a flush is added; 0 adds none.
    flush_every: u64,
    /// Number of writes since the last flush.
    writes: u64,
    observe: &'a mut Observer<'a>,
    sink: Option<&'a mut Drawer<'a>>,
    /// Number of drawn requests at which the current batch ends; the maximum if all requests are
    /// kept.
    batch_end: usize,
}

impl<'a> Drawn<'a> {
    /// Returns an empty buffer that keeps all requests.
    pub(super) fn new(observe: &'a mut Observer<'a>) -> Self {
        Self {
            rows: RowBuffer::default(),
            count: 0,
            flush_every: 0,
            writes: 0,
            observe,
            sink: None,
            batch_end: usize::MAX,
        }
    }

    /// Returns an empty buffer that passes requests on to `sink` in batches.
    pub(super) fn in_batches(observe: &'a mut Observer<'a>, sink: &'a mut Drawer<'a>) -> Self {
        Self { sink: Some(sink), batch_end: BATCH, ..Self::new(observe) }
    }

    /// Adds a flush after every `writes` drawn writes; 0 adds none.
    pub(super) fn flush_every(self, writes: u64) -> Self {
        Self { flush_every: writes, ..self }
    }

    /// Adds a flush that arrives with the drawn write `write`, if it is due.
    #[cold]
    fn flush_after(&mut self, write: &TraceRow) {
        self.writes += 1;
        if self.writes == self.flush_every {
            self.writes = 0;
            let TraceRow { arrival_ns, device, .. } = *write;
            self.rows.push(TraceRow { arrival_ns, device, op: Op::Flush, ..TraceRow::default() });
        }
    }

    /// Adds a drawn request; passes the batch on if it is full.
    ///
    /// # Errors [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks to stop;
    /// the errors of the function that receives the batches.
    #[inline]
    pub(super) fn push(&mut self, request: TraceRow) -> Result<()> {
        self.rows.push(request);
        if self.flush_every > 0 && request.op == Op::Write {
            self.flush_after(&request);
        }
        self.count += 1;
        if self.count == self.batch_end {
            self.batch_end += BATCH;
            self.hand_on()?;
        }
        self.reached(self.count)
    }

    /// Takes out the requests that are still in the buffer.
    pub(super) fn take(&mut self) -> Trace {
        self.rows.take()
    }

    /// Passes the remaining requests on as the last batch.
    ///
    /// # Errors Those of the function that receives batches.
    pub(super) fn hand_on(&mut self) -> Result<()> {
        match &mut self.sink {
            Some(sink) => sink(self.rows.take()),
            None => Ok(()),
        }
    }

    /// Calls the observer if `count` is a multiple of [`OBSERVED_EVERY`]. `count` is the number of
    /// drawn requests or of other steps; the function must be called for every value.
    ///
    /// # Errors Those of [`push`](Self::push).
    #[inline]
    pub(super) fn reached(&mut self, count: usize) -> Result<()> {
        if count.is_multiple_of(OBSERVED_EVERY) {
            self.ask()?;
        }
        Ok(())
    }

    /// Calls the observer if `step` is a multiple of [`OBSERVED_EVERY`], while requests are planned
    /// before the first is drawn. `requests` is the number of planned requests; the function must
    /// be called for every step.
    ///
    /// # Errors Those of [`push`](Self::push).
    pub(super) fn planned(&mut self, step: usize, requests: usize) -> Result<()> {
        if step.is_multiple_of(OBSERVED_EVERY) {
            report(self.observe, requests as u64)?;
        }
        Ok(())
    }

    /// Calls the observer during work in which no request is drawn.
    ///
    /// # Errors Those of [`push`](Self::push).
    pub(super) fn ask(&mut self) -> Result<()> {
        report(self.observe, self.count as u64)
    }
}

/// Operations for generators that change requests after drawing them.
#[cfg(feature = "fitted")]
impl Drawn<'_> {
    /// Reserves memory for `rows` more requests.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
    }

    /// Sets the arrival times of all requests, which must still be in the buffer.
    pub(super) fn come_at(&mut self, arrivals_ns: Vec<i64>) {
        let trace = Trace { arrival_ns: arrivals_ns, ..self.rows.take() };
        self.rows = trace.into();
    }

    /// Adds a flush after each request whose index `flushes` gives in ascending order, the given time in ns later, but
    /// not after the next request.
    pub(super) fn add_flushes(&mut self, flushes: &[(usize, i64)]) {
        if flushes.is_empty() {
            return;
        }
        let trace = self.rows.take();
        let mut flushes = flushes.iter().peekable();
        for at in 0..trace.len() {
            let request = trace.row(at);
            self.rows.push(request);
            if let Some((_, after_ns)) = flushes.next_if(|(before, _)| *before == at) {
                let next_ns = trace.arrival_ns.get(at + 1).copied().unwrap_or(i64::MAX);
                let arrival_ns = request.arrival_ns.saturating_add(*after_ns).min(next_ns);
                self.rows.push(TraceRow { arrival_ns, op: Op::Flush, ..TraceRow::default() });
            }
        }
    }

    /// Keeps all requests in the buffer until the end, because they may still change.
    pub(super) fn keep_all(&mut self) {
        self.batch_end = usize::MAX;
    }
}
