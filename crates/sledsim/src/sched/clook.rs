//! C-LOOK: serves requests in ascending order up to the last, and then starts again at the lowest.

use super::on_line::{Head, OnLine, Rule};
use super::ordered_queue::{Line, OrderedQueue, Placed};
use super::SchedulerRow;

/// Entry of C-LOOK by first block in the table of policies.
pub(super) const LBN: SchedulerRow = SchedulerRow::new(
    "clook_lbn",
    "C-LOOK: ascending LBN up to the last request, then again from the lowest request",
    &|_, _| OnLine::boxed(Line::Lbn, Clook),
)
.source("001-F13")
.disksim(3, "CYCLE_LBN");

/// Entry of C-LOOK by cylinder in the table of policies.
pub(super) const CYLINDER: SchedulerRow =
    SchedulerRow::new("clook_cyl", "C-LOOK by cylinder", &|_, _| OnLine::boxed(Line::Cylinder, Clook))
        .disksim(6, "CYCLE_CYL");

/// Entry of the C-SCAN of 000 (000-F16) in the table of policies. A sled need not move to the edge before it
/// turns, so that C-SCAN equals C-LOOK (000-D8).
pub(super) const CSCAN: SchedulerRow = SchedulerRow::new(
    "cscan",
    "C-SCAN: equals clook_lbn, because a sled can turn before it reaches the edge of the medium",
    &|_, _| OnLine::boxed(Line::Lbn, Clook),
)
.source("000-F16, D8");

/// Serves requests in ascending order from the position of the request served last. If no request waits at or above
/// this position, the policy starts again at the lowest request.
#[derive(Clone)]
struct Clook;

impl Rule for Clook {
    fn choose(&self, queue: &OrderedQueue, head: Head) -> Option<Placed> {
        queue.from(head.place).or_else(|| queue.from(0))
    }
}
