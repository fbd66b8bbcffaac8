//! Requests while they are being drawn.

use crate::error::Result;
use crate::observer::{report, Observer};
use crate::trace::{Trace, TraceRow};

/// Requests drawn between two calls of the observer: about a millisecond's work.
const OBSERVED_EVERY: usize = 1 << 14;

/// The requests that a generator has drawn, and the observer of how many there are.
pub(super) struct Drawn<'a> {
    /// Requests drawn so far.
    pub trace: Trace,
    observe: &'a mut Observer<'a>,
}

impl<'a> Drawn<'a> {
    /// None yet.
    pub(super) fn new(observe: &'a mut Observer<'a>) -> Self {
        Self { trace: Trace::default(), observe }
    }

    /// One more request of the trace.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks.
    pub(super) fn push(&mut self, request: TraceRow) -> Result<()> {
        self.trace.push(request);
        self.reached(self.trace.len())
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
        report(self.observe, self.trace.len() as u64)
    }
}
