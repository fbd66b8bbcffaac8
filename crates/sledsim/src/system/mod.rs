//! A system that serves requests, as a user gives it: a device behind a policy, or a volume over systems.

mod episodes;
mod members;
mod read;
mod tree;

pub use tree::{Built, BuiltVolume, DevicePlan, System, VolumePlan};
