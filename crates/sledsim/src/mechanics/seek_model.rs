//! Interface of seek models, and motions of a sled that are composed of seeks and ideal
//! turnarounds.

use super::axis::Axis;
use super::state::State;

/// Longest possible seek time in seconds; twice this time still fits into the columns of a record.
pub const LONGEST_SEEK_S: f64 = 2.0;

/// The motion of a sled along one axis from one place to another.
///
/// A model must give the time of a seek between two places that are passed at the same speed. Other
/// motions are composed of such a seek and of ideal turnarounds; a more exact model overrides them.
pub trait SeekModel: Send + Sync {
    /// The axis along which the sled moves.
    fn axis(&self) -> &Axis;

    /// Time in seconds from `from_m` to `to_m` without settling and turnarounds. At both ends the
    /// sled moves at the same speed, in the direction of the seek. Zero if the places are equal.
    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64;

    /// Computes many seek times: `out[i]` for the seek from `from_m[i]` to `to_m[i]`. The slices
    /// have equal lengths.
    fn seeks_s(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) {
        for ((time_s, from_m), to_m) in out.iter_mut().zip(from_m).zip(to_m) {
            *time_s = self.seek_s(*from_m, *to_m, speed_m_per_s);
        }
    }

    /// Time in seconds from one state of motion to another, including turnarounds.
    fn move_s(&self, from: State, to: State) -> f64 {
        composed_s(self, from, to)
    }

    /// True if a seek takes the same time in both directions.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// True if a seek at rest never takes less time to a place farther away on the same side, as an
    /// index over places requires. False if the model cannot guarantee this.
    fn grows_with_distance(&self) -> bool {
        false
    }

    /// True if a seek at rest takes the same time in both directions, and more time the farther its
    /// middle lies from the centre. False if the model cannot guarantee this.
    fn grows_off_centre(&self) -> bool {
        false
    }

    /// True if the sled must still settle after a seek at rest.
    fn settles(&self) -> bool {
        true
    }

    /// Distance in metres beyond `at.place_m` that the sled reaches in a turnaround that begins in
    /// the state `at`.
    fn overtravel_m(&self, at: State) -> f64 {
        self.axis().stop(at.place_m, at.speed_m_per_s.signum(), at.speed_m_per_s.abs()).distance_m
    }

    /// Maximum distance in metres beyond its destination that a seek at rest over a distance
    /// reaches.
    fn overshoot_m(&self, _distance_m: f64) -> f64 {
        0.0
    }
}

/// Time in seconds of the turnarounds before and after a seek between two states of motion.
fn turnarounds_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State) -> f64 {
    let way = from.direction_to(to);
    let turn_s =
        |at: State, direction: f64| model.axis().turnaround_s(at.place_m, direction, at.speed_m_per_s.abs());
    let first_s = if from.direction() == way { 0.0 } else { turn_s(from, from.direction()) };
    let last_s = if to.direction() == way { 0.0 } else { turn_s(to, way) };
    first_s + last_s
}

/// Time in seconds of a turnaround, a seek and a turnaround. This motion is time-optimal under full
/// force, because it as a whole has its switch point in the middle of the seek (000-D3, 002-D2).
///
/// A motion to rest stops first and then seeks; a motion from rest first gains speed. Only idle
/// sleds move in this way, which takes up to 0.15 ms more than the quickest way on the device of
/// paper 001.
fn composed_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State) -> f64 {
    match (from.speed_m_per_s == 0.0, to.speed_m_per_s == 0.0) {
        (true, true) => model.seek_s(from.place_m, to.place_m, 0.0),
        (false, true) => {
            let (direction, speed) = (from.speed_m_per_s.signum(), from.speed_m_per_s.abs());
            let stop = model.axis().stop(from.place_m, direction, speed);
            stop.time_s + model.seek_s(from.place_m + direction * stop.distance_m, to.place_m, 0.0)
        }
        (true, false) => f64::min(started_s(model, from, to, 1.0), started_s(model, from, to, -1.0)),
        (false, false) => {
            let seek_s = model.seek_s(from.place_m, to.place_m, from.speed_m_per_s.abs());
            seek_s + turnarounds_s(model, from, to)
        }
    }
}

/// Time in seconds to gain speed from rest in `direction` and then to reach the state `to`.
fn started_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State, direction: f64) -> f64 {
    let speed = to.speed_m_per_s.abs();
    let launch = model.axis().launch(from.place_m, direction, speed);
    let place_m = from.place_m + direction * launch.distance_m;
    launch.time_s + model.move_s(State { place_m, speed_m_per_s: direction * speed }, to)
}
