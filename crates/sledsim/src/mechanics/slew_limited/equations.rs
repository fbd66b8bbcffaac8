//! The equations of a motion whose force changes at a limited rate (slew). Positive is the direction in
//! which the force rises first.
//!
//! Let k(t) be the rate of change of the force u, with t counted from the middle of the motion. T is the
//! duration, d the distance, and v0 and v1 are the speeds at the ends. The equation of motion x'' = u - w^2
//! x, with u = w^2 x at both ends, requires
//!
//! - place: integral of k(t) (1 - cos wt)/w^2 = d - (v0 + v1) sin(wT/2)/w,
//! - speed: integral of k(t) sin(wt)/w = (v0 - v1) cos(wT/2),
//! - force: integral of k(t) = w^2 d.
//!
//! The force rises at the rate j, falls and rises again; it stays constant while it is at its bound a. For
//! given T and given middle c of the fall, the force equation gives the duration of the fall. The other two
//! equations are solved for T and c. Written in this form, they never subtract nearly equal numbers, even
//! for short ramps or weak springs.
//!
//! By the maximum principle the slew has the sign of a costate whose derivative is a sine of period
//! 2 pi/w, unless the force stays at its bound. If c is the zero of this sine, the costate is
//! positive, negative and positive where the force rises, falls and rises again. Of all motions of
//! one duration that end at the right speed, this motion reaches farthest. The first duration at
//! which it reaches far enough is therefore the shortest.

use super::super::{Axis, State};
use super::profile::SpringTerms;

/// A motion whose duration is to be found. Positive is the direction in which the force rises first.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlewMotion {
    pub axis: Axis,
    pub slew: f64,
    pub distance_m: f64,
    /// Places in m at the start and at the end; `speeds` and `forces` also hold the values at the start and
    /// at the end.
    pub places_m: [f64; 2],
    pub speeds: [f64; 2],
    pub forces: [f64; 2],
}

/// The two unknowns in seconds: the duration T of the motion, and the time c from the middle of the motion
/// to the middle of the fall of the force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknowns {
    pub duration_s: f64,
    pub fall_s: f64,
}

/// Errors of the place equation and of the speed equation. Each error is followed by its derivatives by the
/// two unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct EquationErrors {
    pub place: [f64; 3],
    pub speed: [f64; 3],
}

/// Duration of a ramp in seconds, followed by its derivatives by the two unknowns.
type Length = [f64; 3];

/// Durations of the three ramps of the force: rise, fall, and second rise.
struct Ramps {
    rise: Length,
    fall: Length,
    back: Length,
}

impl SlewMotion {
    pub fn new(axis: Axis, slew: f64, from: State, to: State, way: f64) -> Self {
        let places_m = [way * from.place_m, way * to.place_m];
        Self {
            axis,
            slew,
            distance_m: places_m[1] - places_m[0],
            places_m,
            speeds: [way * from.speed_m_per_s, way * to.speed_m_per_s],
            forces: places_m.map(|place_m| axis.stiffness_per_s2 * place_m),
        }
    }

    /// Duration of both rises minus the duration of the fall, in seconds; it follows from the distance.
    fn drift_s(&self) -> f64 {
        self.axis.stiffness_per_s2 * self.distance_m / self.slew
    }

    /// Shortest time in seconds in which the force can change from its value at the start to its value at the end.
    pub fn shortest_s(&self) -> f64 {
        self.drift_s().abs()
    }

    /// Duration in seconds of a ramp from force `from` to force `to`.
    fn ramp_s(&self, from: f64, to: f64) -> f64 {
        (to - from) / self.slew
    }

