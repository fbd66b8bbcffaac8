//! What is counted, and in how much memory.

/// Devices of a trace that have figures of their own: the most frequent ones.
pub const DEVICES_MOST: u32 = 1024;

/// Options of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsOptions {
    /// The gap in sectors that the file system's interleave leaves between blocks of a file: requests so far
    /// apart count as logically sequential (000-F24). 0: none does.
    pub interleave_sectors: u32,
    /// The memory for the bitmap of distinct blocks. When it is used up the footprint is no longer counted.
    pub bitmap_bytes: u64,
    /// Devices that have figures of their own: those with the most requests of any kind, of several with as many
    /// the first to come. The others have figures together. At least 1.
    pub devices_most: u32,
    /// The memory for the counts of devices, where there are more than `devices_most`. Whenever it is used up, those
    /// that have had the fewest requests until then become a part of the others for good, until a quarter
    /// of it is free or `devices_most` are left; a device that is frequent only later may so be among the others.
    pub device_bytes: u64,
}

impl Default for StatisticsOptions {
    fn default() -> Self {
        let (bitmap_bytes, device_bytes) = (600_000_000, 256_000_000);
        Self { interleave_sectors: 0, bitmap_bytes, devices_most: DEVICES_MOST, device_bytes }
    }
}
