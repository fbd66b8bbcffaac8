//! Shortest positioning time first.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Table row of the policy.
pub(super) const ROW: SchedulerRow =
    SchedulerRow::new("sptf", "shortest positioning time first, exact", &|options, device| {
        LeastCost::anywhere(Sptf {}, options, device)
    })
    .source("001-F13, 000-F16")
    .disksim(8, "SPTF_OPT")
    .options(&[&[SEARCH]]);

/// Serves the request for which the device can be positioned soonest, exactly.
pub(super) type Sptf = Shortest<false>;
