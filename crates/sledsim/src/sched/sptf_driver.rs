//! SPTF in a driver that knows only the mechanism of the device.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Entry of the policy in the table of policies.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sptf_driver",
    "SPTF in a driver that knows the arm and the rotation of a disk, but not the disk's overheads and cache",
    &|options, device| LeastCost::anywhere(SptfDriver {}, options, device),
)
.options(&[&[SEARCH]]);

/// Serves the request for which the mechanism alone could be positioned soonest, from the position of arm and platters
/// at the time of the choice. A disk processes a command before its arm moves, so that the wanted sector has often
/// just passed when the arm starts; and the driver does not know the content of the disk's cache.
///
/// The driver of DiskSim neglects the same effects in its SPTF, but computes the rotation for a time that differs from
/// the time of the choice, and is therefore slower.
pub(super) type SptfDriver = Shortest<false, true>;
