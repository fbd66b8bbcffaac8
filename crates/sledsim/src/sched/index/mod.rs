//! An index of waiting requests by place. It finds the request with the least cost without examining every request.

mod ages;
mod places;
mod search;

use super::cost::Cost;
use crate::device::{Approach, Device};
use crate::request::Request;
use crate::time::Time;
use places::Places;
use search::{Found, Search};

/// Waiting requests by the cylinder and the place in y at which their access begins.
///
/// The positioning time is the longer of a time in x, which grows with the distance in x, and a time in y, which takes
/// few values. The search examines the cylinders with requests in the order of their distance from the sled. It stops
/// where the time in x alone is longer than the best positioning time found. If the cost depends on waiting, the search
/// alternates between requests by place and requests by age. A request reached in neither way is farther away than the
/// last cylinder and younger than the last request (the threshold algorithm of Fagin et al. 2001).
#[derive(Clone)]
pub(super) struct Index {
    /// The only waiting request, until a second one arrives. A single request needs no search and no place in the
    /// index.
    only: Option<Request>,
    places: Places,
}

impl Index {
    /// Creates an index over `count` cylinders from the cylinder `first` on.
    pub(super) fn new(first: u32, count: u32) -> Self {
        Self { only: None, places: Places::new(first, count) }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len() + usize::from(self.only.is_some())
    }

    pub(super) fn push<C: Cost>(&mut self, request: Request, device: &dyn Device) {
        if self.len() == 0 {
            self.only = Some(request);
            return;
        }
        let approach = approach(device);
        if let Some(only) = self.only.take() {
            self.places.insert::<C>(only, approach);
        }
        self.places.insert::<C>(request, approach);
    }

    pub(super) fn take<C: Cost>(&mut self, request: &Request, device: &dyn Device) {
        if self.only.take().is_none() {
            let cylinder = device.coordinates(request.lbn).cylinder;
            self.places.remove::<C>(cylinder, request.row);
        }
    }

    /// Removes and returns the request of least cost at `now`.
    pub(super) fn pop<C: Cost>(&mut self, cost: &C, now: Time, device: &dyn Device) -> Option<Request> {
        if let Some(only) = self.only.take() {
            return Some(only);
        }
        let found = self.least(cost, now, device)?;
        Some(self.places.remove::<C>(found.cylinder, found.row))
    }

    /// The request with the least cost at `now`; of several such requests, the one that arrived first.
    pub(super) fn choose<C: Cost>(&self, cost: &C, now: Time, device: &dyn Device) -> Option<Request> {
        self.only.or_else(|| {
            let found = self.least(cost, now, device)?;
            Some(*self.places.request(found.cylinder, found.row))
        })
    }

    /// The request of least cost at `now` among the requests in the index by place.
    fn least<C: Cost>(&self, cost: &C, now: Time, device: &dyn Device) -> Option<Found> {
        if self.places.len() > 1 {
            return Some(Search::new(&self.places, cost, (now, device), approach(device)).run());
        }
        let at = self.places.occupied.from(0)?;
        Some(Found::only(&self.places.cylinders[at][0]))
    }
}

fn approach(device: &dyn Device) -> &dyn Approach {
    device.approach().expect("a device with an approach has it throughout a run")
}
