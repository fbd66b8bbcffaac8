//! WPTF: weighted shortest positioning time first.

use super::cost::Cost;
use super::least_cost::{LeastCost, SEARCH};
use super::{OptionRow, Options, SchedulerRow};
use crate::error::Result;
use crate::time::{Span, Time};

const LIMIT: &[OptionRow] = &[
    OptionRow::number(
        "limit_ms",
        "1000",
        [1e-3, 1e9],
        "waiting time after which the cost of a request is 0, so that it is served next",
    )
    .unit("ms"),
    SEARCH,
];

/// Entry of WPTF in the table of policies.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "wptf",
    "weighted SPTF: least positioning time x (limit - waiting time) / limit",
    &|options, device| LeastCost::anywhere(Weighted::new(options)?, options, device),
)
.source("Seltzer, Chen and Ousterhout 1990")
.disksim(11, "WPTF_OPT")
.options(&[LIMIT]);

/// Serves the request with the least value of `t_pos (M - t_wait) / M`, where M is the option `limit_ms` (Seltzer,
/// Chen and Ousterhout use the whole service time in place of the positioning time). A request that has waited for M
/// has the cost 0; of several requests with equal cost, the one that arrived first is served.
#[derive(Clone)]
pub(super) struct Weighted {
    limit: Span,
}

impl Weighted {
    pub(super) fn new(options: &Options) -> Result<Self> {
        Ok(Self { limit: Span::from_s(options.number("limit_ms")? * 1e-3) })
    }

    /// Fraction of the limit that a request that arrived at `arrival` may still wait at `now`: 1 on arrival.
    fn left(&self, arrival: Time, now: Time) -> f64 {
        self.limit.saturating_sub(now.since(arrival)).0 as f64 / self.limit.0 as f64
    }
}

impl Cost for Weighted {
    const WHOLE: bool = false;
    const AGES: bool = true;

    /// The cost is the bit pattern of a floating-point number: the bit patterns of numbers that are not negative have
    /// the order of the numbers.
    fn cost(&self, time: Span, arrival: Time, now: Time) -> u64 {
        (time.0 as f64 * self.left(arrival, now)).to_bits()
    }

    fn longest(&self, cost: u64, arrival: Time, now: Time) -> Option<Span> {
        let left = self.left(arrival, now);
        if left == 0.0 {
            return Some(Span::MAX);
        }
        // The time after the next nanosecond is longer, however the division was rounded.
        Some(Span(((f64::from_bits(cost) / left) as u64).saturating_add(2)).min(Span::MAX))
    }
}
