//! Counts of a device with faults.

use crate::counts::counts;

counts! {
    /// Counts of a device with faults.
    FaultCounts {
        /// tips that failed
        tip_failures: u64,
        /// defects of the medium
        media_defects: u64,
        /// parts of tips' regions that spare tips have taken over
        regions_under_spare_tips: u64,
        /// parts of tips' regions that are lost, with no spare for them
        regions_missing: u64,
        /// blocks that the count of blocks skips
        slipped_blocks: u64,
        /// blocks that lie in the reserve
        blocks_put_elsewhere: u64,
        /// blocks for which the reserve had no room
        blocks_not_remapped: u64,
        /// missing tip sectors of blocks read that the code corrected
        corrected_tip_sectors: u64,
        /// blocks of requests that were under spares or elsewhere
        remapped_blocks: u64,
        /// blocks of requests that could not be read or written
        lost_blocks: u64,
        /// requests with lost blocks
        lost_requests: u64,
    }
}
