//! SATF: shortest access time first.

use super::cost::Shortest;
use super::least_cost::{LeastCost, SEARCH};
use super::SchedulerRow;

/// Entry of SATF in the table of policies.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "satf",
    "shortest access time first: exact time of positioning and transfer",
    &|options, device| LeastCost::anywhere(Satf {}, options, device),
)
.source("Jacobson and Wilkes 1991")
.disksim(10, "SATF_OPT")
.options(&[&[SEARCH]]);

/// Serves the request whose positioning and transfer together take the shortest time, computed exactly.
pub(super) type Satf = Shortest<true>;
