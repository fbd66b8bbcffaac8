//! Cyclical look.

use super::sorted::{Line, Sorted};
use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves requests in ascending order, from the last one on, and starts again at the lowest when none is left
/// above: by first block (001-F13; DiskSim: policy 3, CYCLE_LBN) or by cylinder (policy 6, CYCLE_CYL).
///
/// The C-SCAN of 000 (000-F16) decides the same: a sled has no edge to sweep to, so that nothing tells going on
/// to it from turning at the last request (000-D8).
pub struct Clook {
    queue: Sorted,
    /// Place of the last one served.
    head: u64,
}

impl Clook {
    pub(super) fn new(line: Line) -> Self {
        Self { queue: Sorted::new(line), head: 0 }
    }
}

impl Scheduler for Clook {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.queue.push(request, device);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        self.queue.from(self.head).or_else(|| self.queue.from(0)).map(|placed| placed.request)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.queue.take(request, device);
        self.served(request, device);
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.head = self.queue.line.place(request.lbn, device);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
