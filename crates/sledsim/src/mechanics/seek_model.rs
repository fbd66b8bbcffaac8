//! Interface of seek models, and motions that consist of a seek and of turnarounds under full force.

use super::axis::Axis;
use super::state::State;

/// Maximum seek time in seconds. Even twice this time fits into the columns of a record.
pub const LONGEST_SEEK_S: f64 = 2.0;

/// A seek model: computes times of motions of a sled along one axis.
///
/// A model must compute the time of a seek between two places that the sled passes at the same speed. Other
/// motions are then composed of such a seek and of turnarounds under full force. A more exact model may
/// compute them itself.
pub trait SeekModel: Send + Sync {
    /// The axis along which the sled moves.
    fn axis(&self) -> &Axis;

    /// Seek time in seconds from `from_m` to `to_m`, without settling and turnarounds; zero if they are
    /// equal. The sled passes both places at `speed_m_per_s`, in the direction of the seek.
    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64;

    /// Computes many seek times in seconds: `out[i]` for the seek from `from_m[i]` to `to_m[i]`. All slices
    /// have the same length.
    fn seeks_s(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) {
        for ((time_s, from_m), to_m) in out.iter_mut().zip(from_m).zip(to_m) {
            *time_s = self.seek_s(*from_m, *to_m, speed_m_per_s);
        }
    }

    /// Time in seconds from one state of motion (place and speed) to another, including turnarounds.
    fn move_s(&self, from: State, to: State) -> f64 {
        composed_s(self, from, to)
    }

    /// True if a seek takes as long as the seek back.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// True if a seek from rest to rest never takes less time to a place that lies farther away in the same
    /// direction; an index of requests by place needs this. False if the model cannot guarantee it.
    fn grows_with_distance(&self) -> bool {
        false
    }

    /// True if a seek from rest to rest takes as long as the seek back, and longer the farther its middle
    /// lies from the centre. False if the model cannot guarantee this.
    fn grows_off_centre(&self) -> bool {
        false
    }

    /// True if the sled must settle after a seek, because the seek time does not include settling.
    fn settles(&self) -> bool {
        true
    }

    /// Distance in metres that the sled still moves beyond `at.place_m` in a turnaround that begins in the
    /// state `at`.
    fn overtravel_m(&self, at: State) -> f64 {
        self.axis().stop(at.place_m, at.speed_m_per_s.signum(), at.speed_m_per_s.abs()).distance_m
    }

    /// Maximum overshoot in metres: the distance by which a seek of the given length, from rest to rest,
    /// passes its destination.
    fn overshoot_m(&self, _distance_m: f64) -> f64 {
        0.0
    }
}

/// Time in seconds of the turnarounds that are needed before and after a seek from one state of motion to another.
fn turnarounds_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State) -> f64 {
    let way = from.direction_to(to);
    let turn_s =
        |at: State, direction: f64| model.axis().turnaround_s(at.place_m, direction, at.speed_m_per_s.abs());
    let first_s = if from.direction() == way { 0.0 } else { turn_s(from, from.direction()) };
    let last_s = if to.direction() == way { 0.0 } else { turn_s(to, way) };
    first_s + last_s
}

/// Time in seconds of a motion that consists of a turnaround, a seek and a turnaround, as far as they are
/// needed. Under full force this is the quickest motion, because the whole motion has a single switch
/// point, in the middle of the seek (000-D3, 002-D2).
///
/// A sled that must come to rest stops first and then seeks; a sled that starts from rest first gains
/// speed. Only idle sleds move in this way. It takes up to 0.15 ms longer than the quickest motion on the
/// device of paper 001.
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

/// Time in seconds to gain access velocity from rest in `direction`, and then to reach the state `to`.
fn started_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State, direction: f64) -> f64 {
    let speed = to.speed_m_per_s.abs();
    let launch = model.axis().launch(from.place_m, direction, speed);
    let place_m = from.place_m + direction * launch.distance_m;
    launch.time_s + model.move_s(State { place_m, speed_m_per_s: direction * speed }, to)
}
