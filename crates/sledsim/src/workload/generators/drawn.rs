//! Requests while they are being drawn.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::trace::{Trace, TraceRow};

/// Requests drawn between two calls of the observer: about a millisecond's work.
const OBSERVED_EVERY: usize = 1 << 14;

/// Requests that are handed on together.
const BATCH: usize = 1 << 16;

/// Given the requests that were drawn, in batches.
pub type Drawer<'a> = dyn FnMut(Trace) -> Result<()> + 'a;

/// The requests that a generator has drawn, and the observer of how many there are.
pub(super) struct Drawn<'a> {
    /// Requests drawn so far, without those that were handed on.
    pub trace: Trace,
    handed_on: usize,
    observe: &'a mut Observer<'a>,
    sink: Option<&'a mut Drawer<'a>>,
    /// Requests that are handed on together.
    batch: usize,
}

impl<'a> Drawn<'a> {
    /// None yet.
    pub(super) fn new(observe: &'a mut Observer<'a>) -> Self {
        Self { trace: Trace::default(), handed_on: 0, observe, sink: None, batch: BATCH }
    }

    /// None yet; they are handed on in batches.
    pub(super) fn in_batches(observe: &'a mut Observer<'a>, sink: &'a mut Drawer<'a>) -> Self {
        Self { sink: Some(sink), ..Self::new(observe) }
    }

    /// One more request of the trace.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks; those of who takes batches.
    pub(super) fn push(&mut self, request: TraceRow) -> Result<()> {
        self.trace.push(request);
        if self.trace.len() == self.batch && self.sink.is_some() {
            self.hand_on()?;
        }
        self.reached(self.handed_on + self.trace.len())
    }

    /// Requests are final only when all are drawn: they are handed on at once.
    pub(super) fn keep_all(&mut self) {
        self.batch = usize::MAX;
    }

    /// Hands on what is left to be.
    ///
    /// # Errors
    /// Those of who takes batches.
    pub(super) fn hand_on(&mut self) -> Result<()> {
        self.handed_on += self.trace.len();
        match &mut self.sink {
            Some(sink) => sink(std::mem::take(&mut self.trace)),
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

    /// Between pieces of work that are not counted.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub(super) fn ask(&mut self) -> Result<()> {
        report(self.observe, (self.handed_on + self.trace.len()) as u64)
    }
}
