//! The places of members in a kind of volume.

use crate::error::Result;
use crate::options::Options;

/// A place for members in a kind of volume.
#[derive(Clone, Copy, Debug)]
pub struct RoleRow {
    /// The name that users give.
    pub name: &'static str,
    /// The device that is meant where none is named.
    pub default: &'static str,
    /// What the members do.
    pub description: &'static str,
    /// How many there are.
    pub count: fn(&Options) -> Result<u32>,
    /// Whether they have to be alike.
    pub alike: bool,
}

impl RoleRow {
    /// The place of one member.
    pub(super) const fn one(name: &'static str, default: &'static str, description: &'static str) -> Self {
        Self { name, default, description, count: |_| Ok(1), alike: false }
    }

    /// Places of as many devices as the option `devices` says.
    pub(super) const fn devices(description: &'static str) -> Self {
        let count = |options: &Options| Ok(options.whole("devices")? as u32);
        Self { name: "device", default: "osdi00", description, count, alike: false }
    }
}

/// What a volume is built over: for each of its roles, how many sectors each of the members has.
pub type Members = Vec<Vec<u64>>;
