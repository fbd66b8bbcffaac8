//! The volumes that keep metadata on a MEMS device.

use super::settings::{self, OPTIONS};
use super::WithMetadata;
use crate::error::Result;
use crate::options::Options;
use crate::volume::backing_store::Plain;
use crate::volume::{write_buffer, Members, Volume, VolumeKind, VolumeRow};

/// The row of metadata beside a disk.
pub(crate) const ROW: VolumeRow = VolumeRow::new(
    "metadata",
    "disk whose metadata are on a MEMS device beside it",
    VolumeKind { roles: write_buffer::ROLES, build },
)
.aliases(&["mmd"])
.source("003-F2, F3, F6")
.options(&[OPTIONS]);

/// The row of both on one MEMS device.
pub(crate) const ROW_WITH_BUFFER: VolumeRow = VolumeRow::new(
    "metadata+write-buffer",
    "metadata and write buffer of a disk on one MEMS device",
    VolumeKind { roles: write_buffer::ROLES, build: build_with_buffer },
)
.aliases(&["mmcd"])
.source("003-F5, D8")
.options(&[OPTIONS, write_buffer::OPTIONS]);

/// A disk with its metadata on a MEMS device.
///
/// # Errors
/// Options that cannot be, for members of that size.
fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let (settings, _) = settings::read(options, members[0][0], members[1][0])?;
    Ok(Box::new(WithMetadata::new(Plain { sectors: members[0][0] }, settings)))
}

/// A volume with a metadata area, and behind that a write buffer for everything else (003-F5, D8).
///
/// # Errors
/// Options that cannot be, for members of that size.
fn build_with_buffer(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let (disk, mems) = (members[0][0], members[1][0]);
    let (settings, area) = settings::read(options, disk, mems)?;
    let back = write_buffer::buffer(options, disk, mems, area)?;
    Ok(Box::new(WithMetadata::new(back, settings)))
}
