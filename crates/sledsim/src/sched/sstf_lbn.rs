//! Shortest seek time first, by logical block number.

use std::collections::BTreeMap;

use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// Serves the request whose first block is nearest to the end of the last one (001-F13; DiskSim: policy 4,
/// SSTF_LBN).
#[derive(Default)]
pub struct SstfLbn {
    /// By first block, then by arrival.
    queue: BTreeMap<(u64, u32), Request>,
    /// The block after the last one served.
    head: u64,
}

impl Scheduler for SstfLbn {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.insert((request.lbn, request.row), request);
    }

    fn pop(&mut self, _now: Time, _device: &dyn Device) -> Option<Request> {
        let above = self.queue.range((self.head, 0)..).next().map(|(key, _)| *key);
        let below = self.queue.range(..(self.head, 0)).next_back().map(|(key, _)| key.0);
        // Among those at the nearest block below, the earliest.
        let below = below.and_then(|lbn| self.queue.range((lbn, 0)..).next()).map(|(key, _)| *key);
        let nearest =
            [above, below].into_iter().flatten().min_by_key(|(lbn, row)| (lbn.abs_diff(self.head), *row))?;
        let request = self.queue.remove(&nearest)?;
        self.head = request.lbn + u64::from(request.blocks);
        Some(request)
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}
