//! What is counted of metadata.

/// What happened to requests.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub requests: u64,
    pub metadata_requests: u64,
    /// Metadata requests of which everything was on the MEMS device.
    pub hits: u64,
    pub mems_sectors: u64,
    pub back_sectors: u64,
    pub moved_sectors: u64,
    pub fetched_sectors: u64,
    pub refused_units: u64,
    pub pages: u64,
    pub flushed_sectors: u64,
    pub flushes: u64,
}
