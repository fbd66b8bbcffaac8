//! Place and speed along an axis.

/// A place, and the speed at which it is passed: signed, zero at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Place in metres from the centre.
    pub place_m: f64,
    /// Speed in metres a second.
    pub speed_m_per_s: f64,
}

impl State {
    /// State at rest.
    #[must_use]
    pub fn at_rest(place_m: f64) -> Self {
        Self { place_m, speed_m_per_s: 0.0 }
    }

    /// Number of turnarounds to another moving state: one first if the sled moves away from its destination, and one
    /// last if it must pass that the other way (000-D3, D4).
    #[must_use]
    pub fn turnarounds_to(self, to: Self) -> u16 {
        let direction = self.direction_to(to);
        u16::from(self.direction() != direction) + u16::from(to.direction() != direction)
    }

    pub(super) fn direction(self) -> f64 {
        self.speed_m_per_s.signum()
    }

    /// The direction of the seek; the direction of the destination, if the distance is zero.
    pub(super) fn direction_to(self, to: Self) -> f64 {
        if to.place_m == self.place_m {
            to.direction()
        } else {
            (to.place_m - self.place_m).signum()
        }
    }
}
