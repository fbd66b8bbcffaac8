//! Requests by cylinder, for a policy that serves the one that a disk can be positioned for soonest.

use std::collections::BTreeMap;

use super::cost::Cost;
use super::WAITS;
use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// Looks at requests from the arm outwards, and at those that need no seek, and stops where the seek alone takes longer
/// than the best of them.
#[derive(Clone, Default)]
pub(super) struct CylinderQueue {
    cylinders: BTreeMap<u32, Vec<Request>>,
    /// The same requests by their first block, of several by their arrival.
    blocks: BTreeMap<(u64, u32), Request>,
}

impl CylinderQueue {
    pub(super) fn push(&mut self, request: Request, device: &dyn Device) {
        let cylinder = device.coordinates(request.lbn).cylinder;
        self.cylinders.entry(cylinder).or_default().push(request);
        self.blocks.insert((request.lbn, request.row), request);
    }

    /// The request that takes the least time, as a driver reckons or as the device does; of several, the earliest.
    pub(super) fn least<C: Cost>(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let seeks = device.seeks().expect("a device keeps its seeks");
        let mut best: Option<(Span, u32, Request)> = None;
        let mut look_at = |request: &Request| {
            let (time, row) = (C::time(now, device, request), request.row);
            if best.is_none_or(|(least, earliest, _)| (time, row) < (least, earliest)) {
                best = Some((time, row, *request));
            }
            best.map(|(least, ..)| least)
        };
        let mut least = None;
        for [first, end] in seeks.without_seek() {
            for request in self.blocks.range((first, 0)..(end.max(first), 0)).map(|(_, request)| request) {
                least = look_at(request);
            }
        }
        let arm = seeks.arm(now);
        let overhead = if C::BY_DRIVER { Span::ZERO } else { arm.overhead };
        let (from, to) = (*arm.cylinders.start(), *arm.cylinders.end());
        let mut below = self.cylinders.range(..from).rev().peekable();
        let mut above = self.cylinders.range(from..).peekable();
        loop {
            let down = below.peek().map(|(cylinder, _)| from - **cylinder);
            let up = above.peek().map(|(cylinder, _)| cylinder.saturating_sub(to));
            let Some(distance) = down.into_iter().chain(up).min() else { break };
            if least.is_some_and(|least| overhead + seeks.least(distance) > least) {
                break;
            }
            let next = if up == Some(distance) { above.next() } else { below.next() };
            for request in next.into_iter().flat_map(|(_, requests)| requests) {
                least = look_at(request);
            }
        }
        best.map(|(.., request)| request)
    }

    pub(super) fn take(&mut self, request: &Request, device: &dyn Device) {
        let cylinder = device.coordinates(request.lbn).cylinder;
        let requests = self.cylinders.get_mut(&cylinder).expect(WAITS);
        let at = requests.iter().position(|waiting| waiting.row == request.row).expect(WAITS);
        requests.swap_remove(at);
        if requests.is_empty() {
            self.cylinders.remove(&cylinder);
        }
        self.blocks.remove(&(request.lbn, request.row));
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }
}
