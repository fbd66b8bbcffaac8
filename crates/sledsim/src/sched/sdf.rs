//! Shortest distance first.

use super::listed::Listed;
use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves the request whose first row has an end nearest in a straight line over the medium. It knows nothing of how
/// the sled moves, which way it may access a row, nor of settling: it is there to be compared with.
///
/// DiskSim's policy 23, SDF_EXACT, measures the same, but in whole bits, and serves the lowest block of those that are
/// as near.
#[derive(Default)]
pub struct Sdf {
    queue: Listed,
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
