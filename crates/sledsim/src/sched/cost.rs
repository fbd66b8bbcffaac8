//! Cost of a request to a policy, from its service time and its waiting time.

use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// The cost of serving a request next: the policy serves the request of least cost, and among equals the earliest.
///
/// The cost grows with the time that the request would take, and is no less for one that arrived later; requests are
/// numbered in the order of their arrival.
pub(super) trait Cost: Clone + Send + Sync + 'static {
    /// True if the transfer counts as well as positioning.
    const WHOLE: bool;
    /// True if the waiting time of a request changes its cost.
    const AGES: bool;
    /// True if the times are computed by a driver, which knows only the mechanism of the device.
    const BY_DRIVER: bool = false;

    /// The cost at `now` of a request that arrived at `arrival` and would take `time`.
    fn cost(&self, time: Span, arrival: Time, now: Time) -> u64;

    /// A time such that all longer times would cost a request of that arrival more than `cost`; None if every time
    /// would.
    fn longest(&self, cost: u64, arrival: Time, now: Time) -> Option<Span>;

    /// The time that a request would take.
    fn time(now: Time, device: &dyn Device, request: &Request) -> Span {
        if Self::BY_DRIVER {
            device.positioning_without_overheads(now, request)
        } else if Self::WHOLE {
            device.access(now, request)
        } else {
            device.positioning(now, request)
        }
    }
}

/// The time itself is the cost.
#[derive(Clone)]
pub(super) struct Shortest<const WHOLE: bool, const BY_DRIVER: bool = false>;

impl<const WHOLE: bool, const BY_DRIVER: bool> Cost for Shortest<WHOLE, BY_DRIVER> {
    const WHOLE: bool = WHOLE;
    const AGES: bool = false;
    const BY_DRIVER: bool = BY_DRIVER;

    fn cost(&self, time: Span, _arrival: Time, _now: Time) -> u64 {
        time.0
    }

    fn longest(&self, cost: u64, _arrival: Time, _now: Time) -> Option<Span> {
        Some(Span(cost))
    }
}
