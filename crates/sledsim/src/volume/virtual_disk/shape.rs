//! Sizes of the disk and its segments, and the places of slots on the MEMS device.

use super::segment_table::SLOTS_IN_SECTOR;
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::Options;
use crate::volume::Members;

/// Number of sectors of the disk, number of sectors of a segment, and number of slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) disk: u64,
    pub(super) segment: u64,
    pub(super) slots: u32,
}

impl Shape {
    /// # Errors The options contradict one another, or do not fit the sizes of the members.
    pub(super) fn new(options: &Options, members: &Members) -> Result<Self> {
        let (disk, mems) = (members[0][0], members[1][0]);
        let kib = options.whole("segment_kib")?;
        let segment = kib * 1024 / SECTOR_BYTES;
        let room = Self::room(options, disk, mems)?;
        // Each slot takes the sectors of a segment and its share of a sector of the table.
        let per_sector = SLOTS_IN_SECTOR as u64;
        let slots = (room * per_sector / (segment * per_sector + 1)).min(disk.div_ceil(segment));
        let slots = (0..=slots).rev().find(|&slots| slots.div_ceil(per_sector) + slots * segment <= room);
        let slots = slots.unwrap_or(0);
        ensure!(
            slots >= disk.div_ceil(segment).min(2),
            "virtual-disk: segment_kib = {kib}: expected a cache for at least two segments and their table, found a cache of {room} sectors; lower segment_kib, or raise cache_mb or size_ratio"
        );
        let slots = u32::try_from(slots).map_err(|_| {
            options.fault("segment_kib", "a larger segment, so that the cache has fewer than 2^32 segments")
        })?;
        Ok(Self { disk, segment, slots })
    }

    /// Number of sectors of the MEMS device for table and slots, from the option `cache_mb` or `size_ratio`.
    fn room(options: &Options, disk: u64, mems: u64) -> Result<u64> {
        ensure!(
            options.is_default("cache_mb") || options.is_default("size_ratio"),
            "virtual-disk: cache_mb and size_ratio both set the size of the cache; omit one of the two"
        );
        let (name, sectors) = if !options.is_default("cache_mb") {
            let mb = options.number("cache_mb")?;
            ("cache_mb", mb * 1e6 / SECTOR_BYTES as f64)
        } else if !options.is_default("size_ratio") {
            let ratio = options.number("size_ratio")?;
            ("size_ratio", ratio * disk as f64)
        } else {
            return Ok(mems);
        };
        if sectors > mems as f64 {
            let mb = (mems * SECTOR_BYTES) as f64 / 1e6;
            return Err(options.fault(name, &format!("at most the capacity of the MEMS device, {mb} MB")));
        }
        Ok(sectors as u64)
    }

    /// Number of sectors of the segment `segment`; the last segment of the disk may be shorter than the others.
    pub(super) fn sectors(&self, segment: u64) -> u32 {
        self.segment.min(self.disk - segment * self.segment) as u32
    }

    /// First sector of the slot `slot` on the MEMS device; the slots follow the table.
    pub(super) fn start(&self, slot: u32) -> u64 {
        u64::from(self.slots).div_ceil(SLOTS_IN_SECTOR as u64) + u64::from(slot) * self.segment
    }
}
