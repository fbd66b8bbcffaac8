//! The clock of a recording: the smallest step between its times, and how many requests share a time.

use super::evidence::{Aspect, Evidence};

/// Smallest number of requests from which a tick is found.
const REQUESTS_MIN: u64 = 8;
/// Step in ns up to which a clock is taken as exact; no device serves a request in so short a time.
const EXACT_NS: u64 = 1_000;
/// Tick in ns from which the clock is doubtful for every device of today, if requests share times.
const COARSE_NS: u64 = 100_000;
/// Share of requests at the time of an earlier request from which a coarse clock makes bursts.
const SHARED: f64 = 0.01;
/// The same share for a tick that is not constant, as of an interrupt whose time is rounded.
const SHARED_UNEVEN: f64 = 0.05;
/// Number of ticks up to which a step shows whether it is a multiple of the tick.
const TICKS_MAX: u64 = 4;
/// Smallest number of steps that show an uneven tick.
const STEPS_MIN: u64 = 20;

/// Counts of the steps between consecutive times of a recording.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    last_ns: Option<i64>,
    requests: u64,
    /// Number of requests at the time of the request before.
    shared: u64,
    /// Greatest common divisor of all steps in ns, exact if above `EXACT_NS`; 0 if no time differs.
    unit_ns: u64,
    /// Smallest step above 0 in ns; 0 if no time differs.
    step_ns: u64,
    /// Steps up to `TICKS_MAX` times the smallest: those close to a multiple of it, and all.
    near: [u64; 2],
    /// Number and sum of the steps close to the smallest one, in ns.
    single: (u64, u64),
}

impl Clock {
    /// Adds the next times, which never decrease.
    pub fn add(&mut self, times_ns: &[i64]) {
        for (at, &time_ns) in times_ns.iter().enumerate() {
            if let Some(last_ns) = self.last_ns.filter(|_| self.is_exact()) {
                self.add_to_exact(last_ns, &times_ns[at..]);
                return;
            }
            self.requests += 1;
            let step_ns = self.last_ns.map_or(0, |last_ns| time_ns.abs_diff(last_ns));
            if step_ns == 0 {
                self.shared += u64::from(self.last_ns.is_some());
            } else {
                self.step(step_ns);
            }
            self.last_ns = Some(time_ns);
        }
    }

    /// True if no further time can show a tick: all steps count, but only the smallest is needed.
    fn is_exact(&self) -> bool {
        (1..=EXACT_NS).contains(&self.unit_ns) && self.step_ns <= COARSE_NS
    }

    fn add_to_exact(&mut self, mut last_ns: i64, times_ns: &[i64]) {
        let mut below_ns = self.step_ns - 1;
        for &time_ns in times_ns {
            let step_ns = time_ns.abs_diff(last_ns);
            self.shared += u64::from(step_ns == 0);
            // A step of 0 becomes the largest number.
            below_ns = below_ns.min(step_ns.wrapping_sub(1));
            last_ns = time_ns;
        }
        self.step_ns = below_ns + 1;
        self.requests += times_ns.len() as u64;
        self.last_ns = Some(last_ns);
    }

    #[inline]
    fn step(&mut self, step_ns: u64) {
        if self.unit_ns > EXACT_NS || self.unit_ns == 0 {
            self.unit_ns = gcd(step_ns, self.unit_ns);
        }
        if step_ns < self.step_ns || self.step_ns == 0 {
            // Counts of larger steps stay if they hardly differ.
            if step_ns < self.step_ns / 10 * 9 {
                (self.near, self.single) = ([0; 2], (0, 0));
            }
            self.step_ns = step_ns;
        }
        if step_ns > EXACT_NS && step_ns / TICKS_MAX < self.step_ns {
            let off = step_ns % self.step_ns;
            let is_near = off.min(self.step_ns - off) <= self.step_ns / 5;
            self.near[0] += u64::from(is_near);
            self.near[1] += 1;
            if step_ns < self.step_ns / 2 * 3 {
                self.single = (self.single.0 + 1, self.single.1.saturating_add(step_ns));
            }
        }
    }

