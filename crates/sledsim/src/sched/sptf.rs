//! Shortest positioning time first.

use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves the request that the device can be positioned for soonest, by asking it about every one that
/// waits (001-F13, 000-F16; DiskSim: policy 8, SPTF_OPT).
#[derive(Default)]
pub struct Sptf {
    queue: Vec<Request>,
}

impl Scheduler for Sptf {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    fn pop(&mut self, now: Time, device: &dyn Device) -> Option<Request> {
        let soonest = |request: &Request| (device.positioning(now, request), request.row);
        let (at, _) = self.queue.iter().enumerate().min_by_key(|(_, request)| soonest(request))?;
        Some(self.queue.swap_remove(at))
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
