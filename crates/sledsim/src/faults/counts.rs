//! Counts of a device with faults.

use crate::counts::counts;

counts! {
    /// Counts of a device with faults.
    FaultCounts {
        /// tips that failed
        tip_failures: u64,
        /// defects of the medium
        media_defects: u64,
        /// tips of blocks for which spare tips have taken over an area or the whole region
        regions_under_spare_tips: u64,
        /// tips of blocks with an area that is lost because no spare tip had room for it
        regions_missing: u64,
        /// blocks that are slipped
        slipped_blocks: u64,
        /// blocks that have moved to the reserve
        blocks_put_elsewhere: u64,
        /// blocks that were to move to the reserve, but found no room
        blocks_not_remapped: u64,
        /// missing tip sectors of read blocks that the code over tips corrected
        corrected_tip_sectors: u64,
        /// blocks of requests that lie under spare tips or have moved to another place
        remapped_blocks: u64,
        /// blocks of requests that could not be read or written
        lost_blocks: u64,
        /// requests with lost blocks
        lost_requests: u64,
    }
}
