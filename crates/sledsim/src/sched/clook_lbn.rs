//! Cyclical look, by logical block number.

use std::collections::BTreeMap;

use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves requests in ascending order of their first block, from the last one on, and starts again at the
/// lowest when none is left above (001-F13; DiskSim: policy 3, CYCLE_LBN).
#[derive(Default)]
pub struct ClookLbn {
    /// By first block, then by arrival.
    queue: BTreeMap<(u64, u32), Request>,
    /// First block of the last one served.
    head: u64,
}

impl Scheduler for ClookLbn {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.insert((request.lbn, request.row), request);
    }

    fn pop(&mut self, _now: Time, _device: &dyn Device) -> Option<Request> {
        let next = self.queue.range((self.head, 0)..).next().or_else(|| self.queue.iter().next())?;
        let key = *next.0;
        self.head = key.0;
        self.queue.remove(&key)
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
