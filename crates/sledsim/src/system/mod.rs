//! What requests go to, as a user gives it: a device behind a policy, or a volume over such.

mod alike;
mod plan;
mod read;
mod size;

pub use plan::{Built, BuiltVolume, DevicePlan, System, VolumePlan};
