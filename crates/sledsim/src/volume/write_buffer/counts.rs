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
        /// sectors that reads got from memory, before these sectors were written to the log
        memory_read_sectors: u64,
        /// writes of the volume
        writes: u64,
        /// writes that went to the log
        appended_writes: u64,
        /// requests that wrote to the log; one request carries all writes that were waiting
        appends: u64,
        /// mean number of writes in a request to the log: appended_writes / appends
        writes_per_append: f64,
        /// sectors of data written to the log
        appended_sectors: u64,
        /// writes that went directly to the disk, because the log was too full
        bypassed_writes: u64,
        /// sectors that bypassed writes wrote to the disk
        bypassed_sectors: u64,
        /// sectors in the log that bypassed writes made obsolete
        overwritten_sectors: u64,
        /// segments of the log that cleaning read
        cleaned_segments: u64,
        /// sectors that cleaning wrote to the disk
        cleaned_sectors: u64,
        /// number of times that the beginning of the log moved and freed space
        tail_moves: u64,
        /// records in the log that the newest append is complete, each written before a write to the disk changed data of this append
        confirmations: u64,
        /// sectors that are newer in the log than on the disk at the end
        dirty_sectors: u64,
        /// sectors that are in the log at the end
        mapped_sectors: u64,
        /// share of the log device between the beginning and the end of the log
        log_used_share: f64,
        /// share of the log device with data that are newer than on the disk
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
