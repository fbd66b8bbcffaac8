//! LOOK: serves requests in ascending and then in descending order, each as far as the last request.

use super::on_line::{Head, OnLine, Rule};
use super::ordered_queue::{Line, OrderedQueue, Placed};
use super::SchedulerRow;

/// Entry of LOOK by first block in the table of policies.
pub(super) const LBN: SchedulerRow = SchedulerRow::new(
    "look_lbn",
    "LOOK (elevator): ascending LBN up to the last request, then descending",
    &|_, _| OnLine::boxed(Line::Lbn, Look),
)
.disksim(2, "ELEVATOR_LBN");

/// Entry of LOOK by cylinder in the table of policies.
pub(super) const CYLINDER: SchedulerRow =
    SchedulerRow::new("look_cyl", "LOOK (elevator) by cylinder", &|_, _| OnLine::boxed(Line::Cylinder, Look))
        .disksim(5, "ELEVATOR_CYL");

/// Serves requests in ascending order until no request is left above, and then in descending order until no
/// request is left below.
#[derive(Clone)]
struct Look;

impl Rule for Look {
    fn choose(&self, queue: &OrderedQueue, head: Head) -> Option<Placed> {
        if head.upwards {
            queue.from(head.place).or_else(|| queue.below(head.place))
        } else {
            queue.below(head.place + 1).or_else(|| queue.from(head.place))
        }
    }
}
