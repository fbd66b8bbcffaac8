//! Counts of a write buffer for the summary of a run.

use super::log::Log;
use super::place_map::PlaceMap;
use crate::counts::counts;

counts! {
    /// Counts of reads and writes, and of the use of the log.
    Counts {
        /// reads that the volume received
        reads: u64,
        /// reads that were served without the disk
        read_hits: u64,
        /// sectors that reads got from the disk
        disk_read_sectors: u64,
        /// sectors that reads got from the log
        log_read_sectors: u64,
        /// sectors that reads got from memory, because they were not yet in the log
        memory_read_sectors: u64,
        /// writes that the volume received
        writes: u64,
        /// writes whose data were appended to the log
        appended_writes: u64,
        /// parts that appended data to the log; each carries all writes that were waiting when it was sent
        appends: u64,
        /// mean number of writes for each part that appended data to the log: appended_writes / appends
        writes_per_append: f64,
        /// sectors of data that were appended to the log
        appended_sectors: u64,
        /// writes that bypassed the log, because the log was too full
        bypassed_writes: u64,
        /// sectors written to the disk by writes that bypassed the log
        bypassed_sectors: u64,
        /// sectors overwritten in the log by writes that bypassed the log
        overwritten_sectors: u64,
        /// segments of the log that were cleaned, that is, copied to the disk
        cleaned_segments: u64,
        /// sectors that cleaning copied from the log to the disk
        cleaned_sectors: u64,
        /// number of times that the beginning of the log (its tail) moved and freed space
        tail_moves: u64,
        /// notes that confirmed the newest append as complete, before a write that bypassed the log changed its data
        confirmations: u64,
        /// sectors that are newer in the log or in memory than on the disk at the end of the run
        dirty_sectors: u64,
        /// sectors that are in the log at the end of the run
        mapped_sectors: u64,
        /// share of the log in use at the end of the run, from its oldest data (tail) to its newest (head)
        log_used_share: f64,
        /// share of the log whose data are not yet cleaned (copied to the disk) at the end of the run
        log_dirty_share: f64,
    }
}

impl Counts {
    /// All counts, including the use of the log at the end of the run. `stored` maps sectors to places in the log,
    /// `memory` those that are not yet there.
    pub(super) fn with(&self, log: &Log, stored: &PlaceMap, memory: &PlaceMap) -> Self {
        let mut live = Vec::new();
        log.dirty_extents(usize::MAX)
            .for_each(|extent| stored.runs(extent.sector, u64::from(extent.sectors), &mut live));
        let dirty = live.iter().filter(|run| run.place.is_some_and(|place| log.position(place) >= log.clean));
        // A sector that was written twice is found twice, and counts once.
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
