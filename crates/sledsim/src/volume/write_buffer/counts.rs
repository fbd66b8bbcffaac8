//! What a write buffer counts.

use super::log::Log;
use super::place_map::PlaceMap;

/// What happened to writes and reads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub reads: u64,
    /// Reads of which the disk had to give nothing.
    pub read_hits: u64,
    pub disk_read_sectors: u64,
    pub log_read_sectors: u64,
    pub memory_read_sectors: u64,
    pub writes: u64,
    pub appended_writes: u64,
    pub appends: u64,
    pub appended_sectors: u64,
    pub bypassed_writes: u64,
    /// Sectors of them that went to the disk.
    pub bypassed_sectors: u64,
    /// Sectors of them that were overwritten in the log.
    pub overwritten_sectors: u64,
    pub segments: u64,
    pub cleaned_sectors: u64,
    pub tail_moves: u64,
    /// Notes that say that the newest append is whole.
    pub confirmations: u64,
}

impl Counts {
    /// All of them, and how full the log is.
    pub fn rows(&self, log: &Log, stored: &PlaceMap, memory: &PlaceMap) -> Vec<(&'static str, f64)> {
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
        let batched = self.appended_writes as f64 / self.appends.max(1) as f64;
        let count = |value: u64| value as f64;
        vec![
            ("reads", count(self.reads)),
            ("read_hits", count(self.read_hits)),
            ("disk_read_sectors", count(self.disk_read_sectors)),
            ("log_read_sectors", count(self.log_read_sectors)),
            ("memory_read_sectors", count(self.memory_read_sectors)),
            ("writes", count(self.writes)),
            ("appended_writes", count(self.appended_writes)),
            ("appends", count(self.appends)),
            ("writes_per_append", batched),
            ("appended_sectors", count(self.appended_sectors)),
            ("bypassed_writes", count(self.bypassed_writes)),
            ("bypassed_sectors", count(self.bypassed_sectors)),
            ("overwritten_sectors", count(self.overwritten_sectors)),
            ("cleaned_segments", count(self.segments)),
            ("cleaned_sectors", count(self.cleaned_sectors)),
            ("tail_moves", count(self.tail_moves)),
            ("confirmations", count(self.confirmations)),
            ("dirty_sectors", count(dirty + memory.mapped())),
            ("mapped_sectors", count(stored.mapped())),
            ("log_used_share", share(log.head - log.tail)),
            ("log_dirty_share", share(log.dirty())),
        ]
    }
}
