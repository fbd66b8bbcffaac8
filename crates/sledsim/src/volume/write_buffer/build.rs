//! A disk with a write buffer, out of its options.

use super::settings::{settings, OPTIONS, ROLES};
use super::Buffer;
use crate::error::Result;
use crate::options::Options;
use crate::volume::backing_store::StoreVolume;
use crate::volume::{Members, Volume, VolumeKind, VolumeRow};

/// The row of a write buffer before a disk.
pub(crate) const ROW: VolumeRow = VolumeRow::new(
    "write-buffer",
    "MEMS device as write buffer of a disk: writes go to a log there, and to the disk in idle time",
    VolumeKind { roles: ROLES, build },
)
.aliases(&["mcd"])
.source("003-F4")
.options(&[OPTIONS]);

/// A disk with a write buffer, and nothing else.
///
/// # Errors
/// As for [`buffer`].
fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    Ok(Box::new(StoreVolume::new(buffer(options, members[0][0], members[1][0], 0)?)))
}

/// A write buffer for a disk on a device, whose sectors it takes from `first` on.
///
/// # Errors
/// A buffer that is too small or too large for the device, or another option that cannot be.
pub(crate) fn buffer(options: &Options, disk: u64, mems: u64, first: u64) -> Result<Buffer> {
    Ok(Buffer::new(settings(options, disk, mems, first)?, first))
}
