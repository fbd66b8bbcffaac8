//! What requests go to, as a user gives it: a device behind a policy, or a volume over such.

mod alike_members;
mod read;
mod size;
mod tree;

pub use tree::{Built, BuiltVolume, DevicePlan, System, VolumePlan};
