//! Pure kinematics of a sled: how long a seek, a turnaround and settling take.
//!
//! SI units throughout: metres from the rest position, metres a second, seconds.

mod arc_tangent;
mod axis;
mod bang_bang;
mod first_order;
mod linear_system;
mod measured;
mod motion;
mod piecewise;
mod registry;
mod slew_limited;
mod table;

pub use axis::{settle_s, Axis, Launch};
pub use bang_bang::BangBang;
pub use first_order::FirstOrder;
pub use linear_system::{LinearSystem, Loop};
pub use measured::{Measured, MeasuredTable};
pub use motion::State;
pub use piecewise::Piecewise;
pub use registry::{find_seek_model, register_seek_model, seek_models, Build, SeekModelRow, SeekSettings};
pub use slew_limited::{Profile, Residual, Segment, SlewLimited};
pub use table::Table;

/// Longest time of a seek that can be: twice as long still fits the columns of a record.
pub const LONGEST_SEEK_S: f64 = 2.0;

/// How a sled gets from one place to another along one axis.
///
/// A model must say how long a seek takes between two places that are passed with the same speed. What else a
/// sled does is composed of that and of ideal turnarounds ([`motion`]); a model that knows better overrides it.
pub trait SeekModel: Send + Sync {
    /// The axis that it moves.
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
        motion::composed_s(self, from, to)
    }

    /// Whether a seek takes as long back as forth.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// Whether, from any place, a seek at rest takes no less time to a place farther away on the same side: what
    /// an index over places relies on. A model that cannot promise it says nothing.
    fn grows_with_distance(&self) -> bool {
        false
    }

    /// Whether the sled has still to settle after a seek at rest.
    fn settles(&self) -> bool {
        true
    }

    /// How far beyond `place_m` the sled gets when it turns round there.
    fn overtravel_m(&self, at: State) -> f64 {
        self.axis().stop(at.place_m, at.speed_m_per_s.signum(), at.speed_m_per_s.abs()).distance_m
    }

    /// How far beyond its destination a seek at rest gets, at most.
    fn overshoot_m(&self, _distance_m: f64) -> f64 {
        0.0
    }
}
