//! Shortest time first, less a part of the time waited.

use super::cost::Cost;
use super::Options;
use crate::error::Result;
use crate::time::{Span, Time};

/// Binary digits of the fraction of a weight.
const FRACTION_BITS: u32 = 32;

/// Serves the request of least `t - (weight / 1000) t_wait`: with weight 0 as without, with a great weight
/// nearly first come, first served. With `t` the positioning time it is ASPTF (000 Eq 7; DiskSim: policy 14,
/// ASPTF_OPT), with positioning and transfer the aged form of SATF (policy 16, ASATF_OPT; Jacobson and Wilkes
/// 1991).
///
/// At any one time the credits of two requests differ by their arrivals alone: so a request costs its time and
/// its arrival so weighted, in whole nanoseconds.
pub(super) struct Aged<const WHOLE: bool> {
    weight: u64,
}

impl<const WHOLE: bool> Aged<WHOLE> {
    pub(super) fn new(options: &Options) -> Result<Self> {
        let within = |weight: f64| (0.0..=1e5).contains(&weight);
        let weight = options.number("weight", "a number from 0 (no ageing) to 100000", within)?;
        Ok(Self { weight: (weight / 1000.0 * f64::from(FRACTION_BITS).exp2()) as u64 })
    }

    fn weighted(&self, arrival: Time) -> u64 {
        let weighted = (u128::from(arrival.0) * u128::from(self.weight)) >> FRACTION_BITS;
        u64::try_from(weighted).unwrap_or(u64::MAX / 2).min(u64::MAX / 2)
    }
}

impl<const WHOLE: bool> Cost for Aged<WHOLE> {
    const WHOLE: bool = WHOLE;
    const AGES: bool = true;

    fn cost(&self, time: Span, arrival: Time, _now: Time) -> u64 {
        time.0 + self.weighted(arrival)
    }

    fn longest(&self, cost: u64, arrival: Time, _now: Time) -> Option<Span> {
        cost.checked_sub(self.weighted(arrival)).map(Span)
    }
}
