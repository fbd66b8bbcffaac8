//! The cost of a request to a policy, computed from its service time and its waiting time.

use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// The cost of serving a request next. The policy serves the request with the least cost; of several such requests, the
/// one that arrived first.
///
/// The cost grows with the time that the request would take. Of two requests that take equal times, the one
/// that arrived later does not cost less. Requests are numbered in the order of arrival.
pub(super) trait Cost: Clone + Send + Sync + 'static {
    /// True if the cost counts positioning and transfer; false if it counts positioning only.
    const WHOLE: bool;
    /// True if the cost of a request changes while the request waits.
    const AGES: bool;
    /// True if the times are computed as a driver would: from the mechanism of the device alone, without its command
    /// overheads and its cache.
    const BY_DRIVER: bool = false;

    /// The cost at `now` of a request that arrived at `arrival` and would take the time `time`.
    fn cost(&self, time: Span, arrival: Time, now: Time) -> u64;

    /// Upper bound of a time: if a request that arrived at `arrival` takes longer than this, it costs more than `cost`.
    /// `None` if the request costs more than `cost` however short its time is.
    fn longest(&self, cost: u64, arrival: Time, now: Time) -> Option<Span>;

    /// The time that the device would take from `now` on to position for `request` or, if `WHOLE` is true, to position
    /// for it and transfer it.
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

/// Cost of the policies SPTF and SATF: the cost of a request is the time that it would take, whatever its waiting time.
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
