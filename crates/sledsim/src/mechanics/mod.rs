//! Pure kinematics of a sled: how long a seek, a turnaround and settling take.
//!
//! SI units throughout: metres from the rest position, metres a second, seconds.

mod axis;
mod bang_bang;
mod piecewise;

pub use axis::{settle_s, Axis, Launch};
pub use bang_bang::BangBang;
pub use piecewise::Piecewise;

/// Time of a seek between two displacements with the same speed, in the direction of motion, at both ends.
pub trait SeekModel: Send + Sync {
    /// Seconds from `from_m` to `to_m`; without settling and turnarounds. Zero for the same place.
    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64;
}

/// One way of computing a seek.
pub struct SeekModelRow {
    /// The name in device files.
    pub name: &'static str,
    /// What it computes and where it comes from.
    pub description: &'static str,
    /// Makes it for one axis of a sled.
    pub build: fn(Axis) -> Box<dyn SeekModel>,
}

/// Every seek model: one file and one row here.
pub const SEEK_MODELS: &[SeekModelRow] = &[
    SeekModelRow {
        name: "bang-bang",
        description: "full force ahead, then full force back, with springs, in closed form (000-F1..F5)",
        build: |axis| Box::new(BangBang::new(axis)),
    },
    SeekModelRow {
        name: "piecewise",
        description: "the same by DiskSim 4.0's iteration, off by up to 4 % with springs: to compare with it",
        build: |axis| Box::new(Piecewise::new(axis)),
    },
];
