//! What a virtual disk counts.

use super::VirtualDisk;

/// What is counted for the summary.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) hits: u64,
    pub(super) misses: u64,
    pub(super) fetched: u64,
    pub(super) whole_writes: u64,
    pub(super) evicted: u64,
    pub(super) written_back: u64,
    pub(super) waits_for_slot: u64,
    pub(super) direct: u64,
}

impl VirtualDisk {
    /// Names and values.
    pub(super) fn counted(&self) -> Vec<(&'static str, f64)> {
        let Counts { hits, misses, fetched, whole_writes, evicted, written_back, waits_for_slot, direct } =
            self.counts;
        let dirty = self
            .links
            .iter(&self.dirty)
            .map(|slot| u64::from(self.shape.sectors(self.slots[slot as usize].segment)));
        let counted = [
            ("hits", hits),
            ("misses", misses),
            ("fetched_segments", fetched),
            ("whole_segment_writes", whole_writes),
            ("evicted_segments", evicted),
            ("written_back_segments", written_back),
            ("waits_for_slot", waits_for_slot),
            ("table_writes", self.table.writes),
            ("direct_pieces", direct),
            ("resident_segments", self.places.len() as u64),
            ("dirty_sectors", dirty.sum()),
        ];
        counted.map(|(name, count)| (name, count as f64)).into()
    }
}
