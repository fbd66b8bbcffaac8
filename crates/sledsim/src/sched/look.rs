//! Look: up and down again, as far as there are requests.

use super::sorted::{Line, Sorted};
use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves requests in ascending order until none is left above, then in descending order until none is left
/// below: by first block (DiskSim: policy 2, ELEVATOR_LBN) or by cylinder (policy 5, ELEVATOR_CYL).
pub struct Look {
    queue: Sorted,
    head: u64,
    upwards: bool,
}

impl Look {
    pub(super) fn new(line: Line) -> Self {
        Self { queue: Sorted::new(line), head: 0, upwards: true }
    }
}

impl Scheduler for Look {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.queue.push(request, device);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        let next = if self.upwards {
            self.queue.from(self.head).or_else(|| self.queue.below(self.head))
        } else {
            self.queue.below(self.head + 1).or_else(|| self.queue.from(self.head))
        };
        next.map(|placed| placed.request)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.queue.take(request, device);
        self.served(request, device);
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        let place = self.queue.line.place(request.lbn, device);
        if place != self.head {
            self.upwards = place > self.head;
        }
        self.head = place;
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
