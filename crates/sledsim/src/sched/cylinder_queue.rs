//! Waiting requests by cylinder and angle, for policies on a disk that serve the request with the shortest positioning
//! time.

use std::collections::BTreeMap;

use super::cost::Cost;
use super::WAITS;
use crate::device::{Arrival, Departure, Device, Seeks};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// A queue for a disk that finds the request with the shortest positioning time. It examines the requests that need no
/// seek, and then the cylinders in the order of their distance from the arm. The search stops where the seek alone
/// takes longer than the best request found.
///
/// The reads on a cylinder are served best in the order in which they pass under the head after the arm has arrived,
/// and likewise the writes, so that the first of them is the best. If the time of arrival depends on the track, the
/// requests that pass next are examined, too.
#[derive(Clone, Default)]
pub(super) struct CylinderQueue {
    cylinders: BTreeMap<u32, [Vec<Waiting>; 2]>,
    /// All waiting requests by their first block and, at the same block, by their number.
    blocks: BTreeMap<(u64, u32), Request>,
}

/// A waiting request on its cylinder. Requests are ordered by angle (`slot`), and at the same angle by arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    slot: u32,
    row: u32,
    lbn: u64,
}

/// The two operations, in the order of the two lists of requests that each cylinder has.
const OPS: [Op; 2] = [Op::Read, Op::Write];

/// A search, with the best request found so far.
struct Search<'a> {
    now: Time,
    device: &'a dyn Device,
    seeks: &'a dyn Seeks,
    blocks: &'a BTreeMap<(u64, u32), Request>,
    /// The best request so far: the time at which the device would be positioned for it, its number, and its first
    /// block.
    best: Option<(Time, u32, u64)>,
}

impl Search<'_> {
    /// Compares a request with the best request so far, by the time that the device computes for `request`.
    fn ask<C: Cost>(&mut self, request: &Request) {
        self.see(self.now + C::time(self.now, self.device, request), request.row, request.lbn);
    }

    fn see(&mut self, time: Time, row: u32, lbn: u64) {
        if self.best.is_none_or(|(least, earliest, _)| (time, row) < (least, earliest)) {
            self.best = Some((time, row, lbn));
        }
    }

    /// True if a request for which the device is positioned only at `time` cannot be better than the best request so
    /// far.
    fn is_late(&self, time: Time) -> bool {
        self.best.is_some_and(|(least, ..)| time > least)
    }

    /// Examines the waiting reads or writes of one cylinder, in the order in which they pass under the head after the
    /// arm has arrived.
    fn look<C: Cost>(&mut self, departure: &Departure, cylinder: u32, op: Op, requests: &[Waiting]) {
        if requests.is_empty() {
            return;
        }
        let Arrival { at, is_certain } = self.seeks.arrival(departure, cylinder, op);
        if self.is_late(at) {
            return;
        }
        let first_slot = self.seeks.first_slot(at, cylinder);
        let (late, soon) = requests.split_at(requests.partition_point(|waiting| waiting.slot < first_slot));
        for waiting in soon.iter().chain(late) {
            let passes = self.seeks.passage(at, cylinder, waiting.slot);
            if is_certain {
                return self.see(passes, waiting.row, waiting.lbn);
            }
            if self.is_late(passes) {
                return;
            }
            self.ask::<C>(&self.blocks[&(waiting.lbn, waiting.row)]);
        }
    }
}

impl CylinderQueue {
    pub(super) fn push(&mut self, request: Request, device: &dyn Device) {
        let (cylinder, waiting) = place(&request, device);
        let requests = &mut self.cylinders.entry(cylinder).or_default()[request.op as usize];
        let at = requests.partition_point(|other| *other < waiting);
        requests.insert(at, waiting);
        self.blocks.insert((request.lbn, request.row), request);
    }

    /// The request with the shortest positioning time, as the driver or the device computes it; of several
    /// such requests, the one that arrived first.
    pub(super) fn least<C: Cost>(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let seeks = device.seeks().expect("a device with seeks has them throughout a run");
        let mut search = Search { now, device, seeks, blocks: &self.blocks, best: None };
        // A driver does not know the content of the disk's cache.
        let stretches = if C::BY_DRIVER { Vec::new() } else { seeks.without_seek() };
        for [first, end] in stretches {
            let behind = self.blocks.range((first, 0)..);
            for (_, request) in behind.take_while(|((lbn, _), _)| *lbn < end) {
                search.ask::<C>(request);
            }
        }
        let overhead = |op| if C::BY_DRIVER { Span::ZERO } else { seeks.overhead(op) };
        let departures = OPS.map(|op| seeks.departure(now + overhead(op)));
        let [read, write] = departures;
        let (from, to) = (read.cylinder.min(write.cylinder), read.cylinder.max(write.cylinder));
        let mut below = self.cylinders.range(..from).rev().peekable();
        let mut above = self.cylinders.range(from..).peekable();
        loop {
            let down = below.peek().map(|(cylinder, _)| from - **cylinder);
            let up = above.peek().map(|(cylinder, _)| cylinder.saturating_sub(to));
            let Some(distance) = down.into_iter().chain(up).min() else { break };
            if search.is_late(read.at.min(write.at) + seeks.least(distance)) {
                break;
            }
            let next = if up == Some(distance) { above.next() } else { below.next() };
            if let Some((cylinder, lists)) = next {
                for ((requests, departure), op) in lists.iter().zip(&departures).zip(OPS) {
                    search.look::<C>(departure, *cylinder, op, requests);
                }
            }
        }
        search.best.map(|(_, row, lbn)| self.blocks[&(lbn, row)])
    }

    pub(super) fn take(&mut self, request: &Request, device: &dyn Device) {
        let (cylinder, waiting) = place(request, device);
        let lists = self.cylinders.get_mut(&cylinder).expect(WAITS);
        let requests = &mut lists[request.op as usize];
        requests.remove(requests.binary_search(&waiting).expect(WAITS));
        if lists.iter().all(Vec::is_empty) {
            self.cylinders.remove(&cylinder);
        }
        self.blocks.remove(&(request.lbn, request.row));
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }
}

/// The cylinder of a request, and the entry of the request in the list of this cylinder.
fn place(request: &Request, device: &dyn Device) -> (u32, Waiting) {
    let coordinates = device.coordinates(request.lbn);
    (coordinates.cylinder, Waiting { slot: coordinates.y_bits, row: request.row, lbn: request.lbn })
}
