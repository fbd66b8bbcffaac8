//! The time scale: seconds of the clock per simulated second.

use std::fmt;
use std::str::FromStr;

use sledsim::time::Time;

/// Largest permitted time scale; the smallest one is 1 divided by this number.
const MOST: u64 = 1_000_000;
/// Maximum number of digits after the decimal point of a time scale.
const MOST_DIGITS: usize = 9;

/// Time scale: the number of clock seconds per simulated second. 10 makes the device ten times as slow, 1/50
/// makes it fifty times as fast. The scale is stored as a ratio of integers, so that times stay exact in runs
/// of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeScale {
    clock: u64,
    simulated: u64,
}

impl TimeScale {
    /// Real time: a simulated second takes a second.
    pub const ONE: Self = Self { clock: 1, simulated: 1 };

    /// Convert a time of the clock to simulated time.
    #[must_use]
    pub fn simulated(self, clock_ns: u64) -> Time {
        let time = u128::from(clock_ns) * u128::from(self.simulated) / u128::from(self.clock);
        Time(time.try_into().unwrap_or(u64::MAX))
    }

    /// Convert a simulated time to nanoseconds of the clock, rounded up.
    #[must_use]
    pub fn clock_ns(self, time: Time) -> u64 {
        let clock = (u128::from(time.0) * u128::from(self.clock)).div_ceil(u128::from(self.simulated));
        clock.try_into().unwrap_or(u64::MAX)
    }
}

/// Parse digits with an optional decimal point. Return an integer, and the power of ten by which it must be
/// divided.
fn decimal(text: &str) -> Option<[u64; 2]> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || fraction.len() > MOST_DIGITS || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    Some([format!("{whole}{fraction}").parse().ok()?, 10_u64.pow(fraction.len() as u32)])
}

impl FromStr for TimeScale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("time scale: expected a number such as 10 or 0.02, or a ratio such as 1/50, from 1/{MOST} to {MOST}, found {text:?}")
        };
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        let ([a, b], [c, d]) = decimal(over).zip(decimal(under)).ok_or_else(wrong)?;
        let (clock, simulated) = a.checked_mul(d).zip(b.checked_mul(c)).ok_or_else(wrong)?;
        let within = |larger: u64, smaller: u64| smaller > 0 && larger.div_ceil(smaller) <= MOST;
        if !within(clock, simulated) || !within(simulated, clock) {
            return Err(wrong());
        }
        let (mut common, mut rest) = (clock, simulated);
        while rest > 0 {
            (common, rest) = (rest, common % rest);
        }
        Ok(Self { clock: clock / common, simulated: simulated / common })
    }
}

impl fmt::Display for TimeScale {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { clock, simulated: 1 } => write!(to, "{clock}"),
            Self { clock, simulated } => write!(to, "{clock}/{simulated}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale(text: &str) -> TimeScale {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_and_ratios_are_read() {
        for (text, found) in
            [("1", "1"), ("10", "10"), ("0.02", "1/50"), ("1/50", "1/50"), ("2.5", "5/2"), ("1.5/3", "1/2")]
        {
            assert_eq!(scale(text).to_string(), found);
        }
    }

    #[test]
    fn what_is_no_scale_is_refused() {
        for text in ["", "0", "-1", "1e3", "1/0", "x10", "1000001", "1/1000001", "0.0000000001", ".5", "1//2"]
        {
            let error = text.parse::<TimeScale>().unwrap_err();
            assert!(
                error.contains("such as 10 or 0.02") && error.ends_with(&format!("found {text:?}")),
                "{error}"
            );
        }
    }

    #[test]
    fn nine_digits_behind_the_point_are_read_exactly() {
        for (text, found) in [
            ("0.123456789", "123456789/1000000000"),
            ("2.000000001", "2000000001/1000000000"),
            ("1/3.000000000", "1/3"),
        ] {
            assert_eq!(scale(text).to_string(), found);
            let longer = format!("{text}0");
            assert!(longer.parse::<TimeScale>().is_err(), "{longer}");
        }
    }

    #[test]
    fn slow_motion_takes_longer() {
        assert_eq!(scale("10").clock_ns(Time(7)), 70);
        assert_eq!(scale("10").simulated(79), Time(7));
        assert_eq!(scale("1/50").simulated(2), Time(100));
        assert_eq!(scale("1/50").clock_ns(Time(101)), 3);
    }

    proptest! {
        #[test]
        fn nothing_is_due_before_its_time(over in 1..5000_u64, under in 1..200_u64, time in 0..u64::MAX / 8192) {
            let scale = scale(&format!("{over}/{under}"));
            let clock_ns = scale.clock_ns(Time(time));
            prop_assert!(scale.simulated(clock_ns) >= Time(time));
            prop_assert!(clock_ns == 0 || scale.simulated(clock_ns - 1) < Time(time));
        }
    }
}
