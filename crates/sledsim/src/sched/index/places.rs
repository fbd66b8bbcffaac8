//! Waiting requests, at their places.

use super::ages::{Ages, NONE};
use crate::device::{Approach, Begin};
use crate::request::Request;
use crate::sched::bits::Bits;
use crate::sched::cost::Cost;
use crate::sched::WAITS;
use crate::time::Span;

/// A request at its cylinder. All that a search and a service read lies side by side: the next request is mostly near,
/// and then in the processor's cache.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) begin: Begin,
    /// Number of the request among the ages, if waiting counts.
    number: u32,
    pub(super) request: Request,
}

/// Requests by the cylinder where their access begins, and by age if waiting counts.
#[derive(Clone)]
pub(super) struct Places {
    /// The lowest cylinder.
    pub(super) first: u32,
    count: usize,
    /// The requests of each cylinder, by age if waiting counts.
    pub(super) cylinders: Vec<Vec<Entry>>,
    pub(super) occupied: Bits,
    len: usize,
    /// The same requests by age, if waiting counts.
    pub(super) ages: Ages,
    /// Least transfer time of all requests that ever waited here.
    pub(super) least_transfer: Span,
}

impl Places {
    /// Creates places on `count` cylinders from the first on.
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
            // Many zones never have two requests.
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

    /// The request of a row, which waits at that cylinder.
    pub(super) fn request(&self, cylinder: u32, row: u32) -> &Request {
        let entries = &self.cylinders[(cylinder - self.first) as usize];
        &entries.iter().find(|entry| entry.request.row == row).expect(WAITS).request
    }

    /// Removes the request of a row, which waits at that cylinder.
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
