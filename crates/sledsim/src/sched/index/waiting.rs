//! Requests that wait, numbered, and in the order of their arrival.

use crate::device::Begin;
use crate::request::Request;
use crate::time::{Span, Time};

/// No request has this number.
pub(super) const NONE: u32 = u32::MAX;

/// The part of a request that a search looks at first, in the order of arrival: kept small, for the nearest cache.
#[derive(Clone, Copy)]
pub(super) struct Age {
    pub(super) arrival: Time,
    pub(super) row: u32,
    pub(super) cylinder: u32,
    pub(super) y_starts: [u16; 2],
    older: u32,
    pub(super) younger: u32,
}

/// A request, and what is left of its beginning.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) request: Request,
    pub(super) transfer: Span,
    pub(super) exact_from: Time,
}

/// A list through a vector: taking one out leaves its number to the next.
#[derive(Clone)]
pub(super) struct Waiting {
    ages: Vec<Age>,
    entries: Vec<Entry>,
    free: Vec<u32>,
    oldest: u32,
    youngest: u32,
    /// No request that ever waited here takes less from its beginning on.
    pub(super) least_transfer: Span,
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            ages: Vec::new(),
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
    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    #[inline]
    pub(super) fn age(&self, number: u32) -> &Age {
        &self.ages[number as usize]
    }

    pub(super) fn oldest(&self) -> Option<u32> {
        Some(self.oldest).filter(|number| *number != NONE)
    }

    /// Its number, which stays the same while it waits.
    pub(super) fn insert(&mut self, request: Request, begin: Begin) -> u32 {
        self.least_transfer = Span(self.least_transfer.0.min(begin.transfer.0));
        // Requests mostly come by age.
        let mut older = self.youngest;
        while older != NONE && self.comes_before(&request, older) {
            older = self.age(older).older;
        }
        let younger = if older == NONE { self.oldest } else { self.age(older).younger };
        let Begin { cylinder, y_starts, transfer, exact_from } = begin;
        let age = Age { arrival: request.arrival, row: request.row, cylinder, y_starts, older, younger };
        let entry = Entry { request, transfer, exact_from };
        let number = self.free.pop().unwrap_or(self.entries.len() as u32);
        if number as usize == self.entries.len() {
            self.ages.push(age);
            self.entries.push(entry);
        } else {
            self.ages[number as usize] = age;
            self.entries[number as usize] = entry;
        }
        self.join(older, number);
        self.join(number, younger);
        number
    }

    pub(super) fn remove(&mut self, number: u32) {
        let Age { older, younger, .. } = self.ages[number as usize];
        self.join(older, younger);
        self.free.push(number);
    }

    fn comes_before(&self, request: &Request, other: u32) -> bool {
        let other = self.age(other);
        (request.arrival, request.row) < (other.arrival, other.row)
    }

    /// Makes two requests, or the ends of the list, neighbours.
    fn join(&mut self, older: u32, younger: u32) {
        match self.ages.get_mut(older as usize) {
            Some(age) => age.younger = younger,
            None => self.oldest = younger,
        }
        match self.ages.get_mut(younger as usize) {
            Some(age) => age.older = older,
            None => self.youngest = older,
        }
    }
}
