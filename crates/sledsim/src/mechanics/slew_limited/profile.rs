//! Exact motion of a sled under a force that changes at a constant rate in each segment of time.

use super::super::{Axis, State};

/// A segment of a motion: a time in which the force changes at a constant rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// Duration of the segment in seconds.
    pub duration_s: f64,
    /// Rate of change of the force divided by the mass, in m/s^3.
    pub slew_m_per_s3: f64,
}

/// A motion in five segments: the force ramps to a peak, stays there, ramps to the opposite peak, stays
/// there, and ramps to its last value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Actuator force at the start, divided by the mass, in m/s^2.
    pub force_m_per_s2: f64,
    /// Segments in the order of time; the duration of some may be zero.
    pub segments: [Segment; 5],
}

impl Profile {
    /// Duration of the motion in seconds; NaN if no motion exists.
    #[must_use]
    pub fn duration_s(&self) -> f64 {
        self.segments.iter().map(|segment| segment.duration_s).sum()
    }

    /// State of the motion `t_s` seconds after its start in the state `from`: place in m, speed in m/s, and
    /// force divided by the mass in m/s^2. Times before the start or after the end give the values there.
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

/// State and force (divided by the mass) at the end of a segment; `from` and `force_m_per_s2` are the
/// values at its start.
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

/// The cosine of w t and its first three integrals over t: sin(wt)/w, then (1 - cos wt)/w^2, then (wt - sin
/// wt)/w^3. Without a spring they are 1, t, t^2/2 and t^3/6.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringTerms {
    pub cosine: f64,
    pub sine_s: f64,
    pub versine_s2: f64,
    pub lag_s3: f64,
}

/// Phase (w t) below which a series with `TERMS` terms is used; all further terms are below 1e-16 of the first.
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

/// Sum of the series 1 - q/(n (n+1)) (1 - q/((n+2) (n+3)) (1 - ...)), with q = `square` and n = `first`.
fn series(square: f64, first: u32) -> f64 {
    (0..TERMS).rev().fold(1.0, |rest, term| {
        let factor = f64::from(first + 2 * term);
        1.0 - square / (factor * (factor + 1.0)) * rest
    })
}
