//! Counts of a write buffer.

use super::log::Log;
use super::place_map::PlaceMap;
use crate::counts::counts;

counts! {
    /// Counts of writes and reads, and use of the log.
    Counts {
        /// reads of the volume
        reads: u64,
        /// reads served without the disk
        read_hits: u64,
        /// sectors that reads got from the disk
        disk_read_sectors: u64,
        /// sectors that reads got from the log
        log_read_sectors: u64,
        /// sectors that reads got from memory, before their append
        memory_read_sectors: u64,
        /// writes of the volume
        writes: u64,
        /// writes that went to the log
        appended_writes: u64,
        /// requests that wrote the log; one carries all writes that waited for it
        appends: u64,
        /// appended writes over appends
        writes_per_append: f64,
        /// sectors of data in appends
        appended_sectors: u64,
        /// writes that bypassed the log, which was too full for them
        bypassed_writes: u64,
        /// sectors of bypassed writes that went to the disk
        bypassed_sectors: u64,
        /// sectors of bypassed writes that replaced sectors of the log
        overwritten_sectors: u64,
        /// segments of the log that cleaning read
        cleaned_segments: u64,
        /// sectors that cleaning wrote to the disk
        cleaned_sectors: u64,
        /// moves of the beginning of the log, which free room
        tail_moves: u64,
        /// notes that the newest append is complete, written before a write broke its seal
        confirmations: u64,
        /// sectors that are newer in the log than on the disk at the end
        dirty_sectors: u64,
        /// sectors that are in the log at the end
        mapped_sectors: u64,
        /// share of the log between its beginning and its end
        log_used_share: f64,
        /// share of the log that is newer than the disk
        log_dirty_share: f64,
    }
}

impl Counts {
    /// All counts, with the present use of the log.
    pub(super) fn with(&self, log: &Log, stored: &PlaceMap, memory: &PlaceMap) -> Self {
        let mut live = Vec::new();
        log.dirty_extents(usize::MAX)
            .for_each(|extent| stored.runs(extent.sector, u64::from(extent.sectors), &mut live));
        let dirty = live.iter().filter(|run| run.place.is_some_and(|place| log.position(place) >= log.clean));
        // A sector that was written twice is found twice.
        let mut dirty: Vec<(u64, u64)> = dirty.map(|run| (run.sector, run.sectors)).collect();
        dirty.sort_unstable();
        let mut end = 0;
        let dirty: u64 = dirty
            .iter()
            .map(|&(sector, sectors)| {
                let new = (sector + sectors).saturating_sub(sector.max(end));
                end = end.max(sector + sectors);
                new
            })
            .sum();
        let share = |sectors: u64| sectors as f64 / log.sectors as f64;
        Self {
            writes_per_append: self.appended_writes as f64 / self.appends.max(1) as f64,
            dirty_sectors: dirty + memory.mapped,
            mapped_sectors: stored.mapped,
            log_used_share: share(log.head - log.tail),
            log_dirty_share: share(log.dirty()),
            ..*self
        }
    }
}
