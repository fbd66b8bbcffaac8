//! C-LOOK: ascending as far as there are requests, then again from the lowest.

use super::on_line::{Head, OnLine, Rule};
use super::ordered_queue::{Line, OrderedQueue, Placed};
use super::SchedulerRow;

/// Table row of C-LOOK by first block.
pub(super) const LBN: SchedulerRow = SchedulerRow::new(
    "clook_lbn",
    "C-LOOK: ascending LBN up to the last request, then again from the lowest request",
    &|_, _| OnLine::boxed(Line::Lbn, Clook),
)
.source("001-F13")
.disksim(3, "CYCLE_LBN");

/// Table row of C-LOOK by cylinder.
pub(super) const CYLINDER: SchedulerRow =
    SchedulerRow::new("clook_cyl", "C-LOOK by cylinder", &|_, _| OnLine::boxed(Line::Cylinder, Clook))
        .disksim(6, "CYCLE_CYL");

/// The C-SCAN of 000 (000-F16): a sled has no edge to sweep to, so that it equals turning at the last request
/// (000-D8).
pub(super) const CSCAN: SchedulerRow = SchedulerRow::new(
    "cscan",
    "C-SCAN: same as clook_lbn, because a sled can return without going to the edge",
    &|_, _| OnLine::boxed(Line::Lbn, Clook),
)
.source("000-F16, D8");

/// Serves requests in ascending order, from the last served request on, and starts again at the lowest request when no
/// request is left above.
#[derive(Clone)]
struct Clook;

impl Rule for Clook {
    fn choose(&self, queue: &OrderedQueue, head: Head) -> Option<Placed> {
        queue.from(head.place).or_else(|| queue.from(0))
    }
}
