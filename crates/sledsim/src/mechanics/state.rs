//! State of motion of a sled along an axis: its place and its speed.

/// A state of motion: a place, and the signed speed of the sled there (0 at rest).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Place in metres from the centre.
    pub place_m: f64,
    /// Speed in metres per second; its sign gives the direction.
    pub speed_m_per_s: f64,
}

impl State {
    /// Creates the state at rest at `place_m`.
    #[must_use]
    pub fn at_rest(place_m: f64) -> Self {
        Self { place_m, speed_m_per_s: 0.0 }
    }

    /// Number of turnarounds on the way to another state of motion: one at the start if the sled moves away
    /// from the destination, and one at the end if it must pass the destination in the direction opposite
    /// to the seek (000-D3, D4).
    #[must_use]
    pub fn turnarounds_to(self, to: Self) -> u16 {
        let direction = self.direction_to(to);
        u16::from(self.direction() != direction) + u16::from(to.direction() != direction)
    }

    pub(super) fn direction(self) -> f64 {
        self.speed_m_per_s.signum()
    }

    /// Direction (+1 or -1) of the seek to the state `to`. If the distance is zero, the direction of motion
    /// in the state `to`.
    pub(super) fn direction_to(self, to: Self) -> f64 {
        if to.place_m == self.place_m {
            to.direction()
        } else {
            (to.place_m - self.place_m).signum()
        }
    }
}
