//! SDF: shortest distance first.

use super::unordered_queue::UnorderedQueue;
use super::{Scheduler, SchedulerRow};
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Entry of SDF in the table of policies.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sdf",
    "shortest straight distance over the medium to the request's first row; a baseline that ignores the motion of the sled",
    &|_, _| Ok(Box::new(Sdf::default())),
)
.disksim(23, "SDF_EXACT");

/// Serves the request whose first row has the shortest straight distance over the medium, measured to the nearer end of
/// the row. The policy is a baseline for comparison: it ignores the motion of the sled, access directions and settling.
///
/// DiskSim measures the same distance, but rounds it to whole bits. Of several requests at the same distance, DiskSim
/// serves the one with the lowest block.
#[derive(Clone, Default)]
pub struct Sdf {
    queue: UnorderedQueue,
}

impl Scheduler for Sdf {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        // Distances are in whole picometres, a small part of any bit, so that rounding never decides between
        // requests at equal distances.
        self.queue.least(|request| (device.distance_m(now, request) * 1e12).round() as u64)
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        self.queue.take(request);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
