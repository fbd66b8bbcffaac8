//! What a device with faults counts, for the summary of a run.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub tip_failures: u64,
    pub media_defects: u64,
    pub spared: u64,
    pub missing: u64,
    pub slipped: u64,
    pub put_elsewhere: u64,
    pub not_remapped: u64,
    pub corrected_tip_sectors: u64,
    pub remapped_blocks: u64,
    pub lost_blocks: u64,
    pub lost_requests: u64,
}

impl Counts {
    /// Each with its name.
    pub fn named(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("tip_failures", self.tip_failures),
            ("media_defects", self.media_defects),
            ("regions_under_spare_tips", self.spared),
            ("regions_missing", self.missing),
            ("slipped_blocks", self.slipped),
            ("blocks_put_elsewhere", self.put_elsewhere),
            ("blocks_not_remapped", self.not_remapped),
            ("corrected_tip_sectors", self.corrected_tip_sectors),
            ("remapped_blocks", self.remapped_blocks),
            ("lost_blocks", self.lost_blocks),
            ("lost_requests", self.lost_requests),
        ];
        all.into_iter().map(|(name, count)| (name, count as f64)).collect()
    }
}
