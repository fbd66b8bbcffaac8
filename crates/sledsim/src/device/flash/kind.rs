//! The kind of device "flash": its entry in the table of kinds, and the keys of its files.

use super::Flash;
use crate::device::{copies, DeviceKind, DeviceRow};
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::params::{DeviceParams, FileKind, FlashParams, Parameters};

impl FlashParams {
    /// Number of blocks in an erase block; 0 if the card writes without erasing.
    #[must_use]
    pub fn erase_block_blocks(&self) -> u64 {
        self.erase_block_kib * 1024 / SECTOR_BYTES
    }
}

/// Entry for flash cards in the table of kinds of devices.
pub(in crate::device) const ROW: DeviceRow = DeviceRow::new(
    FILE.name,
    "flash card: memory without moving parts",
    DeviceKind {
        file: FILE,
        devices: &|params, count| {
            let DeviceParams::Flash(params) = params else {
                unreachable!("a kind builds only devices of this kind")
            };
            Ok(copies(&Flash::new(params), count))
        },
    },
);

const FILE: FileKind = FileKind::of::<FlashParams>(
    &|values| Ok(DeviceParams::Flash(FlashParams::complete(values, check)?)),
    Flash::CHARACTERISTICS,
);

/// Checks that the card consists of whole erase blocks, and that it has more erase blocks than can be open
/// at the same time.
fn check(p: &FlashParams) -> Result<()> {
    let (kib, size) = (p.erase_block_kib, p.erase_block_blocks());
    if size == 0 {
        return Ok(());
    }
    ensure!(
        p.block_count.is_multiple_of(size),
        "erase_block_kib = {kib}: expected a divisor of the card's size, but block_count = {} is not a multiple of {size} blocks of 512 bytes",
        p.block_count
    );
    let count = p.block_count / size;
    ensure!(
        p.open_blocks < count,
        "open_blocks = {}: expected fewer than the card's {count} erase blocks of {kib} KiB",
        p.open_blocks
    );
    Ok(())
}
