//! The place of the sled when a request comes after an idle time.

use super::motion::{Direction, PlaceY, SledPlace};
use super::Mems;
use crate::params::Idle;
use crate::time::{Span, Time};

impl Mems {
    /// The place from which the sled starts if a service begins at `now`, and the time until it can start
    /// from there.
    pub(super) fn start(&self, now: Time) -> (SledPlace, Span) {
        let idle = now.since(self.free_since);
        if idle == Span::ZERO {
            return (self.place, Span::ZERO);
        }
        if let Some(waking) = self.waking(idle) {
            return (SledPlace { x_m: 0.0, y: PlaceY::Parked }, waking);
        }
        match self.params.idle {
            Idle::Hold => (self.place, Span::ZERO),
            Idle::Sweep => self.swept(idle.as_s()),
        }
    }

    fn moving(&self) -> (f64, Direction) {
        match self.place.y {
            PlaceY::At(boundary) => (self.motion.y_m(self.place.y), boundary.direction),
            PlaceY::Moving { y_m, direction } => (y_m, direction),
            PlaceY::Parked => unreachable!("an access does not end at rest"),
        }
    }

    /// Time in seconds from the end of an access until the sled rests in the centre. In y the sled first
    /// stops and then seeks; in x it seeks from the beginning.
    pub(super) fn parking_s(&self) -> f64 {
        let (y_m, direction) = self.moving();
        let y_s = self.motion.stop_y_s(y_m, direction.sign(), 0.0);
        y_s.max(self.motion.seek_x_s(self.place.x_m, 0.0))
    }

    /// The place of a sled that has been sweeping up and down over its cylinder for `idle_s` seconds, with
    /// a turnaround at each end. Also returns the time until a turnaround in progress ends.
    fn swept(&self, idle_s: f64) -> (SledPlace, Span) {
        let (y_m, direction) = self.moving();
        let speed = self.motion.speed_m_per_s;
        let end_m = -self.geometry.bits_m(self.geometry.row_bits_from_centre(0));
        let at = |y_m, direction| SledPlace { x_m: self.place.x_m, y: PlaceY::Moving { y_m, direction } };
        let to_end_s = (end_m - direction.sign() * y_m) / speed;
        if idle_s < to_end_s {
            return (at(y_m + direction.sign() * speed * idle_s, direction), Span::ZERO);
        }
        let turnaround_s = self.motion.turnaround_s(end_m, 1.0);
        let sweep_s = turnaround_s + 2.0 * end_m / speed;
        let sweeps = ((idle_s - to_end_s) / sweep_s).floor();
        let into_s = (idle_s - to_end_s) - sweeps * sweep_s;
        let upper = (direction == Direction::Up) == (sweeps % 2.0 == 0.0);
        let (turned_m, back) = if upper { (end_m, Direction::Down) } else { (-end_m, Direction::Up) };
        if into_s < turnaround_s {
            return (at(turned_m, back), Span::from_s(turnaround_s - into_s));
        }
        (at(turned_m + back.sign() * speed * (into_s - turnaround_s), back), Span::ZERO)
    }
}
