//! The seek model "slew-limited": the quickest motion of a sled whose actuators need time to change their force.

mod equations;
mod profile;
mod residual;
mod solve;

use super::settings::{missing, SeekModelRow};
use super::{Axis, SeekModel, State};
use equations::SlewMotion;

pub use profile::{Profile, Segment};
pub use residual::Residual;

/// Entry for this model in the table of seek models.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "slew-limited",
    "quickest motion of actuators that need time to reach full force",
    &|settings| {
        let slew = settings.slew_m_per_s3.ok_or_else(|| missing("slew-limited", "actuator_rise_ms"))?;
        Ok(Box::new(SlewLimited::new(settings.axis, slew)))
    },
)
.keys(&["actuator_rise_ms"]);

/// Quickest motions with the equation of motion x'' = u - w^2 x, a bound on the force, |u| <= a, and a
/// bound on its rate of change, |u'| <= j.
///
/// At both ends the force balances the spring: u = w^2 x. The force ramps to a peak in one direction, then
/// to a peak in the other direction, then to its last value; at its bound it stays constant. The equations,
/// and the proof that no motion is quicker, are in `equations.rs`. The proof assumes that twice the time
/// from either end of the motion to the middle of the long ramp, minus the ramp at that end, is at most a
/// period of the spring. With a slower force, the result is the quickest motion with three ramps.
#[derive(Clone, Copy, Debug)]
pub struct SlewLimited {
    axis: Axis,
    slew_m_per_s3: f64,
}

impl SlewLimited {
    /// Creates the seek model of one axis. The rate of change j is the full acceleration divided by the
    /// rise time of the actuator, in m/s^3.
    #[must_use]
    pub fn new(axis: Axis, slew_m_per_s3: f64) -> Self {
        Self { axis, slew_m_per_s3 }
    }

    /// The quickest motion between two states. Its durations are NaN if no motion exists, for example
    /// because the springs keep the sled away from the place.
    #[must_use]
    pub fn profile(&self, from: State, to: State) -> Profile {
        let force_m_per_s2 = self.axis.stiffness_per_s2 * from.place_m;
        if from == to {
            return Profile { force_m_per_s2, segments: [Segment::default(); 5] };
        }
        let (way, durations_s) = self.quickest(from, to).unwrap_or((1.0, [f64::NAN; 5]));
        let slew = way * self.slew_m_per_s3;
        let slews = [slew, 0.0, -slew, 0.0, slew];
        let segments = std::array::from_fn(|index| Segment {
            duration_s: durations_s[index],
            slew_m_per_s3: slews[index],
        });
        Profile { force_m_per_s2, segments }
    }

    /// Direction (+1 or -1) in which the force rises first, and durations of the five segments in seconds;
    /// None if no motion exists.
    fn quickest(&self, from: State, to: State) -> Option<(f64, [f64; 5])> {
        let ahead = if to.place_m == from.place_m { to.speed_m_per_s } else { to.place_m - from.place_m };
        let [first, second] = [ahead.signum(), -ahead.signum()]
            .map(|way| (way, SlewMotion::new(self.axis, self.slew_m_per_s3, from, to, way)));
        solve::METHODS.iter().find_map(|solve| {
            let solved = |(way, trip): &(f64, SlewMotion)| solve(trip).map(|durations_s| (*way, durations_s));
            let one = solved(&first);
            if one.is_some() && self.one_way(from, to) {
                return one;
            }
            shorter(one, solved(&second))
        })
    }

    /// True if only motions whose force first points ahead need to be tried, because all others are slower
    /// or impossible. This is so if both ends have the same speed, and if the force can change as fast as
    /// the spring force does at this speed.
    fn one_way(&self, from: State, to: State) -> bool {
        let speed = to.speed_m_per_s.abs();
        from.speed_m_per_s.abs() == speed && self.slew_m_per_s3 > self.axis.stiffness_per_s2 * speed
    }
}

/// The shorter of two motions; if only one of them exists, this one.
fn shorter(one: Option<(f64, [f64; 5])>, other: Option<(f64, [f64; 5])>) -> Option<(f64, [f64; 5])> {
    let seconds = |(_, durations_s): &(f64, [f64; 5])| durations_s.iter().sum::<f64>();
    [one, other].into_iter().flatten().min_by(|a, b| seconds(a).total_cmp(&seconds(b)))
}

impl SeekModel for SlewLimited {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn grows_with_distance(&self) -> bool {
        true
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        // A seek takes the same time in both directions and on both sides of the centre. Only one
        // of the four cases is computed, so this holds to the last bit.
        let (low_m, high_m) = (from_m.min(to_m), from_m.max(to_m));
        let (low_m, high_m) = if low_m + high_m < 0.0 { (-high_m, -low_m) } else { (low_m, high_m) };
        self.move_s(State { place_m: low_m, speed_m_per_s }, State { place_m: high_m, speed_m_per_s })
    }

    fn move_s(&self, from: State, to: State) -> f64 {
        self.profile(from, to).duration_s()
    }

    fn overtravel_m(&self, at: State) -> f64 {
        let turn = self.profile(at, State { speed_m_per_s: -at.speed_m_per_s, ..at });
        let (farthest_m, ..) = turn.sample(&self.axis, at, 0.5 * turn.duration_s());
        (farthest_m - at.place_m).abs()
    }
}

#[cfg(test)]
mod tests;
