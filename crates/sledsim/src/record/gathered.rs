//! Services and completions of distant rows, which are put into the record together.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::time::Time;

/// Number of services put into their rows together: they stay in the processor's first cache until then.
const TOGETHER: usize = 64;
/// Number of rows between two services that makes them distant: no processor cache holds some thirty columns of both.
const FAR: usize = 1 << 12;

/// A service: its row, its start, and the energy of all services for the request.
pub(super) type Served<'a> = (usize, Time, &'a Service, &'a ServiceEnergy);

/// A completed request: its row, its times of completion at the device and at the host, its parts, and its devices as
/// bits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Completion {
    pub at: usize,
    pub end: Time,
    pub completion: Time,
    pub parts: u32,
    pub devices: u64,
}

/// Distant services, and completions since the first of these services.
///
/// Each fills a place in some thirty columns. Where no near row has been served, none of these is in a cache: waiting
/// for many places of one column at once takes less time than for one place in every column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Gathered {
    services: Vec<(usize, Time, Service)>,
    completions: Vec<Completion>,
    /// The row served last.
    last: usize,
}

impl Gathered {
    /// True if the row served next is far from the row served last.
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

    /// True if no service is stored.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    /// True if the store should be put into its rows.
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
