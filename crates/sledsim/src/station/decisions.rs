//! What a device chose while some requests waited for it, and what these would have cost it then.

use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// A device chose a request to serve next while another one, which is watched, waited for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// When.
    pub at: Time,
    /// The request that it served, by its [place in the order of arrival](Request::row) there.
    pub chosen: u32,
    /// The one that is watched, in the same way.
    pub watched: u32,
    /// How many waited for their service, those two included.
    pub waiting: u32,
    /// What the device told policies of the one that it served.
    pub chosen_costs: Costs,
    /// And of the other: it has moved nothing in between.
    pub watched_costs: Costs,
}

/// What a device tells policies of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Until its first row could be accessed.
    pub positioning: Span,
    /// Until the medium would be done with it.
    pub access: Span,
}

impl Costs {
    fn of(now: Time, device: &dyn Device, request: &Request) -> Self {
        Self { positioning: device.positioning(now, request), access: device.access(now, request) }
    }
}

/// The decisions of a station, as far as requests that are watched wait there.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    /// Those that are watched and do not wait for their service yet.
    expected: Vec<u32>,
    waiting: Vec<Request>,
    made: Vec<Decision>,
}

impl Decisions {
    /// A request is on its way that is watched from now on.
    pub fn watch(&mut self, row: u32) {
        self.expected.push(row);
    }

    /// A request waits for its service from now on.
    pub fn wait(&mut self, request: &Request) {
        if let Some(at) = self.expected.iter().position(|row| *row == request.row) {
            self.expected.swap_remove(at);
            self.waiting.push(*request);
        }
    }

    /// One of so many requests that wait is served next, and the device does not know it yet.
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

    /// All of them, in their order.
    pub fn made(&self) -> &[Decision] {
        &self.made
    }
}
