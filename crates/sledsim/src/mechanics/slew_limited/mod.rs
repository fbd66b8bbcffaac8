//! The time-optimal motion of a sled whose actuator force cannot jump.

mod equations;
mod profile;
mod residual;
mod solve;

use super::settings::{missing, SeekModelRow};
use super::{Axis, SeekModel, State};
use equations::SlewMotion;

pub use profile::{Profile, Segment};
pub use residual::Residual;

/// Table row of the seek model.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "slew-limited",
    "quickest motion of actuators that need time to reach full force",
    &|settings| {
        let slew = settings.slew_m_per_s3.ok_or_else(|| missing("slew-limited", "actuator_rise_ms"))?;
        Ok(Box::new(SlewLimited::new(settings.axis, slew)))
    },
)
.keys(&["actuator_rise_ms"]);

/// Quickest motions of the plant x'' = u - w^2 x under |u| <= a and |u'| <= j.
///
/// At both ends the force holds the sled at its speed, u = w^2 x. The force ramps to a peak one way, to one the other
/// way, and to its last value; where it meets the bound it stays for a while. The equations, and the proof of
/// optimality, are in `equations.rs`. It holds if twice the time from either end of the motion to the middle of the
/// long ramp, minus the ramp at that end, is at most a period of the spring. With a slower force it is the quickest
/// motion with three ramps.
#[derive(Clone, Copy, Debug)]
pub struct SlewLimited {
    axis: Axis,
    slew_m_per_s3: f64,
}

impl SlewLimited {
    /// Creates motions of one axis; the slew j is the full acceleration over the rise time of the actuator.
    #[must_use]
    pub fn new(axis: Axis, slew_m_per_s3: f64) -> Self {
        Self { axis, slew_m_per_s3 }
    }

    /// The quickest motion between two states; its durations are NaN if it does not exist, for example for a place
    /// that the springs keep out of reach.
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

    /// Direction in which the force rises first, and durations of the segments.
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

    /// True if motions that solve the equations begin one way only, or the slower ones the other way: with one speed
    /// at both ends, if the force can keep up with the spring at that speed.
    fn one_way(&self, from: State, to: State) -> bool {
        let speed = to.speed_m_per_s.abs();
        from.speed_m_per_s.abs() == speed && self.slew_m_per_s3 > self.axis.stiffness_per_s2 * speed
    }
}

/// The shorter of two motions, or the only one.
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
        // A seek takes equally long in both directions and on both sides of the centre. Computing one of the four
        // makes that exact, to the last bit.
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
