//! Waiting requests, indexed by the places at which their access begins.

use super::ages::{Ages, NONE};
use crate::device::{Approach, Begin};
use crate::request::Request;
use crate::sched::bits::Bits;
use crate::sched::cost::Cost;
use crate::sched::WAITS;
use crate::time::Span;

/// A request in the list of its cylinder, with all data that a search or a service reads. They lie together in memory:
/// the next request is mostly near, and its data are then already in the processor's cache.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) begin: Begin,
    /// Index of the request in the list by age; [`NONE`] if the cost does not depend on waiting.
    number: u32,
    pub(super) request: Request,
}

/// Waiting requests by the cylinder at which their access begins; also by age, if their cost depends on waiting.
#[derive(Clone)]
pub(super) struct Places {
    /// Lowest cylinder of the index.
    pub(super) first: u32,
    count: usize,
    /// Waiting requests of each cylinder. If the cost depends on waiting, the oldest request of a cylinder comes first.
    pub(super) cylinders: Vec<Vec<Entry>>,
    pub(super) occupied: Bits,
    len: usize,
    /// All waiting requests by age; empty if the cost does not depend on waiting.
    pub(super) ages: Ages,
    /// Shortest transfer time among all requests that were ever added to this index.
    pub(super) least_transfer: Span,
}

impl Places {
    /// Creates an empty index over `count` cylinders from the cylinder `first` on.
    pub(super) fn new(first: u32, count: u32) -> Self {
        Self {
            first,
            count: count as usize,
            cylinders: Vec::new(),
            occupied: Bits::new(count as usize),
            len: 0,
            ages: Ages::default(),
            least_transfer: Span::MAX,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn insert<C: Cost>(&mut self, request: Request, approach: &dyn Approach) {
        let begin = approach.begin(&request);
        if self.cylinders.is_empty() {
            // Many zones never have two requests at once.
            self.cylinders.resize(self.count, Vec::new());
        }
        self.len += 1;
        self.least_transfer = self.least_transfer.min(begin.transfer);
        let at = (begin.cylinder - self.first) as usize;
        let entries = &mut self.cylinders[at];
        if entries.is_empty() {
            self.occupied.insert(at);
        }
        if C::AGES {
            let number = self.ages.insert(&request, begin);
            let age = |request: &Request| (request.arrival, request.row);
            let younger = entries.iter().rev().take_while(|other| age(&other.request) > age(&request));
            let place = entries.len() - younger.count();
            entries.insert(place, Entry { begin, number, request });
        } else {
            entries.push(Entry { begin, number: NONE, request });
        }
    }

    /// The request with the number `row`, which waits at the cylinder `cylinder`.
    pub(super) fn request(&self, cylinder: u32, row: u32) -> &Request {
        let entries = &self.cylinders[(cylinder - self.first) as usize];
        &entries.iter().find(|entry| entry.request.row == row).expect(WAITS).request
    }

    /// Removes and returns the request with the number `row`, which waits at the cylinder `cylinder`.
    pub(super) fn remove<C: Cost>(&mut self, cylinder: u32, row: u32) -> Request {
        let at = (cylinder - self.first) as usize;
        let entries = &mut self.cylinders[at];
        let place = entries.iter().position(|entry| entry.request.row == row).expect(WAITS);
        let Entry { number, request, .. } =
            if C::AGES { entries.remove(place) } else { entries.swap_remove(place) };
        if entries.is_empty() {
            self.occupied.remove(at);
        }
        if C::AGES {
            self.ages.remove(number);
        }
        self.len -= 1;
        request
    }
}
