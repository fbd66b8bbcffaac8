//! VSCAN(R): a policy between SSTF (shortest seek time first) and LOOK.

use super::on_line::{Head, OnLine, Rule};
use super::ordered_queue::{Line, OrderedQueue, Placed};
use super::{OptionRow, Options, Scheduler, SchedulerRow};
use crate::device::Device;
use crate::error::Result;

const REVERSAL: &[OptionRow] = &[OptionRow::number(
    "reversal",
    "0.2",
    [0.0, 1.0],
    "distance that a change of direction adds, as a fraction of all LBNs or cylinders",
)
.ends(["as SSTF", "as LOOK"])];

/// Entry of VSCAN(R) by first block in the table of policies.
pub(super) const LBN: SchedulerRow = SchedulerRow::new(
    "vscan_lbn",
    "VSCAN(R): nearest LBN, with a penalty for changing the direction",
    &|options, device| vscan(Line::Lbn, options, device),
)
.source("Geist and Daniel 1987")
.disksim(17, "VSCAN_LBN")
.options(&[REVERSAL]);

/// Entry of VSCAN(R) by cylinder in the table of policies.
pub(super) const CYLINDER: SchedulerRow = SchedulerRow::new(
    "vscan_cyl",
    "VSCAN(R): nearest cylinder, with a penalty for changing the direction",
    &|options, device| vscan(Line::Cylinder, options, device),
)
.source("Geist and Daniel 1987")
.disksim(18, "VSCAN_CYL")
.options(&[REVERSAL]);

/// Serves the nearest request. Requests in the other direction count as farther by `reversal` times the length of the
/// line: with 0 the policy is SSTF, with 1 it is LOOK.
#[derive(Clone)]
struct Vscan {
    /// Distance that a change of direction adds, in positions on the line.
    penalty: f64,
}

fn vscan(line: Line, options: &Options, device: &dyn Device) -> Result<Box<dyn Scheduler>> {
    let penalty = options.number("reversal")? * line.length(device) as f64;
    OnLine::boxed(line, Vscan { penalty })
}

impl Rule for Vscan {
    fn choose(&self, queue: &OrderedQueue, head: Head) -> Option<Placed> {
        let cost = |placed: &Placed| {
            let turns = placed.place != head.place && (placed.place > head.place) != head.upwards;
            let distance = placed.place.abs_diff(head.place) as f64;
            (distance + if turns { self.penalty } else { 0.0 }, placed.request.row)
        };
        let mut both = [queue.from(head.place), queue.below(head.place)].into_iter().flatten();
        let first = both.next()?;
        Some(both.find(|second| cost(second) < cost(&first)).unwrap_or(first))
    }
}
