//! SSTF: shortest seek time first. The policy measures the distance of a seek instead of its time.

use super::on_line::{Head, OnLine, Rule};
use super::ordered_queue::{Line, OrderedQueue, Placed};
use super::SchedulerRow;

/// Entry of SSTF by first block in the table of policies.
pub(super) const LBN: SchedulerRow =
    SchedulerRow::new("sstf_lbn", "shortest seek first, measured as distance in LBN", &|_, _| {
        OnLine::boxed(Line::Lbn, Sstf)
    })
    .source("001-F13")
    .disksim(4, "SSTF_LBN");

/// Entry of SSTF by track in the table of policies.
pub(super) const TRACK: SchedulerRow =
    SchedulerRow::new("sstf_track", "shortest seek first, measured as distance in tracks", &|_, _| {
        OnLine::boxed(Line::Track, Sstf)
    })
    .source("000-F16");

/// Entry of SSTF by cylinder in the table of policies.
pub(super) const CYLINDER: SchedulerRow =
    SchedulerRow::new("sstf_cyl", "shortest seek first, measured as distance in cylinders", &|_, _| {
        OnLine::boxed(Line::Cylinder, Sstf)
    })
    .disksim(7, "SSTF_CYL");

/// Serves the request whose first block is nearest to the end of the request that was served last.
#[derive(Clone)]
struct Sstf;

impl Rule for Sstf {
    const FROM_END: bool = true;

    fn choose(&self, queue: &OrderedQueue, head: Head) -> Option<Placed> {
        let both = [queue.from(head.place), queue.below(head.place)].into_iter().flatten();
        both.min_by_key(|placed| (placed.place.abs_diff(head.place), placed.request.row))
    }
}
