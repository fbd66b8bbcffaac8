//! Counts of a device with faults.

use crate::counts::counts;

counts! {
    /// What a device with faults counts.
    Counts {
        tip_failures: u64,
        media_defects: u64,
        regions_under_spare_tips: u64,
        regions_missing: u64,
        slipped_blocks: u64,
        blocks_put_elsewhere: u64,
        blocks_not_remapped: u64,
        corrected_tip_sectors: u64,
        remapped_blocks: u64,
        lost_blocks: u64,
        lost_requests: u64,
    }
}
