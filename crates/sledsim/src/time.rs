//! Simulated time in whole nanoseconds (`u64`), so that sums are exact and runs can be repeated.

use std::ops::{Add, AddAssign, Sub};

/// Nanoseconds in a second.
pub const NANOS_PER_S: f64 = 1e9;
/// Nanoseconds in a millisecond.
pub const NANOS_PER_MS: f64 = 1e6;

/// A point of simulated time, in nanoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A length of simulated time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// Upper limit of arrival times: every request must arrive before this time, which is more than a century
    /// after the start.
    pub const LATEST: Self = Self(4_000_000_000_000_000_000);
    /// The largest time, which no event reaches.
    pub const MAX: Self = Self(u64::MAX);

    /// The span from `earlier` to this time; zero if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// A span of zero nanoseconds.
    pub const ZERO: Self = Self(0);
    /// A span that is longer than any span in a run. Adding a span of a run to it does not overflow.
    pub const MAX: Self = Self(u64::MAX / 2);

    /// Rounds a duration in seconds to whole nanoseconds. A phase is rounded once, after all its parts have
    /// been added.
    ///
    /// # Panics
    /// In debug builds, if `seconds` is negative or not a number, which is a bug of a model.
    #[must_use]
    pub fn from_s(seconds: f64) -> Self {
        debug_assert!(seconds >= 0.0, "a phase cannot last {seconds} s");
        // Processors convert from and to signed integers in one instruction, but unsigned integers in many.
        Self((seconds * NANOS_PER_S + 0.5) as i64 as u64)
    }

    /// The span in seconds.
    #[must_use]
    pub fn as_s(self) -> f64 {
        self.0 as i64 as f64 * (1.0 / NANOS_PER_S)
    }

    /// The difference `self - other`; zero if `other` is longer.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        Span(self.0 - earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_rounded_to_the_nearest_nanosecond() {
        assert_eq!(Span::from_s(1.2345e-9), Span(1));
        assert_eq!(Span::from_s(1.5e-9), Span(2));
        assert_eq!(Span::from_s(0.22e-3), Span(220_000));
    }

    #[test]
    fn since_never_underflows() {
        assert_eq!(Time(5).since(Time(9)), Span::ZERO);
    }
}
