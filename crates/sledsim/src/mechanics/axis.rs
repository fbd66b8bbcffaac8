//! An axis of a sled: its actuator, its springs, and motions that all seek models share.

use std::f64::consts::PI;

use super::State;

/// A mass on a spring, moved by an actuator that pushes with full force in one direction or in the other.
///
/// The equation of motion is x'' = +-a - w^2 x (000-F3). The spring factor s is the force of the
/// spring at full displacement L divided by the force of the actuator, so w^2 = s a / L (000-D2,
/// D7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Acceleration a of the mass by the actuator alone, in m/s^2.
    pub acceleration_m_per_s2: f64,
    /// Stiffness of the spring divided by the mass, w^2, in 1/s^2; 0 without a spring.
    pub stiffness_per_s2: f64,
    /// Angular frequency w of the mass on the spring, in rad/s: the square root of `stiffness_per_s2`.
    pub omega_per_s: f64,
    /// Maximum displacement L from the centre to either side, in m: half of the stroke.
    pub reach_m: f64,
}

/// Time and distance in which the sled gains access velocity from rest, or stops from access velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Duration of the motion in seconds.
    pub time_s: f64,
    /// Distance of the motion in metres; always positive.
    pub distance_m: f64,
}

impl Axis {
    /// Creates an axis with a stroke of `stroke_m` metres, end to end.
    #[must_use]
    pub fn new(acceleration_m_per_s2: f64, spring_factor: f64, stroke_m: f64) -> Self {
        let reach_m = stroke_m / 2.0;
        let stiffness_per_s2 = spring_factor * acceleration_m_per_s2 / reach_m;
        Self { acceleration_m_per_s2, stiffness_per_s2, omega_per_s: stiffness_per_s2.sqrt(), reach_m }
    }

    /// Time in seconds of a turnaround at `y_m`: the speed v in direction `d` (+1 or -1) becomes the same
    /// speed in the opposite direction (000-D3). It is (2/w) atan(w v / (a + d w^2 y)), or 2 v / a without
    /// springs (002-F8, Eq 5).
    #[must_use]
    pub fn turnaround_s(&self, y_m: f64, d: f64, speed_m_per_s: f64) -> f64 {
        let braking = self.acceleration_m_per_s2 + d * self.stiffness_per_s2 * y_m;
        if self.omega_per_s == 0.0 {
            return 2.0 * speed_m_per_s / braking;
        }
        2.0 / self.omega_per_s * libm::atan(self.omega_per_s * speed_m_per_s / braking)
    }

    /// The two times in seconds of the quickest motion from one state to another: full force in positive
    /// direction, then full force in negative direction. The speed between the two phases follows from the
    /// energy (000-F2).
    #[must_use]
    pub(super) fn full_force_s(&self, from: State, to: State) -> [f64; 2] {
        let (full, stiffness, omega) = (self.acceleration_m_per_s2, self.stiffness_per_s2, self.omega_per_s);
        let (x0, v0, x1, v1) = (from.place_m, from.speed_m_per_s, to.place_m, to.speed_m_per_s);
        let distance_m = x1 - x0;
        let energy = 0.5 * ((v1 - v0) * (v0 + v1) + stiffness * (x0 + x1) * distance_m);
        let ahead_m = 0.5 * (distance_m + energy / full);
        let switch_m = x0 + ahead_m;
        let peak2 = v0 * v0 + 2.0 * ahead_m * (full - stiffness * (x0 + 0.5 * ahead_m));
        let peak = peak2.max(0.0).sqrt();
        // Time in which the speed changes by `gained`: (2/w) times the arc tangent of w `gained` /
        // `force`.
        let phase_s = |gained: f64, force: f64| {
            let tangent_s = gained.max(0.0) / force;
            if omega == 0.0 {
                2.0 * tangent_s
            } else {
                2.0 / omega * libm::atan(omega * tangent_s)
            }
        };
        let ahead_s = phase_s(peak - v0, 2.0 * full - stiffness * (x0 + switch_m));
        [ahead_s, phase_s(peak - v1, 2.0 * full + stiffness * (switch_m + x1))]
    }

    /// Time and distance to stop from access velocity in direction `d` at `y_m`. This motion is the first
    /// half of a turnaround.
    #[must_use]
    pub fn stop(&self, y_m: f64, d: f64, speed_m_per_s: f64) -> Launch {
        let braking = self.acceleration_m_per_s2 + d * self.stiffness_per_s2 * y_m;
        let speed2 = speed_m_per_s * speed_m_per_s;
        let distance_m = speed2 / (braking + (braking * braking + self.stiffness_per_s2 * speed2).sqrt());
        Launch { time_s: 0.5 * self.turnaround_s(y_m, d, speed_m_per_s), distance_m }
    }

    /// Time and distance to gain access velocity in direction `d` from rest at `y_m`. This motion is the
    /// second half of a turnaround.
    #[must_use]
    pub fn launch(&self, y_m: f64, d: f64, speed_m_per_s: f64) -> Launch {
        let pushing = self.acceleration_m_per_s2 - d * self.stiffness_per_s2 * y_m;
        let speed2 = speed_m_per_s * speed_m_per_s;
        let distance_m = speed2 / (pushing + (pushing * pushing - self.stiffness_per_s2 * speed2).sqrt());
        let end_m = y_m + d * distance_m;
        Launch { time_s: 0.5 * self.turnaround_s(end_m, -d, speed_m_per_s), distance_m }
    }
}

/// Settling time in seconds: a number of time constants of 1 / (2 pi f) each, for the resonant frequency f
/// (002-F6, Eq 3).
#[must_use]
pub fn settle_s(resonant_frequency_hz: f64, time_constants: f64) -> f64 {
    time_constants / (2.0 * PI * resonant_frequency_hz)
}

#[cfg(test)]
mod tests {
    use super::*;

    const G2: (f64, f64, f64) = (803.6, 0.75, 100e-6);
    const ACCESS: f64 = 0.028;

    fn g2() -> Axis {
        Axis::new(G2.0, G2.1, G2.2)
    }

    #[test]
    fn turnarounds_of_the_papers() {
        for (y_m, d, ms) in [(0.0, 1.0, 0.0693), (50e-6, 1.0, 0.0398), (-50e-6, 1.0, 0.2596)] {
            assert!((g2().turnaround_s(y_m, d, ACCESS) * 1e3 - ms).abs() < 5e-5, "at {y_m}");
        }
        let free = Axis::new(803.6, 0.0, 100e-6);
        assert!((free.turnaround_s(0.0, 1.0, ACCESS) * 1e3 - 0.0697).abs() < 5e-5);
    }

    #[test]
    fn settling_of_the_papers() {
        for (hz, ms) in [(220.0, 0.7234), (739.0, 0.2154), (1108.5, 0.1436)] {
            assert!((settle_s(hz, 1.0) * 1e3 - ms).abs() < 5e-5, "at {hz}");
        }
    }

    #[test]
    fn stopping_and_launching_again_is_a_turnaround() {
        let axis = g2();
        for y_m in [-50e-6, -10e-6, 0.0, 30e-6] {
            let stop = axis.stop(y_m, 1.0, ACCESS);
            let launch = axis.launch(y_m + stop.distance_m, -1.0, ACCESS);
            assert!((launch.distance_m / stop.distance_m - 1.0).abs() < 1e-9);
            let both_s = stop.time_s + launch.time_s;
            assert!((both_s / axis.turnaround_s(y_m, 1.0, ACCESS) - 1.0).abs() < 1e-9);
        }
    }
}
