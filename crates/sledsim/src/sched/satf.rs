//! Shortest access time first.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Table row of the policy.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "satf",
    "shortest access time first: positioning and transfer, exact",
    &|options, device| LeastCost::anywhere(Satf {}, options, device),
)
.source("Jacobson and Wilkes 1991")
.disksim(10, "SATF_OPT")
.options(&[&[SEARCH]]);

/// Serves the request with which the medium can be done soonest: positioning and transfer, exactly.
pub(super) type Satf = Shortest<true>;
