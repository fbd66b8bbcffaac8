//! SPTF: shortest positioning time first.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Entry of SPTF in the table of policies.
pub(super) const ROW: SchedulerRow =
    SchedulerRow::new("sptf", "shortest positioning time first, with the exact time", &|options, device| {
        LeastCost::anywhere(Sptf {}, options, device)
    })
    .source("001-F13, 000-F16")
    .disksim(8, "SPTF_OPT")
    .options(&[&[SEARCH]]);

/// Serves the request with the shortest positioning time, computed exactly.
pub(super) type Sptf = Shortest<false>;
