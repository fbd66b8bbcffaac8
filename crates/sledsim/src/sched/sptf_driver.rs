//! SPTF in a driver that knows only the mechanism of the device.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Entry of the policy `sptf_driver` in the table of policies.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "sptf_driver",
    "SPTF in a driver that knows the arm and the rotation of a disk, but not the disk's overheads and cache",
    &|options, device| LeastCost::anywhere(SptfDriver {}, options, device),
)
.options(&[&[SEARCH]]);

/// Cost of the policy `sptf_driver`: the time until the arm and the platters alone could be positioned, from where they
/// are at the time of the choice. The driver ignores that a disk processes a command before its arm moves, so that the
/// wanted sector has often just passed; and it does not know the content of the disk's cache.
///
/// The SPTF of DiskSim's driver neglects the same effects. In addition, it computes the rotation for a time other than
/// the time of the choice, and is therefore slower.
pub(super) type SptfDriver = Shortest<false, true>;
