//! Exact motion of a sled under a force that changes at constant rates.

use super::super::{Axis, State};

/// A segment of a motion, in which the force changes at a constant rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// Duration of the segment in seconds.
    pub duration_s: f64,
    /// Rate of change of the force divided by the mass, in m/s^3.
    pub slew_m_per_s3: f64,
}

/// A motion: the force ramps to a peak, stays there, ramps to the opposite peak, stays there, and
/// ramps to its last value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Actuator force divided by the mass at the start, in m/s^2.
    pub force_m_per_s2: f64,
    /// Segments in the order of time; some may have zero duration.
    pub segments: [Segment; 5],
}

impl Profile {
    /// Duration of the motion in seconds; NaN if the motion does not exist.
    #[must_use]
    pub fn duration_s(&self) -> f64 {
        self.segments.iter().map(|segment| segment.duration_s).sum()
    }

    /// Place in m, speed in m/s and actuator force divided by the mass in m/s^2, `t_s` seconds
    /// after the start in the state `from`. Before and after the motion, they are the values at its
    /// ends.
    #[must_use]
    pub fn sample(&self, axis: &Axis, from: State, t_s: f64) -> (f64, f64, f64) {
        let (mut state, mut force) = (from, self.force_m_per_s2);
        let mut left_s = t_s.max(0.0);
        for segment in self.segments {
            let passed_s = left_s.min(segment.duration_s);
            let part = Segment { duration_s: passed_s, ..segment };
            (state, force) = advance(axis, state, force, part);
            left_s -= passed_s;
        }
        (state.place_m, state.speed_m_per_s, force)
    }
}

/// State and force at the end of a segment that begins in the state `from` with the force
/// `force_m_per_s2`.
pub(super) fn advance(axis: &Axis, from: State, force_m_per_s2: f64, segment: Segment) -> (State, f64) {
    let Segment { duration_s, slew_m_per_s3 } = segment;
    let swing = SpringTerms::new(axis, duration_s);
    let push = force_m_per_s2 - axis.stiffness_per_s2 * from.place_m;
    let way_m = from.speed_m_per_s * swing.sine_s + push * swing.versine_s2 + slew_m_per_s3 * swing.lag_s3;
    let gained = push * swing.sine_s + slew_m_per_s3 * swing.versine_s2;
    let speed_m_per_s = from.speed_m_per_s * swing.cosine + gained;
    let state = State { place_m: from.place_m + way_m, speed_m_per_s };
    (state, force_m_per_s2 + slew_m_per_s3 * duration_s)
}

/// cos wt and its first three integrals over t, each the integral of the term before: sin(wt)/w, (1
/// - cos wt)/w^2 and (wt - sin wt)/w^3. Without a spring they are 1, t, t^2/2 and t^3/6.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringTerms {
    pub cosine: f64,
    pub sine_s: f64,
    pub versine_s2: f64,
    pub lag_s3: f64,
}

/// Phase below which a series is used; its terms after the ninth are less than 1e-16 of the first.
const SERIES_BELOW: f64 = 1.0;
const TERMS: u32 = 9;

impl SpringTerms {
    pub fn new(axis: &Axis, t_s: f64) -> Self {
        let phase = axis.omega_per_s * t_s;
        let (sine_s, versine_s2, lag_s3);
        if phase.abs() < SERIES_BELOW {
            let square = phase * phase;
            versine_s2 = t_s * t_s / 2.0 * series(square, 3);
            lag_s3 = t_s * t_s * t_s / 6.0 * series(square, 4);
            sine_s = t_s - axis.stiffness_per_s2 * lag_s3;
        } else {
            let (sine, cosine) = libm::sincos(0.5 * phase);
            sine_s = 2.0 * sine * cosine / axis.omega_per_s;
            versine_s2 = 2.0 * sine * sine / axis.stiffness_per_s2;
            lag_s3 = (t_s - sine_s) / axis.stiffness_per_s2;
        }
        Self { cosine: 1.0 - axis.stiffness_per_s2 * versine_s2, sine_s, versine_s2, lag_s3 }
    }
}

/// The series 1 - q/(n (n+1)) (1 - q/((n+2) (n+3)) (1 - ...)), with q = `square` and n = `first`.
fn series(square: f64, first: u32) -> f64 {
    (0..TERMS).rev().fold(1.0, |rest, term| {
        let factor = f64::from(first + 2 * term);
        1.0 - square / (factor * (factor + 1.0)) * rest
    })
}
