//! Policies that subtract a fraction of the waiting time of a request from the time that the request would take.

use super::cost::Cost;
use super::least_cost::{LeastCost, SEARCH};
use super::{OptionRow, Options, SchedulerRow};
use crate::error::Result;
use crate::time::{Span, Time};

/// Option `weight`, the weight of the waiting time; its default is the weight that paper 000 uses.
const WEIGHT: &[OptionRow] = &[
    OptionRow::number(
        "weight",
        "5",
        [0.0, 1e5],
        "weight of the waiting time, in thousandths", // w of 000 Eq 7
    )
    .ends(["no ageing", "nearly fcfs"]),
    SEARCH,
];

pub(super) const SPTF: SchedulerRow = SchedulerRow::new(
    "asptf",
    "aged SPTF: least positioning time minus weight / 1000 x waiting time",
    &|options, device| LeastCost::anywhere(AgedTime::<false>::new(options)?, options, device),
)
.source("000-F16, Eq 7")
.disksim(14, "ASPTF_OPT")
.options(&[WEIGHT]);

pub(super) const SATF: SchedulerRow = SchedulerRow::new(
    "asatf",
    "aged SATF: least access time minus weight / 1000 x waiting time",
    &|options, device| LeastCost::anywhere(AgedTime::<true>::new(options)?, options, device),
)
.source("Jacobson and Wilkes 1991")
.disksim(16, "ASATF_OPT")
.options(&[WEIGHT]);

/// Number of bits behind the binary point of `weight`, which is a fixed-point number.
const FRACTION_BITS: u32 = 32;
/// Largest amount that waiting can subtract from the cost of a request, in nanoseconds: 146 years.
const CREDIT_MAX: u64 = 1 << 62;

/// Cost of an aged policy: `t - (weight / 1000) t_wait`; the request with the least cost is served next. If `t` is the
/// positioning time, the policy is ASPTF (000 Eq 7); if `t` also includes the transfer, it is aged SATF (Jacobson and
/// Wilkes 1991).
#[derive(Clone)]
pub(super) struct AgedTime<const WHOLE: bool> {
    weight: u64,
}

impl<const WHOLE: bool> AgedTime<WHOLE> {
    pub(super) fn new(options: &Options) -> Result<Self> {
        let weight = options.number("weight")?;
        Ok(Self { weight: (weight / 1000.0 * f64::from(FRACTION_BITS).exp2()) as u64 })
    }

    /// The amount in nanoseconds that waiting subtracts at `now` from the cost of a request that arrived at `arrival`.
    fn credit(&self, arrival: Time, now: Time) -> u64 {
        let credit = (u128::from(now.since(arrival).0) * u128::from(self.weight)) >> FRACTION_BITS;
        u64::try_from(credit).unwrap_or(CREDIT_MAX).min(CREDIT_MAX)
    }
}

impl<const WHOLE: bool> Cost for AgedTime<WHOLE> {
    const WHOLE: bool = WHOLE;
    const AGES: bool = true;

    fn cost(&self, time: Span, arrival: Time, now: Time) -> u64 {
        CREDIT_MAX - self.credit(arrival, now) + time.0
    }

    fn longest(&self, cost: u64, arrival: Time, now: Time) -> Option<Span> {
        cost.checked_sub(CREDIT_MAX - self.credit(arrival, now)).map(Span)
    }
}
