//! Options of the statistics and of their memory.

/// Default number of devices with figures of their own: the most frequent devices.
pub const DEVICES_MOST: u32 = 1024;

/// Options of the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsOptions {
    /// Gap in sectors that the file system's interleave leaves between blocks of a file: requests at that
    /// distance count as logically sequential (000-F24). 0: no such gap.
    pub interleave_sectors: u32,
    /// Memory for the bitmap of distinct blocks, in bytes. The footprint is no longer counted when it is used
    /// up.
    pub bitmap_bytes: u64,
    /// Number of devices with figures of their own, at least 1: the devices with the most requests of any kind, and of
    /// equal devices the earliest. All other devices share one set of figures.
    pub devices_most: u32,
    /// Memory for the counts of devices, in bytes, if there are more than `devices_most`. Whenever it is used up, the
    /// devices with the fewest requests so far are merged for good, until a quarter is free or `devices_most` are left;
    /// a device that becomes frequent later may be among the merged devices.
    pub device_bytes: u64,
}

impl Default for StatisticsOptions {
    fn default() -> Self {
        let (bitmap_bytes, device_bytes) = (600_000_000, 256_000_000);
        Self { interleave_sectors: 0, bitmap_bytes, devices_most: DEVICES_MOST, device_bytes }
    }
}
