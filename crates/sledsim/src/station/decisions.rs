//! The choices of a policy while watched requests wait in its queue, with the costs of these requests.

use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// A choice of the next request while a watched request also waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Time of the decision.
    pub at: Time,
    /// The chosen request, by its [number in the order of arrival](Request::row) at the device.
    pub chosen: u32,
    /// The watched request, by its number in the order of arrival.
    pub watched: u32,
    /// Number of requests that waited for service, including the chosen and the watched request.
    pub waiting: u32,
    /// Costs of the chosen request at the time of the decision.
    pub chosen_costs: Costs,
    /// Costs of the watched request at the time of the decision.
    pub watched_costs: Costs,
}

/// Costs of a request, as the device reports them to policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time until the device could access the first row.
    pub positioning: Span,
    /// Time until the medium would have finished the request.
    pub access: Span,
}

impl Costs {
    fn of(now: Time, device: &dyn Device, request: &Request) -> Self {
        Self { positioning: device.positioning(now, request), access: device.access(now, request) }
    }
}

/// The decisions of a policy while watched requests wait in its queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    /// Numbers of the watched requests that do not yet wait for service.
    expected: Vec<u32>,
    waiting: Vec<Request>,
    made: Vec<Decision>,
}

impl Decisions {
    /// Watches the request with the number `row`, which has not yet arrived at the queue.
    pub fn watch(&mut self, row: u32) {
        self.expected.push(row);
    }

    /// Records that `request` waits for service from now on, if the request is watched.
    pub fn wait(&mut self, request: &Request) {
        if let Some(at) = self.expected.iter().position(|row| *row == request.row) {
            self.expected.swap_remove(at);
            self.waiting.push(*request);
        }
    }

    /// Records that the policy chose the request `chosen` out of `waiting` requests. The device has not yet started to
    /// serve it.
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

    /// All decisions so far, in the order of time.
    pub fn made(&self) -> &[Decision] {
        &self.made
    }
}
