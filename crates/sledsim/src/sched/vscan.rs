//! VSCAN(R): between shortest seek first and look.

use super::sorted::{Line, Placed, Sorted};
use super::{Options, Scheduler};
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::Time;

/// Serves the nearest request, where turning round counts as `reversal` times the whole length of the device
/// (Geist and Daniel 1987): 0 is SSTF by first blocks, 1 is LOOK. By block (DiskSim: policy 17, VSCAN_LBN) or by
/// cylinder (policy 18, VSCAN_CYL).
pub struct Vscan {
    queue: Sorted,
    /// What turning round counts for, in places.
    penalty: f64,
    head: u64,
    upwards: bool,
}

impl Vscan {
    pub(super) fn new(line: Line, options: &Options, device: &dyn Device) -> Result<Self> {
        let within = |reversal: f64| (0.0..=1.0).contains(&reversal);
        let reversal = options.number("reversal", "a number from 0 (as SSTF) to 1 (as LOOK)", within)?;
        let penalty = reversal * line.length(device) as f64;
        Ok(Self { queue: Sorted::new(line), penalty, head: 0, upwards: true })
    }

    fn distance(&self, placed: &Placed) -> f64 {
        let turns = placed.place != self.head && (placed.place > self.head) != self.upwards;
        placed.place.abs_diff(self.head) as f64 + if turns { self.penalty } else { 0.0 }
    }
}

impl Scheduler for Vscan {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.queue.push(request, device);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        let mut both = [self.queue.from(self.head), self.queue.below(self.head)].into_iter().flatten();
        let first = both.next()?;
        let Some(second) = both.next() else { return Some(first.request) };
        let order = |placed: &Placed| (self.distance(placed), placed.request.row);
        Some(if order(&second) < order(&first) { second } else { first }.request)
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
