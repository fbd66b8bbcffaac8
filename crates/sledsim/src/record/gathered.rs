//! What happened to requests far from each other in the record, until it is put there together.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::time::Time;

/// So many services are put into their rows together: they stay in the first cache until then.
const TOGETHER: usize = 64;
/// From one service to the next, as many rows are far: no cache has what lies there in some thirty columns.
const FAR: usize = 1 << 12;

/// A service: its row, when it began, and the energy of all services for the request.
pub(super) type Served<'a> = (usize, Time, &'a Service, &'a ServiceEnergy);

/// A request is complete: its row, when the device was done and when the host had it; parts and devices, as bits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Completion {
    pub at: usize,
    pub end: Time,
    pub completion: Time,
    pub parts: u32,
    pub devices: u64,
}

/// Services far from each other, and what was complete since the first of them.
///
/// Each fills a place in some thirty columns. Where nothing near has been served, none of these is in a cache: waiting
/// for many places of one column at once takes less time than for one place in every column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Gathered {
    services: Vec<(usize, Time, Service)>,
    completions: Vec<Completion>,
    /// The row that was served last.
    last: usize,
}

impl Gathered {
    /// Whether the row that is served next is far from the last one.
    #[inline]
    pub fn is_far(&mut self, at: usize) -> bool {
        at.abs_diff(std::mem::replace(&mut self.last, at)) >= FAR
    }

    pub fn serve(&mut self, at: usize, start: Time, service: &Service, energy: &ServiceEnergy) {
        self.services.push((at, start, Service { energy: *energy, ..*service }));
    }

    pub fn complete(&mut self, done: Completion) {
        self.completions.push(done);
    }

    /// Whether no service is there, and so nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    /// Whether there is so much that it should be put into its rows.
    pub fn is_full(&self) -> bool {
        self.services.len().max(self.completions.len()) >= TOGETHER
    }

    pub fn services(&self) -> impl Iterator<Item = Served<'_>> + Clone {
        self.services.iter().map(|(at, start, service)| (*at, *start, service, &service.energy))
    }

    pub fn completions(&self) -> impl Iterator<Item = &Completion> {
        self.completions.iter()
    }

    pub fn clear(&mut self) {
        self.services.clear();
        self.completions.clear();
    }
}