    /// Computes the three ramps for the unknowns `at`. The fall is the shortest of four: the force may stay
    /// at its bound before the fall, after it, both, or not at all.
    fn ramps(&self, at: Unknowns) -> Ramps {
        const THIRD: f64 = 1.0 / 3.0;
        let (bound, [first, last]) = (self.axis.acceleration_m_per_s2, self.forces);
        let (before_s, after_s) = (0.5 * at.duration_s + at.fall_s, 0.5 * at.duration_s - at.fall_s);
        let falls = [
            [0.5 * (at.duration_s - self.drift_s()), 0.5, 0.0],
            [2.0 * THIRD * (self.ramp_s(last, bound) + after_s), THIRD, -2.0 * THIRD],
            [2.0 * THIRD * (self.ramp_s(-bound, first) + before_s), THIRD, 2.0 * THIRD],
            [self.ramp_s(-bound, bound), 0.0, 0.0],
        ];
        let fall = falls.into_iter().reduce(|least, next| if next[0] < least[0] { next } else { least });
        let fall = fall.unwrap_or(falls[0]);
        // A rise ends when the fall begins, unless the force reaches the bound before; the second
        // rise mirrors the first in time.
        let rise = |until_s: f64, by_fall: f64, bound_s: f64| {
            let free = [until_s - 0.5 * fall[0], 0.5 - 0.5 * fall[1], by_fall - 0.5 * fall[2]];
            if free[0] < bound_s {
                free
            } else {
                [bound_s, 0.0, 0.0]
            }
        };
        Ramps {
            rise: rise(before_s, 1.0, self.ramp_s(first, bound)),
            fall,
            back: rise(after_s, -1.0, self.ramp_s(-bound, last)),
        }
    }

    /// Errors of the place equation and of the speed equation for the unknowns `at`.
    pub fn misses(&self, at: Unknowns) -> EquationErrors {
        let Ramps { rise, fall, back } = self.ramps(at);
        let half_s = 0.5 * at.duration_s;
        let whole = SpringTerms::new(&self.axis, half_s);
        let (sum, gain) = (self.speeds[0] + self.speeds[1], self.speeds[1] - self.speeds[0]);
        let turn = -0.5 * gain * self.axis.stiffness_per_s2 * whole.sine_s;
        let mut misses = EquationErrors {
            place: [sum * whole.sine_s - self.distance_m, 0.5 * sum * whole.cosine, 0.0],
            speed: [gain * whole.cosine, turn, 0.0],
        };
        let middle_of_rise = [0.5 * rise[0] - half_s, 0.5 * rise[1] - 0.5, 0.5 * rise[2]];
        let middle_of_back = [half_s - 0.5 * back[0], 0.5 - 0.5 * back[1], -0.5 * back[2]];
        self.add_ramp(&mut misses, self.slew, rise, middle_of_rise);
        self.add_ramp(&mut misses, -self.slew, fall, [at.fall_s, 0.0, 1.0]);
        self.add_ramp(&mut misses, self.slew, back, middle_of_back);
        misses
    }

    /// Adds the integrals over one ramp of the force to both errors.
    fn add_ramp(&self, misses: &mut EquationErrors, slew: f64, length: Length, middle: Length) {
        let half = SpringTerms::new(&self.axis, 0.5 * length[0]);
        let centre = SpringTerms::new(&self.axis, middle[0]);
        let place_by_middle = 2.0 * slew * half.sine_s * centre.sine_s;
        let speed_by_middle = 2.0 * slew * half.sine_s * centre.cosine;
        let place_by_length = slew * (half.versine_s2 + half.cosine * centre.versine_s2);
        let speed_by_length = slew * half.cosine * centre.sine_s;
        misses.place[0] += 2.0 * slew * (half.lag_s3 + half.sine_s * centre.versine_s2);
        misses.speed[0] += place_by_middle;
        for by in 1..3 {
            misses.place[by] += place_by_length * length[by] + place_by_middle * middle[by];
            misses.speed[by] += speed_by_length * length[by] + speed_by_middle * middle[by];
        }
    }

    /// Range of the unknown c in seconds: the earliest and the latest middle of the fall with which no ramp
    /// has a negative duration.
    pub fn fall_range_s(&self, duration_s: f64) -> [f64; 2] {
        let (bound, [first, last]) = (self.axis.acceleration_m_per_s2, self.forces);
        let free_s = 0.5 * (duration_s - self.drift_s());
        let first_fall_s = free_s.min(self.ramp_s(-bound, first));
        let last_fall_s = free_s.min(self.ramp_s(last, bound));
        [0.5 * (first_fall_s - duration_s), 0.5 * (duration_s - last_fall_s)]
    }

    /// Durations in seconds of the five segments of the force: rise, constant, fall, constant, rise.
    pub fn durations_s(&self, at: Unknowns) -> [f64; 5] {
        let Ramps { rise: [rise_s, ..], fall: [fall_s, ..], back: [back_s, ..] } = self.ramps(at);
        let top_s = 0.5 * (at.duration_s - fall_s) + at.fall_s - rise_s;
        let bottom_s = 0.5 * (at.duration_s - fall_s) - at.fall_s - back_s;
        [rise_s, top_s, fall_s, bottom_s, back_s]
    }
}
