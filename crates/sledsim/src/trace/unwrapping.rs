//! Unwrapping of a counter: a clock that begins again at 0 when it has counted 2^32 units.

/// Units of counters, in ns.
const UNITS_NS: [i64; 4] = [1, 100, 1_000, 1_000_000];
/// Number of units after which a counter begins again.
const COUNTS: i64 = 1 << 32;
/// A counter was close to its end before, and is close to its start after, it begins again: within this part of its
/// range.
const CLOSE: i64 = 16;

/// Correction of the times of a counter with 32 bits.
#[derive(Debug, Default)]
pub(super) struct Unwrapping {
    /// Time in which the counter counts through, in ns; `None` until a time shows that it has begun again.
    period_ns: Option<i64>,
    /// Time to add to the times of the counter.
    offset_ns: i64,
    /// The previous time as the counter gave it.
    last_ns: Option<i64>,
    /// Number of times that the counter has begun again.
    pub wraps: u64,
}

impl Unwrapping {
    /// Corrects the times of requests in the order of the file. A time long before the previous one counts from a new
    /// start of the counter, and a time long after it from the earlier start.
    pub fn correct(&mut self, times_ns: &mut [i64]) {
        let follows = self.last_ns <= times_ns.first().copied();
        if self.period_ns.is_none() && follows && times_ns.is_sorted() {
            self.last_ns = times_ns.last().copied().or(self.last_ns);
            return;
        }
        for time_ns in times_ns {
            let counted_ns = *time_ns;
            let last_ns = self.last_ns.replace(counted_ns).unwrap_or(counted_ns);
            if self.period_ns.is_none() && counted_ns < last_ns {
                self.period_ns = UNITS_NS.iter().map(|unit_ns| COUNTS * unit_ns).find(|period_ns| {
                    let close_ns = period_ns / CLOSE;
                    (period_ns - close_ns..*period_ns).contains(&last_ns)
                        && (0..close_ns).contains(&counted_ns)
                });
            }
            if let Some(period_ns) = self.period_ns {
                let step_ns = counted_ns.saturating_sub(last_ns);
                if step_ns < -period_ns / 2 {
                    self.offset_ns += period_ns;
                    self.wraps += 1;
                } else if step_ns > period_ns / 2 && self.offset_ns > 0 {
                    self.offset_ns -= period_ns;
                }
            }
            *time_ns = counted_ns.saturating_add(self.offset_ns);
        }
    }

    /// The time in which the counter counts through, in s, if it has begun again.
    pub fn period_s(&self) -> Option<f64> {
        self.period_ns.map(|period_ns| period_ns as f64 * 1e-9)
    }
}
