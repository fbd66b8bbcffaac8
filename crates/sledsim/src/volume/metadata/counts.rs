//! What is counted of metadata.

use super::WithMetadata;
use crate::volume::back::Back;

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

impl<B: Back> WithMetadata<B> {
    /// All of it, and what the store behind counts.
    pub(super) fn count_all(&self) -> Vec<(&'static str, f64)> {
        let Counts { requests, metadata_requests, hits, mems_sectors, back_sectors, .. } = self.counts;
        let Counts { moved_sectors, fetched_sectors, refused_units, pages, flushed_sectors, flushes, .. } =
            self.counts;
        let (used, slots) = self.table.used_and_slots();
        let own = [
            ("requests", requests),
            ("metadata_requests", metadata_requests),
            ("metadata_hits", hits),
            ("metadata_area_sectors", mems_sectors),
            ("other_sectors", back_sectors),
            ("moved_sectors", moved_sectors),
            ("fetched_sectors", fetched_sectors),
            ("units_without_room", refused_units),
            ("table_pages_written", pages),
            ("flushes", flushes),
            ("flushed_sectors", flushed_sectors),
            ("unflushed_sectors", self.table.unflushed_sectors()),
            ("metadata_units", used),
            ("metadata_slots", slots),
        ];
        own.into_iter().map(|(name, count)| (name, count as f64)).chain(self.back.counts()).collect()
    }
}
