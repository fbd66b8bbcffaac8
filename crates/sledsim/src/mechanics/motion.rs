//! Motions that are more than a seek, composed of seeks and ideal turnarounds.

use super::SeekModel;

/// A place, and the speed at which it is passed: signed, zero at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Metres from the centre.
    pub place_m: f64,
    /// Metres a second.
    pub speed_m_per_s: f64,
}

impl State {
    /// At rest.
    #[must_use]
    pub fn at_rest(place_m: f64) -> Self {
        Self { place_m, speed_m_per_s: 0.0 }
    }

    /// How many turnarounds it takes to get to another moving state: one first if the sled moves away from its
    /// destination, and one last if it must pass that the other way (000-D3, D4).
    #[must_use]
    pub fn turnarounds_to(self, to: Self) -> u16 {
        let way = self.way_to(to);
        u16::from(self.direction() != way) + u16::from(to.direction() != way)
    }

    fn direction(self) -> f64 {
        self.speed_m_per_s.signum()
    }

    /// The direction of the seek: that of the destination itself, if there is no way to go.
    fn way_to(self, to: Self) -> f64 {
        if to.place_m == self.place_m {
            to.direction()
        } else {
            (to.place_m - self.place_m).signum()
        }
    }
}

/// Seconds of the turnarounds before and after a seek between two moving states.
fn turnarounds_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State) -> f64 {
    let way = from.way_to(to);
    let turn_s =
        |at: State, direction: f64| model.axis().turnaround_s(at.place_m, direction, at.speed_m_per_s.abs());
    let first_s = if from.direction() == way { 0.0 } else { turn_s(from, from.direction()) };
    let last_s = if to.direction() == way { 0.0 } else { turn_s(to, way) };
    first_s + last_s
}

/// Turnaround, seek, turnaround: time-optimal under full force, for the switch point of the whole is that of the
/// seek in the middle (000-D3, 002-D2).
///
/// To or from rest, which only an idle sled comes, it stops by itself and then seeks, or starts by itself: up to
/// 0.15 ms more on the device of 001 than the quickest way.
pub(super) fn composed_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State) -> f64 {
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

/// From rest up to speed in a direction, and on from there.
fn started_s<M: SeekModel + ?Sized>(model: &M, from: State, to: State, direction: f64) -> f64 {
    let speed = to.speed_m_per_s.abs();
    let launch = model.axis().launch(from.place_m, direction, speed);
    let place_m = from.place_m + direction * launch.distance_m;
    launch.time_s + model.move_s(State { place_m, speed_m_per_s: direction * speed }, to)
}
