//! Parameters of MEMS devices that take one of several names.

use crate::choice::choice;

choice! {
    /// Moving part that brings the tips to their places on the medium.
    Mechanism, "mechanism" {
        "sled" => Sled, "the medium moves on a sled over fixed tips, so all tips are at the same place of their regions"; // 002-F2
        "cantilevers" => Cantilevers, "the tips move on cantilevers over a fixed medium; the tips of each block move together, independently of other tips"; // 002-F1
    }
}

choice! {
    /// Directions in y in which the sled may sweep over the rows of a request (000-D10).
    AccessMode, "access_mode" {
        "bidirectional" => Bidirectional, "up or down for each row, whichever completes the request soonest"; // 001-F3
        "serpentine" => Serpentine, "upwards on every other track, downwards on the tracks between; a request for a single row in either direction"; // 001-D15
        "parity" => Parity, "upwards on even cylinders, downwards on odd cylinders"; // 000-F8
        "unidirectional" => Unidirectional, "upwards only";
    }
}

choice! {
    /// Order in which the rows of a request are accessed.
    RowOrder, "row_order" {
        "sweep" => Sweep, "the order in which the sled passes them, so that the request completes soonest; the device's buffer sorts the data";
        "lbn" => Lbn, "the order of LBN, as in DiskSim; the direction for a row is the one that reaches the row soonest, whatever rows follow";
    }
}

choice! {
    /// Motion in x from one cylinder to the next within a request (002-D7).
    CylinderSwitch, "cylinder_switch" {
        "tip-deflection" => TipDeflection, "no time: the tips deflect by one bit while the sled turns around"; // 002-F10
        "seek" => Seek, "a seek of the sled by one bit, and settling";
    }
}

choice! {
    /// Motion of the sled while no request waits and the device is not shut down.
    Idle, "idle" {
        "hold" => Hold, "the sled swings about the place at which the last access ended; the next seek starts as if the sled still passed this place in the same direction";
        "sweep" => Sweep, "the sled keeps sweeping its cylinder at access velocity; the next seek starts from the place where the sled is at its start";
    }
}

choice! {
    /// Time at which the sled starts to move for a write whose data have not all crossed the bus.
    WriteStart, "write_start" {
        "buffered" => Buffered, "late enough that the data of each row are in the buffer when the row passes, so the sled never stops for data"; // 001-F9
        "at-dispatch" => AtDispatch, "immediately, as in DiskSim: the first pass writes only the blocks that have arrived by then; the other blocks of the first row need another pass";
    }
}

choice! {
    /// Handling of writes on a medium with erase blocks.
    EraseManagement, "erase_management" {
        "in-place" => InPlace, "each write erases the whole erase block of its blocks first, and then writes the other blocks back, too";
        "log" => Log, "writes go to blocks that are already erased; erase blocks with outdated data are cleaned in idle time"; // 001-F31
    }
}

choice! {
    /// Tips that draw power while a row passes under them.
    TipSupply, "tip_supply" {
        "block-tips" => BlockTips, "all tips of the requested blocks; other tips are switched off"; // 001-F4
        "wanted-tips" => WantedTips, "reads: tips that hold the requested part of a block; writes: all tips of a block"; // 003-F10
        "active-tips" => ActiveTips, "all active tips, because the power supply cannot switch single tips off"; // 004-F12
    }
}
