//! Shortest positioning time first, by a driver that knows the mechanism of the device and nothing else.

use super::cost::{Cost, Shortest};
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;
use crate::device::Device;
use crate::request::Request;
use crate::time::{Span, Time};

/// The policy as its table lists it.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sptf_driver",
    "SPTF in a driver that knows arm and rotation of a disk, but neither its overheads nor its cache",
    &|options, device| Ok(Box::new(LeastCost::anywhere(SptfDriver, options, device)?)),
)
.options(&[&[SEARCH]]);

/// Serves the request that the mechanism alone could be positioned for soonest, from where arm and platters are when
/// it chooses. Where a device processes a command before it sets off, as disks do, the sector has often just passed
/// then; and what is in a cache is not known here.
///
/// DiskSim's SPTF in its driver neglects these, too, but goes by a rotation that is not that of the time at which
/// it chooses: it is slower.
pub(super) struct SptfDriver;

impl Cost for SptfDriver {
    const WHOLE: bool = false;
    const AGES: bool = false;

    fn cost(&self, time: Span, arrival: Time, now: Time) -> u64 {
        Shortest::<false>.cost(time, arrival, now)
    }

    fn longest(&self, cost: u64, arrival: Time, now: Time) -> Option<Span> {
        Shortest::<false>.longest(cost, arrival, now)
    }

    fn time(now: Time, device: &dyn Device, request: &Request) -> Span {
        device.positioning_without_overheads(now, request)
    }
}
