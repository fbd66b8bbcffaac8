//! The roles of the members of a volume, such as its disk and its MEMS device.

use crate::error::Result;
use crate::options::Options;

/// A role that one or several members of a kind of volume play.
#[derive(Clone, Copy, Debug)]
pub struct RoleRow {
    /// Name of the role, as users write it.
    pub name: &'static str,
    /// Name of the device that is used if the user names none.
    pub default: &'static str,
    /// Purpose of the members with this role.
    pub description: &'static str,
    /// Computes the number of members with this role from the options of the volume.
    pub count: fn(&Options) -> Result<u32>,
    /// True if all members with this role must have one size.
    pub alike: bool,
}

impl RoleRow {
    /// A role that exactly one member has.
    pub(super) const fn one(name: &'static str, default: &'static str, description: &'static str) -> Self {
        Self { name, default, description, count: |_| Ok(1), alike: false }
    }

    /// A role of several members; the option `devices` gives their number.
    pub(super) const fn devices(description: &'static str) -> Self {
        let count = |options: &Options| Ok(options.whole("devices")? as u32);
        Self { name: "device", default: "osdi00", description, count, alike: false }
    }
}

/// Sizes of the members of a volume in sectors: for each role, one size for each member.
pub type Members = Vec<Vec<u64>>;
