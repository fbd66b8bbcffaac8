//! A seek as the step response of a closed loop, instead of slew and settle (001-F30, 001-D16).

use std::f64::consts::PI;

use super::{Axis, SeekModel};

/// Halvings of an interval: its ends are then as near as numbers can be.
const HALVINGS: u32 = 60;

/// A time so short that it is none: a ten thousandth of what a nanosecond's rounding takes.
const NEAR_ZERO_S: f64 = 1e-13;

/// A position loop of second order: e'' + 2 z w e' + w^2 e = 0 for the error e of the place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    /// Natural frequency w in rad/s.
    pub omega_per_s: f64,
    /// Damping ratio z; 1 is critical.
    pub damping: f64,
    /// The error within which data can be accessed, in m.
    pub tolerance_m: f64,
}

impl Loop {
    /// Seconds until an error that starts at `error_m` stays within the tolerance for good.
    ///
    /// It is the envelope of the error that is taken: where the loop oscillates (z < 1), the error itself
    /// comes to stay within the tolerance up to half a period earlier, at a time that jumps as the distance
    /// grows; the envelope is what a designer can rely on.
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
            // The other bound, below, starts lower but is above this one by then.
            if 1.0 + decays >= height {
                return decays / (z * w);
            }
        }
        // Two modes that decay, with rates z w -+ spread; sinh(x)/x is 1 where both are one. Falls with t. Below
        // critical damping it is a bound, too, for |sin(x)| <= x: the nearer one near critical damping.
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

    /// How far a step of `distance_m` overshoots its destination.
    #[must_use]
    pub fn overshoot_m(&self, distance_m: f64) -> f64 {
        let z = self.damping;
        if z >= 1.0 {
            return 0.0;
        }
        distance_m.abs() * libm::exp(-PI * z / (1.0 - z * z).sqrt())
    }
}

/// Where in 0 to `high` a condition that holds from somewhere on begins to hold.
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

/// Where between 0 and `high` a function falls through zero: false position, with the value at an end that
/// stays twice halved (Illinois), so that both ends move.
fn zero(mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
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

/// Seeks by a linear feedback loop: longer than slew and settle, and more dependent on the distance.
///
/// The destination may move at access speed (a step to a location *and* a velocity): the loop is then given a
/// reference that moves at that speed and passes the destination when the error has come within the
/// tolerance. Nothing is left to settle. Turnarounds stay those of the actuator under full force, and the
/// actuator is taken to have the force that the loop asks for.
#[derive(Clone, Copy, Debug)]
pub struct LinearSystem {
    axis: Axis,
    position_loop: Loop,
}

impl LinearSystem {
    /// The seek model of one axis.
    #[must_use]
    pub fn new(axis: Axis, position_loop: Loop) -> Self {
        Self { axis, position_loop }
    }
}

impl SeekModel for LinearSystem {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn grows_with_distance(&self) -> bool {
        true
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        let distance_m = (to_m - from_m).abs();
        if distance_m == 0.0 {
            return 0.0;
        }
        if speed_m_per_s == 0.0 {
            return self.position_loop.settle_s(distance_m);
        }
        // Going on at access speed is always a way: the error is then nothing from the start.
        let late_s = |t: f64| self.position_loop.settle_s(distance_m - speed_m_per_s * t) - t;
        zero(distance_m / speed_m_per_s, late_s)
    }

    fn settles(&self) -> bool {
        false
    }

    fn overshoot_m(&self, distance_m: f64) -> f64 {
        self.position_loop.overshoot_m(distance_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position_loop(damping: f64) -> Loop {
        Loop { omega_per_s: 2.0 * PI * 739.0, damping, tolerance_m: 4e-9 }
    }

    #[test]
    fn seeks_of_the_reading_notes() {
        // 001-D16: ms for 1, 10, 33 and 100 um.
        for (damping, expected) in [(0.7, [1.80, 2.51, 2.88, 3.22]), (1.0, [1.66, 2.21, 2.49, 2.75])] {
            let seek = LinearSystem::new(Axis::new(803.6, 0.75, 100e-6), position_loop(damping));
            for (distance_um, ms) in [1.0, 10.0, 33.0, 100.0].into_iter().zip(expected) {
                let seek_s = seek.seek_s(-50e-6, -50e-6 + distance_um * 1e-6, 0.0);
                assert!((seek_s * 1e3 - ms).abs() < 6e-3, "{damping}: {distance_um} um in {seek_s} s");
            }
        }
    }

    /// The error after a step, by small steps of the loop's equation.
    fn errors(damping: f64, step_m: f64, until_s: f64) -> Vec<(f64, f64)> {
        let (w, dt) = (position_loop(damping).omega_per_s, 1e-8);
        let (mut error, mut rate) = (step_m, 0.0);
        let count = (until_s / dt) as usize;
        let mut all = Vec::with_capacity(count);
        for step in 0..count {
            all.push((step as f64 * dt, error));
            let pull = |error: f64, rate: f64| -w * w * error - 2.0 * damping * w * rate;
            let (middle, middle_rate) = (error + 0.5 * dt * rate, rate + 0.5 * dt * pull(error, rate));
            error += dt * middle_rate;
            rate += dt * pull(middle, middle_rate);
        }
        all
    }

    #[test]
    fn the_error_stays_within_the_tolerance_from_then_on() {
        for damping in [0.3, 0.7, 1.0, 1.5, 3.0] {
            let position_loop = position_loop(damping);
            let settle_s = position_loop.settle_s(10e-6);
            let all = errors(damping, 10e-6, settle_s + 3e-3);
            let last = all.iter().rfind(|(_, error)| error.abs() > 4e-9).expect("it starts outside").0;
            let half_period_s = PI / position_loop.omega_per_s / (1.0 - damping * damping).abs().sqrt();
            let early_s = if damping < 1.0 { half_period_s } else { 1e-6 };
            assert!(settle_s - early_s <= last && last <= settle_s + 1e-6, "{damping}: {last} of {settle_s}");
        }
    }

    #[test]
    fn nothing_jumps_at_critical_damping() {
        let settle_s = |damping| position_loop(damping).settle_s(10e-6);
        for nearly in [1.0 - 1e-12, 1.0 - 1e-6, 1.0 + 1e-6] {
            assert!((settle_s(nearly) / settle_s(1.0) - 1.0).abs() < 1e-5, "{nearly}");
        }
        assert!(settle_s(0.99) < 1.01 * settle_s(1.0));
    }

    #[test]
    fn the_overshoot_is_that_of_the_step() {
        let most = errors(0.5, 10e-6, 3e-3).into_iter().map(|(_, error)| -error).fold(0.0, f64::max);
        assert!((position_loop(0.5).overshoot_m(10e-6) / most - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_moving_destination_is_caught_up_with() {
        let seek = LinearSystem::new(Axis::new(803.6, 0.75, 100e-6), position_loop(0.7));
        let speed = 0.028;
        for distance_um in [0.1, 10.0, 60.0, 99.0] {
            let distance_m = distance_um * 1e-6;
            let seek_s = seek.seek_s(0.0, distance_m, speed);
            let coast_s = distance_m / speed;
            assert!(seek_s <= coast_s && seek_s > 0.0);
            let caught = position_loop(0.7).settle_s(distance_m - speed * seek_s);
            assert!((caught - seek_s).abs() < 1e-9 || seek_s > coast_s - 1e-6, "{distance_um}: {caught}");
        }
    }
}
