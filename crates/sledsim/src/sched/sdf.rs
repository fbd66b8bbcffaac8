//! Shortest distance first.

use super::listed::Listed;
use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves the request that lies nearest in a straight line over the medium. It knows nothing of how the sled
/// moves, nor of settling: it is there to be compared with (DiskSim: policy 23, SDF_EXACT).
#[derive(Default)]
pub struct Sdf {
    queue: Listed,
}

impl Scheduler for Sdf {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        self.queue.least(|request| device.distance_m(now, request))
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        self.queue.take(request);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
