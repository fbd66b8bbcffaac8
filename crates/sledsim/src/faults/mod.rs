//! Faults: the errors that codes over tips can correct, the placement of the tips of a block far
//! from each other, and devices with faults.
//!
//! Codes ([`TipCode`]) and placements ([`Placement`]) do not depend on a device; [`FaultyDevice`]
//! is a wrapper around a device and follows a [`FaultPlan`].

mod block_check;
mod counts;
mod damage;
mod detection;
mod faulty_device;
mod field;
mod mapping;
mod placement;
mod plan;
mod reed_solomon;
mod remapping;
mod schedule;
mod serving;
mod tip_code;
mod tips;

pub use block_check::BlockCheck;
pub(crate) use counts::FaultCounts;
pub use detection::Detection;
pub use faulty_device::FaultyDevice;
pub use placement::{Array, Placement};
pub use plan::{BadBlocks, DefectShape, FaultPlan, Life, Manufacture, MediaDefect, TipFailure};
pub use reed_solomon::ReedSolomon;
pub use remapping::Remapping;
pub use tip_code::{Decoded, TipCode, Trial, TIPS_MAX};