    /// Share of the requests that have the time of the request before.
    #[must_use]
    pub fn shared(&self) -> f64 {
        self.shared as f64 / self.requests.max(1) as f64
    }

    /// Tick of the clock in ns: all times are multiples of it, or lie close to multiples. `None` if it is at most 1 us,
    /// or unknown.
    #[must_use]
    pub fn tick_ns(&self) -> Option<u64> {
        if self.requests < REQUESTS_MIN || self.step_ns == 0 {
            return None;
        }
        let [near, steps] = self.near;
        let is_uneven = self.shared() >= SHARED_UNEVEN
            && steps >= STEPS_MIN
            && near * 20 >= steps * 19
            && self.step_ns / 2 >= self.unit_ns
            && self.step_ns > COARSE_NS;
        let tick_ns = if is_uneven { self.single.1 / self.single.0.max(1) } else { self.unit_ns };
        (tick_ns > EXACT_NS).then_some(tick_ns)
    }

    /// True if requests that share a time would keep a device busy that serves a request in `service_ns`.
    #[must_use]
    pub fn is_coarse(&self, service_ns: u64) -> bool {
        self.shared() >= SHARED && self.tick_ns().is_some_and(|tick_ns| tick_ns > service_ns / 2)
    }

    /// The evidence on the clock of a whole recording; `None` if it has too few requests.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        if self.requests < REQUESTS_MIN {
            return None;
        }
        if self.step_ns == 0 {
            let text = "all requests have one time: response times are those of a single burst";
            return Some(Evidence::doubt(Aspect::Clock, text));
        }
        let shared = match self.shared {
            0 => "no two requests share a time".to_owned(),
            _ => {
                format!("{:.3} % of the requests have the time of the request before", 100.0 * self.shared())
            }
        };
        let Some(tick_ns) = self.tick_ns() else {
            let text = format!("smallest step between two times: {}; {shared}", in_words(self.step_ns));
            return Some(Evidence::remark(Aspect::Clock, text));
        };
        let text = format!("times are multiples of about {}, and {shared}", in_words(tick_ns));
        if !self.is_coarse(COARSE_NS) {
            return Some(Evidence::remark(Aspect::Clock, text));
        }
        let text =
            format!("{text}: below this time, bursts, gaps, the Hurst parameter and response times are those of the clock");
        Some(Evidence::doubt(Aspect::Clock, text))
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A time in its largest unit with a number of at least 1.
pub(super) fn in_words(time_ns: u64) -> String {
    let (unit, name) = match time_ns {
        1_000_000_000.. => (1e9, "s"),
        1_000_000.. => (1e6, "ms"),
        1_000.. => (1e3, "us"),
        _ => (1.0, "ns"),
    };
    let rounded = format!("{:.3}", time_ns as f64 / unit);
    format!("{} {name}", rounded.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn times_are_counted_alike_in_any_pieces(
            steps_ns in proptest::collection::vec((0_u64..4, 1_u64..300_000), 2..60),
            unit_ns in prop::sample::select(vec![1_u64, 100, 1_000, 1_001, 250_000]),
            first in 0_usize..60,
        ) {
            let mut time_ns = 0;
            let mut times_ns = vec![0];
            for (kind, step_ns) in &steps_ns {
                time_ns += if *kind == 0 { 0 } else { (step_ns * unit_ns) as i64 };
                times_ns.push(time_ns);
            }
            let (mut whole, mut pieces) = (Clock::default(), Clock::default());
            whole.add(&times_ns);
            let (before, behind) = times_ns.split_at(first.min(times_ns.len()));
            pieces.add(before);
            pieces.add(behind);
            prop_assert_eq!(whole.tick_ns(), pieces.tick_ns());
            let steps_ns: Vec<i64> = times_ns.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let shared = steps_ns.iter().filter(|step_ns| **step_ns == 0).count();
            let smallest_ns = steps_ns.iter().copied().filter(|step_ns| *step_ns > 0).min();
            prop_assert_eq!(whole.shared, shared as u64);
            prop_assert_eq!(whole.requests, times_ns.len() as u64);
            prop_assert_eq!(whole.step_ns, smallest_ns.unwrap_or(0) as u64);
        }
    }
}
