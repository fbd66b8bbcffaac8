//! What is counted of metadata.

use crate::volume::counting::counts;

counts! {
    /// What happened to requests, and what lies where.
    {
        requests: u64,
        metadata_requests: u64,
        /// Metadata requests of which everything was on the MEMS device.
        metadata_hits: u64,
        metadata_area_sectors: u64,
        other_sectors: u64,
        moved_sectors: u64,
        fetched_sectors: u64,
        units_without_room: u64,
        table_pages_written: u64,
        flushes: u64,
        flushed_sectors: u64,
        unflushed_sectors: u64,
        metadata_units: u64,
        metadata_slots: u64,
    }
}
