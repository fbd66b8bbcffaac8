//! Counts of a write buffer.

use super::log::Log;
use super::place_map::PlaceMap;
use crate::counts::counts;

counts! {
    /// What happened to writes and reads, and how full the log is.
    Counts {
        reads: u64,
        /// Reads of which the disk had to give nothing.
        read_hits: u64,
        disk_read_sectors: u64,
        log_read_sectors: u64,
        memory_read_sectors: u64,
        writes: u64,
        appended_writes: u64,
        appends: u64,
        writes_per_append: f64,
        appended_sectors: u64,
        bypassed_writes: u64,
        /// Sectors of them that went to the disk.
        bypassed_sectors: u64,
        /// Sectors of them that were overwritten in the log.
        overwritten_sectors: u64,
        cleaned_segments: u64,
        cleaned_sectors: u64,
        tail_moves: u64,
        /// Notes that say that the newest append is whole.
        confirmations: u64,
        dirty_sectors: u64,
        mapped_sectors: u64,
        log_used_share: f64,
        log_dirty_share: f64,
    }
}

impl Counts {
    /// All of them.
    pub fn with(&self, log: &Log, stored: &PlaceMap, memory: &PlaceMap) -> Self {
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
            dirty_sectors: dirty + memory.mapped(),
            mapped_sectors: stored.mapped(),
            log_used_share: share(log.head - log.tail),
            log_dirty_share: share(log.dirty()),
            ..*self
        }
    }
}
