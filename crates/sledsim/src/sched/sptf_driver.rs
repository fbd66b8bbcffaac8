//! Shortest positioning time first, by a driver that knows the mechanism of the device and nothing else.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// The policy as its table lists it.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sptf_driver",
    "SPTF in a driver that knows arm and rotation of a disk, but neither its overheads nor its cache",
    &|options, device| LeastCost::anywhere(SptfDriver {}, options, device),
)
.options(&[&[SEARCH]]);

/// Serves the request that the mechanism alone could be positioned for soonest, from where arm and platters are when
/// it chooses. Where a device processes a command before it sets off, as disks do, the sector has often just passed
/// then; and what is in a cache is not known here.
///
/// DiskSim's SPTF in its driver neglects these, too, but goes by a rotation that is not that of the time at which
/// it chooses: it is slower.
pub(super) type SptfDriver = Shortest<false, true>;
