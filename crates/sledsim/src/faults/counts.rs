//! What a device with faults counts.

use crate::device::counts;

counts! {
    /// What a device with faults counts.
    Counts;
    tip_failures,
    media_defects,
    regions_under_spare_tips,
    regions_missing,
    slipped_blocks,
    blocks_put_elsewhere,
    blocks_not_remapped,
    corrected_tip_sectors,
    remapped_blocks,
    lost_blocks,
    lost_requests,
}
