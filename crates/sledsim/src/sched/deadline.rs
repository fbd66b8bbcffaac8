//! A deadline around any policy.

use std::collections::BTreeMap;

use super::{Options, Scheduler, WAITS};
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::{Span, Time};

/// Serves the oldest request if it has waited longer than the deadline, and else what the policy chooses.
pub struct Deadline {
    inner: Box<dyn Scheduler>,
    after: Span,
    /// By arrival.
    waiting: BTreeMap<(Time, u32), Request>,
}

impl Deadline {
    pub(super) fn new(options: &Options, inner: &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Self> {
        let within = |after_ms: f64| (0.0..=1e9).contains(&after_ms);
        let after_ms = options.number("after_ms", "a time in ms, from 0 to 1e9", within)?;
        Ok(Self { inner: inner()?, after: Span::from_s(after_ms * 1e-3), waiting: BTreeMap::new() })
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
