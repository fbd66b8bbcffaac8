//! The control loop that holds a sled in place, a linear system of second order.

use std::f64::consts::PI;

/// Time in seconds below which a difference counts as zero: 1/10,000 of a nanosecond, to which results are rounded.
const NEAR_ZERO_S: f64 = 1e-13;

/// Number of times that an interval is halved to find a point; afterwards its ends are neighbouring
/// floating-point numbers.
const HALVINGS: u32 = 60;

/// A control loop of second order: e'' + 2 z w e' + w^2 e = 0 for the position error e.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    /// Natural frequency w in rad/s.
    pub omega_per_s: f64,
    /// Damping ratio z; 1 is critical damping.
    pub damping: f64,
    /// Maximum position error in m at which data can be accessed.
    pub tolerance_m: f64,
}

impl Loop {
    /// Settling time in seconds, after which a position error of `error_m` at the start stays within the tolerance.
    ///
    /// The envelope of the error must come within the tolerance. If the loop oscillates (z < 1), the error
    /// itself may stay within it up to half a period earlier, at a time that jumps as the initial error
    /// grows. Designers can rely on the envelope.
    #[must_use]
    pub fn settle_s(&self, error_m: f64) -> f64 {
        let Self { omega_per_s: w, damping: z, tolerance_m } = *self;
        let excess = error_m.abs() / tolerance_m;
        if excess <= 1.0 {
            return 0.0;
        }
        if z < 1.0 {
            let height = 1.0 / (1.0 - z * z).sqrt();
            let decays = libm::log(excess * height);
            // The other bound, computed below, starts lower but is above this bound by then.
            if 1.0 + decays >= height {
                return decays / (z * w);
            }
        }
        // The error consists of two modes that decay with the rates z w -+ spread; sinh(x)/x is 1
        // if the rates are equal. The sum falls with t. It is also a bound below critical damping,
        // because |sin(x)| <= x, and the closer bound near critical damping.
        let spread = w * (z * z - 1.0).max(0.0).sqrt();
        let remaining = |t: f64| {
            let x = spread * t;
            let sinhc = if x < 1e-6 { t } else { 0.5 * t * (1.0 - libm::exp(-2.0 * x)) / x };
            libm::exp((spread - z * w) * t) * (0.5 * (1.0 + libm::exp(-2.0 * x)) + z * w * sinhc)
        };
        let mut high = 1.0 / w;
        while excess * remaining(high) > 1.0 {
            high *= 2.0;
        }
        first_true(high, |t| excess * remaining(t) <= 1.0)
    }

    /// Maximum distance in metres beyond the destination, after a step of `distance_m`.
    #[must_use]
    pub fn overshoot_m(&self, distance_m: f64) -> f64 {
        let z = self.damping;
        if z >= 1.0 {
            return 0.0;
        }
        distance_m.abs() * libm::exp(-PI * z / (1.0 - z * z).sqrt())
    }
}

/// The lowest point from 0 to `high` at which `condition` is true. The condition must be true at all points
/// above it.
fn first_true(mut high: f64, condition: impl Fn(f64) -> bool) -> f64 {
    let mut low = 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if condition(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Point between 0 and `high` at which a falling function is zero, by false position with the Illinois
/// method: an end that has not moved for two steps gets half of its value, so that both ends approach the
/// point.
pub(super) fn zero(mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut at_low, mut at_high) = (0.0, function(0.0), function(high));
    if at_low <= 0.0 {
        return 0.0;
    }
    let mut rose = None;
    for _ in 0..HALVINGS {
        let middle = high - at_high * (high - low) / (at_high - at_low);
        let value = function(middle);
        if value.abs() <= NEAR_ZERO_S || high - low <= NEAR_ZERO_S {
            return middle;
        }
        let rises = value > 0.0;
        let stays_twice = rose == Some(rises);
        if rises {
            (low, at_low) = (middle, value);
            at_high *= if stays_twice { 0.5 } else { 1.0 };
        } else {
            (high, at_high) = (middle, value);
            at_low *= if stays_twice { 0.5 } else { 1.0 };
        }
        rose = Some(rises);
    }
    high
}
