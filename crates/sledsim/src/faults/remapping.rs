//! Remapping of a block that has lost tip sectors.

use crate::choice::choice;

choice! {
    /// Handling of a block that has lost tip sectors.
    Remapping, "remapping" {
        "spare-tip" => SpareTip, "a spare tip of the track takes the tip sector, at the same x and y"; // 001-F24
        "slip" => Slip, "blocks slip past those that are bad from the start, as on disks; those that grow bad lie elsewhere";
        "elsewhere" => Elsewhere, "the block lies in the reserve at the end of the device";
        "none" => Leave, "nothing: the code over tips is all there is";
    }
}
