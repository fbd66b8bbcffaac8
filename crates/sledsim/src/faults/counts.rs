//! Counts of faults, remapped blocks and lost blocks of a device.

use crate::counts::counts;

counts! {
    /// Counts of faults, remapped blocks and lost blocks of a device.
    FaultCounts {
        /// tips that have failed
        tip_failures: u64,
        /// defects of the medium
        media_defects: u64,
        /// tips (not counting spare tips) whose region, or an area of it, is now stored under spare tips
        regions_under_spare_tips: u64,
        /// tips (not counting spare tips) with an unreadable area for which no spare tip had room
        regions_missing: u64,
        /// blocks that are skipped because they were bad at manufacture
        slipped_blocks: u64,
        /// blocks that have moved to the reserve
        blocks_put_elsewhere: u64,
        /// blocks that were to move to the reserve, but found no room
        blocks_not_remapped: u64,
        /// missing tip sectors that the code over tips corrected when their blocks were read
        corrected_tip_sectors: u64,
        /// blocks read or written under spare tips or at another place; a block counts at every request
        remapped_blocks: u64,
        /// blocks that could not be read or written; a block counts at every request
        lost_blocks: u64,
        /// requests with lost blocks
        lost_requests: u64,
    }
}
