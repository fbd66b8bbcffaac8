//! Requests that wait, numbered, and in the order of their arrival.

use crate::device::Begin;
use crate::request::Request;
use crate::time::{Span, Time};

/// No request has this number.
pub(super) const NONE: u32 = u32::MAX;

struct Entry {
    request: Request,
    begin: Begin,
    older: u32,
    younger: u32,
}

/// A list through a vector: taking one out leaves its number to the next.
pub(super) struct Waiting {
    entries: Vec<Entry>,
    free: Vec<u32>,
    oldest: u32,
    youngest: u32,
    least_transfer: Span,
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            free: Vec::new(),
            oldest: NONE,
            youngest: NONE,
            least_transfer: Span::MAX,
        }
    }
}

impl Waiting {
    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    #[inline]
    pub(super) fn request(&self, number: u32) -> &Request {
        &self.entries[number as usize].request
    }

    #[inline]
    pub(super) fn begin(&self, number: u32) -> &Begin {
        &self.entries[number as usize].begin
    }

    pub(super) fn oldest(&self) -> Option<u32> {
        Some(self.oldest).filter(|number| *number != NONE)
    }

    pub(super) fn younger(&self, number: u32) -> u32 {
        self.entries[number as usize].younger
    }

    /// No request that ever waited here takes less from its beginning on.
    pub(super) fn least_transfer(&self) -> Span {
        self.least_transfer
    }

    /// Its number, which stays the same while it waits.
    pub(super) fn insert(&mut self, request: Request, begin: Begin) -> u32 {
        self.least_transfer = Span(self.least_transfer.0.min(begin.transfer.0));
        // Requests mostly come by age.
        let mut older = self.youngest;
        while older != NONE && self.age(older) > (request.arrival, request.row) {
            older = self.entries[older as usize].older;
        }
        let younger = if older == NONE { self.oldest } else { self.younger(older) };
        let entry = Entry { request, begin, older, younger };
        let number = self.free.pop().unwrap_or(self.entries.len() as u32);
        match self.entries.get_mut(number as usize) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        self.join(older, number);
        self.join(number, younger);
        number
    }

    pub(super) fn remove(&mut self, number: u32) {
        let Entry { older, younger, .. } = self.entries[number as usize];
        self.join(older, younger);
        self.free.push(number);
    }

    fn age(&self, number: u32) -> (Time, u32) {
        let request = self.request(number);
        (request.arrival, request.row)
    }

    /// Makes two requests, or the ends of the list, neighbours.
    fn join(&mut self, older: u32, younger: u32) {
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.younger = younger,
            None => self.oldest = younger,
        }
        match self.entries.get_mut(younger as usize) {
            Some(entry) => entry.older = older,
            None => self.youngest = older,
        }
    }
}
