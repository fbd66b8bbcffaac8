//! The interface of seek models, and the motions of a sled that are composed of seeks and ideal turnarounds.

use super::axis::Axis;
use super::state::State;

/// Longest possible seek: twice this time still fits the columns of a record.
pub const LONGEST_SEEK_S: f64 = 2.0;

/// The motion of a sled from one place to another along one axis.
///
/// A model must give the time of a seek between two places that are passed with the same speed. Other motions are
/// composed of that and of ideal turnarounds; a more exact model overrides them.
pub trait SeekModel: Send + Sync {
    /// The axis that moves.
    fn axis(&self) -> &Axis;

    /// Seconds from `from_m` to `to_m` with the same speed, in the direction of motion, at both ends; without
    /// settling and turnarounds. Zero for the same place.
    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64;

    /// Many seeks at once, each `out` from its `from_m` to its `to_m`; the slices are of one length.
    fn seeks_s(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) {
        for ((time_s, from_m), to_m) in out.iter_mut().zip(from_m).zip(to_m) {
            *time_s = self.seek_s(*from_m, *to_m, speed_m_per_s);
        }
    }

    /// Seconds from one state of motion to another, turnarounds included.
    fn move_s(&self, from: State, to: State) -> f64 {
        composed_s(self, from, to)
    }

    /// True if a seek takes equally long in both directions.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// True if, from any place, a seek at rest takes no less time to a place farther away on the same side, which an
    /// index over places needs. False if the model cannot promise it.
    fn grows_with_distance(&self) -> bool {
        false
    }

    /// True if a seek at rest takes equally long in both directions, and longer the farther the middle of its way
    /// lies from the centre. False if the model cannot promise it.
    fn grows_off_centre(&self) -> bool {
        false
    }

    /// True if the sled has still to settle after a seek at rest.
    fn settles(&self) -> bool {
        true
    }

    /// Distance beyond `place_m` that the sled reaches when it turns around at `place_m`.
    fn overtravel_m(&self, at: State) -> f64 {
        self.axis().stop(at.place_m, at.speed_m_per_s.signum(), at.speed_m_per_s.abs()).distance_m
    }

    /// Largest distance beyond its destination that a seek at rest reaches.
    fn overshoot_m(&self, _distance_m: f64) -> f64 {
        0.0
    }
}

/// Seconds of the turnarounds before and after a seek between two moving states.
fn turnarounds_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State) -> f64 {
    let way = from.direction_to(to);
    let turn_s =
        |at: State, direction: f64| model.axis().turnaround_s(at.place_m, direction, at.speed_m_per_s.abs());
    let first_s = if from.direction() == way { 0.0 } else { turn_s(from, from.direction()) };
    let last_s = if to.direction() == way { 0.0 } else { turn_s(to, way) };
    first_s + last_s
}

/// Turnaround, seek, turnaround: time-optimal under full force, because the whole motion has the switch point of the
/// seek in the middle (000-D3, 002-D2).
///
/// To or from rest, which only an idle sled is, it stops by itself and then seeks, or starts by itself: up to 0.15 ms
/// more on the device of 001 than the quickest way.
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

/// Seconds from rest to speed in a direction, and then to the destination.
fn started_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State, direction: f64) -> f64 {
    let speed = to.speed_m_per_s.abs();
    let launch = model.axis().launch(from.place_m, direction, speed);
    let place_m = from.place_m + direction * launch.distance_m;
    launch.time_s + model.move_s(State { place_m, speed_m_per_s: direction * speed }, to)
}
