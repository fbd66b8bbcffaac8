//! Residual vibration of a sled whose actuators need time to change their force, after a seek that is
//! commanded as if they did not.

use super::super::State;
use super::profile::advance;
use super::{Segment, SlewLimited};

/// State of a sled after a seek that is commanded for ideal actuators, when the force has reached its last value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Place of the sled minus its destination, in metres.
    pub place_error_m: f64,
    /// Speed of the sled in metres per second.
    pub speed_m_per_s: f64,
    /// Time since the start of the seek in seconds.
    pub time_s: f64,
}

impl Residual {
    /// Amplitude of the residual vibration in m. `natural_frequency_per_s` is the natural frequency, in
    /// rad/s, of the sled while it is held in place.
    #[must_use]
    pub fn amplitude_m(&self, natural_frequency_per_s: f64) -> f64 {
        libm::hypot(self.place_error_m, self.speed_m_per_s / natural_frequency_per_s)
    }
}

impl SlewLimited {
    /// State after a seek at rest from `from_m` to `to_m`, commanded for ideal actuators (000-F2..F5): full
    /// force ahead, full force back, and then the force of the spring at the destination. The force follows
    /// these commands at its limited rate of change.
    #[must_use]
    pub fn residual(&self, from_m: f64, to_m: f64) -> Residual {
        if from_m == to_m {
            return Residual::default();
        }
        let push = self.axis.acceleration_m_per_s2.copysign(to_m - from_m);
        let [start, end] = [from_m, to_m].map(|place_m| State::at_rest(place_m * push.signum()));
        let [ahead_s, back_s] = self.axis.full_force_s(start, end);
        let last = self.axis.stiffness_per_s2 * to_m;
        let mut state = State::at_rest(from_m);
        let mut force = self.axis.stiffness_per_s2 * from_m;
        let mut time_s = 0.0;
        for (command, lasts_s) in [(push, ahead_s), (-push, back_s), (last, f64::INFINITY)] {
            let slew_m_per_s3 = self.slew_m_per_s3.copysign(command - force);
            let ramp_s = ((command - force) / slew_m_per_s3).min(lasts_s);
            let stay_s = if lasts_s.is_finite() { lasts_s - ramp_s } else { 0.0 };
            (state, force) = advance(&self.axis, state, force, Segment { duration_s: ramp_s, slew_m_per_s3 });
            (state, force) =
                advance(&self.axis, state, force, Segment { duration_s: stay_s, slew_m_per_s3: 0.0 });
            time_s += ramp_s + stay_s;
        }
        Residual { place_error_m: state.place_m - to_m, speed_m_per_s: state.speed_m_per_s, time_s }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Axis, BangBang, SeekModel};
    use super::super::tests::{g2, motions, risen_in, RISE_S};

    #[test]
    fn the_residual_of_a_free_sled() {
        // The expected values are areas and moments of the corners that the limited slew cuts off
        // the command.
        let axis = Axis::new(114.8, 0.0, 100e-6);
        for (from_m, to_m) in [(-50e-6, 50e-6), (20e-6, 10e-6)] {
            let way = f64::signum(to_m - from_m);
            let ideal_s = BangBang::new(axis).seek_s(from_m, to_m, 0.0);
            let residual = risen_in(axis, RISE_S).residual(from_m, to_m);
            let speed = axis.acceleration_m_per_s2 * RISE_S;
            assert!((residual.speed_m_per_s / (way * speed) - 1.0).abs() < 1e-11);
            assert!((residual.place_error_m / (way * 0.5 * speed * ideal_s) - 1.0).abs() < 1e-11);
            assert!((residual.time_s / (ideal_s + RISE_S) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_residual_vanishes_with_the_rise_time() {
        for (from, to) in motions() {
            let amplitude_m = |rise_s| {
                risen_in(g2(), rise_s).residual(from.place_m, to.place_m).amplitude_m(g2().omega_per_s)
            };
            assert!(amplitude_m(1e-13) < 1e-6 * 100e-6);
            assert!(from.place_m == to.place_m || amplitude_m(RISE_S) > amplitude_m(1e-6));
        }
    }
}
