//! Options for counting the statistics of a trace, such as limits of memory.

/// Default number of devices that appear separately in the result.
pub const DEVICES_MOST: u32 = 1024;

/// Options for counting the statistics of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsOptions {
    /// Gap in sectors that the file system's interleave leaves between the blocks of a file; 0: no
    /// gap. A request that starts at this distance after the end of the previous one counts as
    /// logically sequential (000-F24).
    pub interleave_sectors: u32,
    /// Memory limit in bytes for the bitmap of distinct blocks. Once it is used up, distinct blocks are no
    /// longer counted.
    pub bitmap_bytes: u64,
    /// Number of devices that appear separately in the result, at least 1. These are the devices
    /// with the most requests of any operation; among devices with equal numbers of requests, those
    /// that came first. All other devices share one set of statistics.
    pub devices_most: u32,
    /// Memory limit in bytes for the counts of devices, if there are more than `devices_most`. Once
    /// the limit is reached, the devices with the fewest requests so far are merged for good, until
    /// a quarter of the memory is free or only `devices_most` devices are left. A device that
    /// becomes frequent later may thus have been merged.
    pub device_bytes: u64,
}

impl Default for StatisticsOptions {
    fn default() -> Self {
        let (bitmap_bytes, device_bytes) = (600_000_000, 256_000_000);
        Self { interleave_sectors: 0, bitmap_bytes, devices_most: DEVICES_MOST, device_bytes }
    }
}
