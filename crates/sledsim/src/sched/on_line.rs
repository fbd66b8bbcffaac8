//! Policies that order requests by their positions on a line: by block, track or cylinder.

use super::ordered_queue::{Line, OrderedQueue, Placed};
use super::Scheduler;
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::Time;

/// Position at which the device was last, and the direction of its last move.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) place: u64,
    pub(super) upwards: bool,
}

/// The rule by which a policy on a line chooses the next request.
pub(super) trait Rule: Clone + Send + Sync + 'static {
    /// True if distances count from the end of the request served last; false if they count from its start.
    const FROM_END: bool = false;

    /// Chooses the next request from the queue; `None` if no request waits.
    fn choose(&self, queue: &OrderedQueue, head: Head) -> Option<Placed>;
}

/// A queue of requests by their positions on a line, and the rule that chooses the next.
#[derive(Clone)]
pub(super) struct OnLine<R> {
    queue: OrderedQueue,
    head: Head,
    rule: R,
}

impl<R: Rule> OnLine<R> {
    pub(super) fn boxed(line: Line, rule: R) -> Result<Box<dyn Scheduler>> {
        Ok(Box::new(Self { queue: OrderedQueue::new(line), head: Head { place: 0, upwards: true }, rule }))
    }
}

impl<R: Rule> Scheduler for OnLine<R> {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.queue.push(request, device);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        self.rule.choose(&self.queue, self.head).map(|placed| placed.request)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.queue.take(request, device);
        self.served(request, device);
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        let line = self.queue.line;
        let place = if R::FROM_END { line.end(request, device) } else { line.place(request.lbn, device) };
        if place != self.head.place {
            self.head.upwards = place > self.head.place;
        }
        self.head.place = place;
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
