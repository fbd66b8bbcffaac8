//! Shortest seek time first, judged by a distance.

use super::sorted::{Line, Sorted};
use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves the request whose first block is nearest to the end of the last one: in blocks (001-F13; DiskSim:
/// policy 4, SSTF_LBN), in tracks between the last block accessed and the first wanted (000-F16), or in
/// cylinders (DiskSim: policy 7, SSTF_CYL).
pub struct Sstf {
    queue: Sorted,
    head: u64,
}

impl Sstf {
    pub(super) fn new(line: Line) -> Self {
        Self { queue: Sorted::new(line), head: 0 }
    }
}

impl Scheduler for Sstf {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.queue.push(request, device);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        let both = [self.queue.from(self.head), self.queue.below(self.head)];
        let nearest = both.into_iter().flatten();
        let nearest = nearest.min_by_key(|placed| (placed.place.abs_diff(self.head), placed.request.row));
        nearest.map(|placed| placed.request)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.queue.take(request, device);
        self.served(request, device);
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.head = self.queue.line.end(request, device);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
