//! Policies that subtract a part of the waiting time from the time of a request.

use super::cost::Cost;
use super::least_cost::{LeastCost, SEARCH};
use super::{OptionRow, Options, SchedulerRow};
use crate::error::Result;
use crate::time::{Span, Time};

/// Option for the weight of the waiting time; its default value is that of 000.
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

/// Number of bits of a weight that hold its fraction.
const FRACTION_BITS: u32 = 32;
/// Largest credit for waiting, in nanoseconds: 146 years.
const CREDIT_MAX: u64 = 1 << 62;

/// Serves the request with the least value of `t - (weight / 1000) t_wait`. A weight of 0 means no ageing; a large
/// weight means nearly first come, first served. If `t` is the positioning time, the policy is ASPTF (000 Eq 7); if
/// `t` also includes the transfer, the policy is the aged form of SATF (Jacobson and Wilkes 1991).
#[derive(Clone)]
pub(super) struct AgedTime<const WHOLE: bool> {
    weight: u64,
}

impl<const WHOLE: bool> AgedTime<WHOLE> {
    pub(super) fn new(options: &Options) -> Result<Self> {
        let weight = options.number("weight")?;
        Ok(Self { weight: (weight / 1000.0 * f64::from(FRACTION_BITS).exp2()) as u64 })
    }

    /// The credit at `now` for the waiting of a request that arrived at `arrival`, in whole nanoseconds.
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
