//! Shortest distance first.

use super::unordered_queue::UnorderedQueue;
use super::{Scheduler, SchedulerRow};
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// The policy as its table lists it.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sdf",
    "shortest straight-line distance to the first row, ignores dynamics: a baseline",
    &|_, _| Ok(Box::new(Sdf::default())),
)
.disksim(23, "SDF_EXACT");

/// Serves the request whose first row has an end nearest in a straight line over the medium. It knows nothing of how
/// the sled moves, which way it may access a row, nor of settling: it is there to be compared with.
///
/// DiskSim measures the same, but in whole bits, and serves the lowest block of those that are
/// as near.
#[derive(Clone, Default)]
pub struct Sdf {
    queue: UnorderedQueue,
}

impl Scheduler for Sdf {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        // In whole picometres, a small part of any bit: of requests that are as near, no rounding tells which is served.
        self.queue.least(|request| (device.distance_m(now, request) * 1e12).round() as u64)
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        self.queue.take(request);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
