//! The seek model "linear-system": a seek is the step response of the control loop that holds the sled
//! (001-F30, 001-D16).

use super::position_loop::{zero, Loop};
use super::settings::{missing, SeekModelRow};

use super::{Axis, SeekModel};

/// Entry for this model in the table of seek models.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "linear-system",
    "step response of the second-order loop that holds the sled, until the position error is within its tolerance; includes settling",
    &|settings| {
        let position_loop = settings.position_loop.ok_or_else(|| {
            missing("linear-system", "loop_frequency_hz, loop_damping and loop_tolerance_nm")
        })?;
        Ok(Box::new(LinearSystem::new(settings.axis, position_loop)))
    },
)
.source("001-F30")
.keys(&["loop_frequency_hz", "loop_damping", "loop_tolerance_nm"]);

/// Seeks of a linear control loop. They take longer than a seek under full force with settling, and depend
/// more on the distance.
///
/// The sled may have to pass the destination at access velocity. The loop then follows a reference that
/// moves at this velocity; the reference passes the destination when the error has come within the
/// tolerance. Seeks include settling. Turnarounds are computed under full force, and the actuator is
/// assumed to have any force that the loop demands.
#[derive(Clone, Copy, Debug)]
pub struct LinearSystem {
    axis: Axis,
    position_loop: Loop,
}

impl LinearSystem {
    /// Creates the seek model of one axis.
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
        // Coasting at access velocity is always possible, because its error is zero from the start.
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
    use std::f64::consts::PI;

    use super::*;

    fn position_loop(damping: f64) -> Loop {
        Loop { omega_per_s: 2.0 * PI * 739.0, damping, tolerance_m: 4e-9 }
    }

    #[test]
    fn seeks_of_the_reading_notes() {
        // Times from 001-D16 in ms, for distances of 1, 10, 33 and 100 um.
        for (damping, expected) in [(0.7, [1.80, 2.51, 2.88, 3.22]), (1.0, [1.66, 2.21, 2.49, 2.75])] {
            let seek = LinearSystem::new(Axis::new(803.6, 0.75, 100e-6), position_loop(damping));
            for (distance_um, ms) in [1.0, 10.0, 33.0, 100.0].into_iter().zip(expected) {
                let seek_s = seek.seek_s(-50e-6, -50e-6 + distance_um * 1e-6, 0.0);
                assert!((seek_s * 1e3 - ms).abs() < 6e-3, "{damping}: {distance_um} um in {seek_s} s");
            }
        }
    }

    /// Pairs of time in s and position error in m after a step, computed from the equation of the loop in
    /// small time steps.
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
            let last = all
                .iter()
                .rfind(|(_, error)| error.abs() > 4e-9)
                .expect("the error starts outside the tolerance")
                .0;
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
