//! FCFS: first come, first served.

use std::collections::VecDeque;

use super::{Scheduler, SchedulerRow, WAITS};
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Entry of FCFS in the table of policies.
pub(super) const ROW: SchedulerRow =
    SchedulerRow::new("fcfs", "first come, first served", &|_, _| Ok(Box::new(Fcfs::default())))
        .source("001-F13")
        .disksim(1, "FCFS");

/// Serves the requests in the order of their arrival.
#[derive(Clone, Default)]
pub struct Fcfs {
    queue: VecDeque<Request>,
}

impl Scheduler for Fcfs {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push_back(request);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        self.queue.front().copied()
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        let at = self.queue.iter().position(|waiting| waiting.row == request.row).expect(WAITS);
        self.queue.remove(at);
    }

    fn is_in_order(&self) -> bool {
        true
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn pop(&mut self, _now: Time, _device: &dyn Device) -> Option<Request> {
        self.queue.pop_front()
    }
}
