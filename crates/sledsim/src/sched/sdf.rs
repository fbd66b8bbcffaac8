//! Shortest distance first.

use super::unordered_queue::UnorderedQueue;
use super::{Scheduler, SchedulerRow};
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Table row of the policy.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sdf",
    "shortest straight-line distance to the first row; a baseline that ignores dynamics",
    &|_, _| Ok(Box::new(Sdf::default())),
)
.disksim(23, "SDF_EXACT");

/// Serves the request whose first row has an end nearest in a straight line over the medium. It ignores the motion of
/// the sled, access directions and settling: a baseline for comparison.
///
/// DiskSim measures the same distance, but in whole bits, and serves the lowest block of equally near ones.
#[derive(Clone, Default)]
pub struct Sdf {
    queue: UnorderedQueue,
}

impl Scheduler for Sdf {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        // Distances in whole picometres, a small part of any bit: rounding never decides between equally near
        // requests.
        self.queue.least(|request| (device.distance_m(now, request) * 1e12).round() as u64)
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        self.queue.take(request);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
