//! The table of kinds of volumes.

use super::VolumeKind;
use crate::table::Table;

/// Every kind of volume.
pub static VOLUMES: Table<VolumeKind> = Table::new(
    "volume",
    &[
        super::single::ROW,
        super::sleds::ROW,
        super::stripe::ROW,
        super::mirror::ROW,
        super::raid5::ROW,
        super::write_buffer::ROW,
        super::metadata::ROW,
        super::metadata::ROW_WITH_BUFFER,
        super::virtual_disk::ROW,
        super::cache::ROW,
        super::merge::ROW,
    ],
);
