//! The wrapper `deadline`: requests that have waited too long are served first.

use std::collections::BTreeMap;

use super::{OptionRow, Options, Scheduler, WrapperRow, WAITS};
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::{Span, Time};

const OPTIONS: &[OptionRow] = &[OptionRow::number(
    "after_ms",
    "100",
    [0.0, 1e9],
    "waiting time after which a request is served before the policy's choice",
)
.unit("ms")];

/// Entry of the wrapper `deadline` in the table of wrappers.
pub(super) const ROW: WrapperRow = WrapperRow::new(
    "deadline",
    "requests that have waited too long are served before the policy's choice, the oldest first",
    |options, inner| Ok(Box::new(Deadline::new(options, inner)?)),
)
.options(&[OPTIONS]);

/// Serves the oldest request if it has waited longer than the deadline, and the choice of the policy otherwise.
#[derive(Clone)]
pub struct Deadline {
    inner: Box<dyn Scheduler>,
    after: Span,
    /// Requests by time of arrival, and by number at equal times.
    waiting: BTreeMap<(Time, u32), Request>,
}

impl Deadline {
    pub(super) fn new(options: &Options, inner: &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Self> {
        let after = Span::from_s(options.number("after_ms")? * 1e-3);
        Ok(Self { inner: inner()?, after, waiting: BTreeMap::new() })
    }
}

impl Scheduler for Deadline {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.waiting.insert((request.arrival, request.row), request);
        self.inner.push(request, device);
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let (_, oldest) = self.waiting.first_key_value()?;
        if now.since(oldest.arrival) > self.after {
            return Some(*oldest);
        }
        self.inner.choose(now, device)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.waiting.remove(&(request.arrival, request.row)).expect(WAITS);
        self.inner.take(request, device);
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.inner.served(request, device);
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }
}
