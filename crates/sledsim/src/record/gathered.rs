//! Buffer of services and completions whose rows in the record lie far apart; at intervals they are all copied into the
//! record.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::time::Time;

/// Number of services that the buffer holds before they are copied into the record: few enough for the processor's
/// first-level cache.
const TOGETHER: usize = 64;
/// Distance in rows from which two services count as far apart: thirty columns over this distance fit into no processor
/// cache.
const FAR: usize = 1 << 12;

/// A service that is not yet in the record: the index of its row, its start, its phases, and the energy of all services
/// for the same request.
pub(super) type Served<'a> = (usize, Time, &'a Service, &'a ServiceEnergy);

/// A completion that is not yet in the record. `at` is the index of its row, `end` the time at which the device
/// finished, and `completion` the time at which the host had the result. `parts` counts the served parts; `devices` is
/// the set of devices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Completion {
    pub at: usize,
    pub end: Time,
    pub completion: Time,
    pub parts: u32,
    pub devices: u64,
}

/// A buffer of services and completions on their way into the record. It begins with a service whose row is far from
/// the row served before.
///
/// Each service has a value in about thirty columns. If its row is far from the row served before, none of these places
/// is in a processor cache. Writing the values of many services column by column then takes less time than row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Gathered {
    services: Vec<(usize, Time, Service)>,
    completions: Vec<Completion>,
    /// Index of the row that was served last.
    last: usize,
}

impl Gathered {
    /// True if the row with the index `at` is far from the row that was served before. Also stores `at` as the row
    /// served last.
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

    /// True if the buffer holds no service.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    /// True if the buffer is full, so that it must be copied into the record.
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
