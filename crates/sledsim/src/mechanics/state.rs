//! State of motion along an axis: place and speed.

/// A place and the signed speed at which it is passed; the speed is 0 at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Place in metres from the centre.
    pub place_m: f64,
    /// Speed in metres per second; its sign is the direction.
    pub speed_m_per_s: f64,
}

impl State {
    /// Creates the state at rest at `place_m`.
    #[must_use]
    pub fn at_rest(place_m: f64) -> Self {
        Self { place_m, speed_m_per_s: 0.0 }
    }

    /// Number of turnarounds on the way to another state of motion. One comes first if the sled
    /// moves away from its destination, and one comes last if it must pass the destination in the
    /// opposite direction (000-D3, D4).
    #[must_use]
    pub fn turnarounds_to(self, to: Self) -> u16 {
        let direction = self.direction_to(to);
        u16::from(self.direction() != direction) + u16::from(to.direction() != direction)
    }

    pub(super) fn direction(self) -> f64 {
        self.speed_m_per_s.signum()
    }

    /// Direction of the seek to the state `to`; if the distance is zero, the direction of motion in
    /// that state.
    pub(super) fn direction_to(self, to: Self) -> f64 {
        if to.place_m == self.place_m {
            to.direction()
        } else {
            (to.place_m - self.place_m).signum()
        }
    }
}
