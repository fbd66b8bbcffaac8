//! Systems that serve the requests of a run. A system is a device behind a policy, or a volume over other
//! systems.

mod episodes;
mod members;
mod read;
mod tree;

pub use tree::{Built, BuiltVolume, DevicePlan, System, VolumePlan};
