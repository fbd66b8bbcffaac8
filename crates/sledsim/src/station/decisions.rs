//! Choices of a device while watched requests waited for it, and the costs of these requests.

use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// A choice of the next request while a watched request waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Time of the decision.
    pub at: Time,
    /// The served request, by its [place in the order of arrival](Request::row) at the device.
    pub chosen: u32,
    /// The watched request, by its place in the order of arrival.
    pub watched: u32,
    /// Number of requests that waited for service, including the served and the watched request.
    pub waiting: u32,
    /// Costs of the served request to policies.
    pub chosen_costs: Costs,
    /// Costs of the watched request to policies, with the device in the same place.
    pub watched_costs: Costs,
}

/// Costs of a request that a device reports to policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time until the first row could be accessed.
    pub positioning: Span,
    /// Time until the medium would be done with the request.
    pub access: Span,
}

impl Costs {
    fn of(now: Time, device: &dyn Device, request: &Request) -> Self {
        Self { positioning: device.positioning(now, request), access: device.access(now, request) }
    }
}

/// The decisions of a station while watched requests wait at the station.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    /// Watched requests that do not wait for service yet.
    expected: Vec<u32>,
    waiting: Vec<Request>,
    made: Vec<Decision>,
}

impl Decisions {
    /// Watches a request that is on its way.
    pub fn watch(&mut self, row: u32) {
        self.expected.push(row);
    }

    /// Notes that a request waits for service.
    pub fn wait(&mut self, request: &Request) {
        if let Some(at) = self.expected.iter().position(|row| *row == request.row) {
            self.expected.swap_remove(at);
            self.waiting.push(*request);
        }
    }

    /// Notes a decision: one of the waiting requests is served next, before the device knows it.
    pub fn decide(&mut self, now: Time, device: &dyn Device, chosen: &Request, waiting: u32) {
        self.waiting.retain(|watched| watched.row != chosen.row);
        if self.waiting.is_empty() {
            return;
        }
        let chosen_costs = Costs::of(now, device, chosen);
        self.made.extend(self.waiting.iter().map(|watched| Decision {
            at: now,
            chosen: chosen.row,
            watched: watched.row,
            waiting,
            chosen_costs,
            watched_costs: Costs::of(now, device, watched),
        }));
    }

    /// All decisions, in order.
    pub fn made(&self) -> &[Decision] {
        &self.made
    }
}
