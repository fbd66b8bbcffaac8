//! A store for services and completions of rows that lie far apart; the store is emptied into the record from
//! time to time.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::time::Time;

/// Number of services after which the store is emptied; until then they stay in the processor's first cache.
const TOGETHER: usize = 64;
/// Number of rows between two services from which they are distant: no processor cache holds thirty columns
/// over such a range.
const FAR: usize = 1 << 12;

/// A service: the index of its row, its start, its phases, and the energy of all services for the request.
pub(super) type Served<'a> = (usize, Time, &'a Service, &'a ServiceEnergy);

/// A completion: the index of its row, the times at which the device and the host had the result, the number
/// of parts, and the set of devices that served them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Completion {
    pub at: usize,
    pub end: Time,
    pub completion: Time,
    pub parts: u32,
    pub devices: u64,
}

/// The store: services of distant rows, and the completions since the first of these services.
///
/// A service or completion has a value in each of some thirty columns. If no row nearby was served, no such
/// place is in a processor cache; to wait for many places of one column at once takes less time than to wait
/// for one place in every column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Gathered {
    services: Vec<(usize, Time, Service)>,
    completions: Vec<Completion>,
    /// Index of the row that was served last.
    last: usize,
}

impl Gathered {
    /// True if the row with the index `at`, which is served next, is far from the row that was served last.
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

    /// True if the store holds no service.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    /// True if the store should be emptied into the record.
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
