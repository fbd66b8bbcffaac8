//! Unwrapping of a clock that begins again at 0: a counter that has counted 2^32 units, or times of day at midnight.

use super::evidence::{Aspect, Evidence};
use super::trace_info::Times;

/// Units of counters, in ns.
const UNITS_NS: [i64; 4] = [1, 100, 1_000, 1_000_000];
/// Number of units after which a counter begins again.
const COUNTS: i64 = 1 << 32;
/// Part of the range of a counter that may pass between two requests when it begins again, however close others are.
const NEAR: i64 = 4096;
/// Part of its range that passes at most between two requests when a counter begins again.
const FAR: i64 = 8;
/// Number of earlier steps that may pass between two requests when a counter begins again.
const STEPS: i64 = 8;
/// Time in ns after which times of day begin again.
const DAY_NS: i64 = 86_400_000_000_000;
/// Times that are all multiples of this number of units come from another clock.
const ROUND: i64 = 1_000;

/// Correction of the times of a clock that begins again at 0.
#[derive(Debug, Default)]
pub(super) struct Unwrapping {
    /// Time in which the clock counts through, in ns; of a counter `None` until a time shows that it has begun again.
    period_ns: Option<i64>,
    /// Time to add to the times of the counter.
    offset_ns: i64,
    /// The previous time as the counter gave it.
    last_ns: Option<i64>,
    /// Longest step forward of the times that were corrected last.
    step_ns: i64,
    /// Number of times that the counter has begun again.
    pub wraps: u64,
}

impl Unwrapping {
    /// Corrects the times of requests in the order of the file. A time long before the previous one counts from a new
    /// start of the clock, and a time long after it from the earlier start. `is_sorted` is true if no time is before
    /// another.
    pub fn correct(&mut self, times_ns: &mut [i64], times: Times, is_sorted: bool) {
        if times == Times::FromMidnight {
            self.period_ns = Some(DAY_NS);
        }
        let follows = self.last_ns <= times_ns.first().copied();
        if self.period_ns.is_none() && follows && is_sorted {
            if let [.., before, last] = times_ns {
                (self.last_ns, self.step_ns) = (Some(*last), last.saturating_sub(*before));
            }
            return;
        }
        for time_ns in times_ns {
            let counted_ns = *time_ns;
            let last_ns = self.last_ns.replace(counted_ns).unwrap_or(counted_ns);
            let step_ns = counted_ns.saturating_sub(last_ns);
            if self.period_ns.is_none() {
                self.step_ns = self.step_ns.max(step_ns);
                self.period_ns = (step_ns < 0).then(|| self.period_of(last_ns, counted_ns)).flatten();
            }
            if let Some(period_ns) = self.period_ns {
                if step_ns < -period_ns / 2 {
                    self.offset_ns += period_ns;
                    self.wraps += 1;
                } else if step_ns > period_ns / 2 && self.offset_ns > 0 {
                    self.offset_ns -= period_ns;
                    self.wraps -= 1;
                }
            }
            *time_ns = counted_ns.saturating_add(self.offset_ns);
        }
    }

    /// The time in which a counter counts through that gives `counted_ns` after `last_ns`; `None` if no counter does.
    #[cold]
    fn period_of(&self, last_ns: i64, counted_ns: i64) -> Option<i64> {
        let is_round = |time_ns: i64, unit_ns: i64| time_ns % (ROUND * unit_ns) == 0;
        let wraps = |unit_ns: &i64| {
            let period_ns = COUNTS * unit_ns;
            let passed_ns = counted_ns.saturating_add(period_ns).saturating_sub(last_ns);
            (0..period_ns).contains(&last_ns)
                && counted_ns >= 0
                && passed_ns <= self.step_ns.saturating_mul(STEPS).clamp(period_ns / NEAR, period_ns / FAR)
                && !(is_round(last_ns, *unit_ns) && is_round(counted_ns, *unit_ns))
        };
        UNITS_NS.into_iter().find(wraps).map(|unit_ns| COUNTS * unit_ns)
    }

    /// The evidence on a clock that has begun again; `None` if it has not.
    pub fn evidence(&self) -> Option<Evidence> {
        let period_ns = self.period_ns.filter(|_| self.wraps > 0)?;
        let wraps = self.wraps;
        if period_ns == DAY_NS {
            let text = format!("times of day begin again at midnight (number of midnights: {wraps})");
            return Some(Evidence::remark(Aspect::Clock, text));
        }
        let period_s = period_ns as f64 * 1e-9;
        let text = format!(
            "the clock is a counter that wraps after {period_s:.4} s (number of wraps: {wraps}); times count on from there"
        );
        Some(Evidence::doubt(Aspect::Clock, text))
    }
}
