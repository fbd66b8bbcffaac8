//! Shortest positioning time first, by a driver that knows only the mechanism of the device.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Table row of the policy.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sptf_driver",
    "SPTF in a driver that knows the arm and the rotation of a disk, but not the disk's overheads and cache",
    &|options, device| LeastCost::anywhere(SptfDriver {}, options, device),
)
.options(&[&[SEARCH]]);

/// Serves the request for which the mechanism alone could be positioned soonest, from the place of arm and platters
/// at the time of the choice. Where a device processes a command before the arm moves, as disks do, the sector has
/// often just passed by then; and the contents of a cache are unknown here.
///
/// DiskSim's SPTF in its driver neglects these, too, but uses a rotation that is not that of the time of the choice:
/// it is slower.
pub(super) type SptfDriver = Shortest<false, true>;
