//! Handling of blocks that have lost tip sectors.

use crate::choice::choice;

choice! {
    /// Handling of a block that has lost tip sectors.
    Remapping, "remapping" {
        "spare-tip" => SpareTip, "a spare tip of the track takes over the bad tip sector, at the same x and y"; // 001-F24
        "slip" => Slip, "blocks that are bad from the start are skipped (slipped), as on disks; blocks that become bad later move to the reserve";
        "elsewhere" => Elsewhere, "bad blocks move to the reserve at the end of the device";
        "none" => Leave, "no remapping: the code over tips alone corrects errors";
    }
}
