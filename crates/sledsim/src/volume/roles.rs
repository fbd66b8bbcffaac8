//! The roles of members in a kind of volume.

use crate::error::Result;
use crate::options::Options;

/// A role of members in a kind of volume.
#[derive(Clone, Copy, Debug)]
pub struct RoleRow {
    /// Name of the role, as users write it.
    pub name: &'static str,
    /// Device used if the user names none.
    pub default: &'static str,
    /// Purpose of the members.
    pub description: &'static str,
    /// Number of members, from the options.
    pub count: fn(&Options) -> Result<u32>,
    /// True if the members must be equal.
    pub alike: bool,
}

impl RoleRow {
    /// A role of one member.
    pub(super) const fn one(name: &'static str, default: &'static str, description: &'static str) -> Self {
        Self { name, default, description, count: |_| Ok(1), alike: false }
    }

    /// A role of as many devices as the option `devices` gives.
    pub(super) const fn devices(description: &'static str) -> Self {
        let count = |options: &Options| Ok(options.whole("devices")? as u32);
        Self { name: "device", default: "osdi00", description, count, alike: false }
    }
}

/// Sizes of the members of a volume, in sectors, for each of its roles.
pub type Members = Vec<Vec<u64>>;
