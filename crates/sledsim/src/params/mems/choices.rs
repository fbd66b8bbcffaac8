//! Parameters of MEMS devices whose values are names.

use crate::choice::choice;

choice! {
    /// Moving part that positions the tips over the medium.
    Mechanism, "mechanism" {
        "sled" => Sled, "the medium moves on a sled over fixed tips; all tips move over their regions together"; // 002-F2
        "cantilevers" => Cantilevers, "the tips move on cantilevers over a fixed medium; each group of tips moves independently"; // 002-F1
    }
}

choice! {
    /// Directions in y in which the rows of a request may be accessed (000-D10).
    AccessMode, "access_mode" {
        "bidirectional" => Bidirectional, "up or down for each row, whichever completes the request soonest"; // 001-F3
        "serpentine" => Serpentine, "up and down on alternate tracks of a request; a request for a single row goes either way"; // 001-D15
        "parity" => Parity, "upwards on even cylinders, downwards on odd cylinders"; // 000-F8
        "unidirectional" => Unidirectional, "upwards only";
    }
}

choice! {
    /// Order in which the rows of a request are accessed.
    RowOrder, "row_order" {
        "sweep" => Sweep, "order in which the sled passes the rows and completes the request soonest; the device's buffer sorts the data";
        "lbn" => Lbn, "order of LBN; each row in the direction that reaches that row soonest, without look-ahead (as in DiskSim)";
    }
}

choice! {
    /// Motion in x to the next cylinder within a request, and its cost (002-D7).
    CylinderSwitch, "cylinder_switch" {
        "tip-deflection" => TipDeflection, "no time: the tips deflect by one bit while the sled turns around"; // 002-F10
        "seek" => Seek, "a seek of the sled by one bit, and settling";
    }
}

choice! {
    /// Motion of the sled while no request waits and the device is not shut down.
    Idle, "idle" {
        "hold" => Hold, "the sled swings about the end of the last access; the next seek starts from there, in the same direction, without waiting for the swing";
        "sweep" => Sweep, "the sled keeps sweeping its cylinder at access velocity; the next seek starts from the sled's position at that time";
    }
}

choice! {
    /// Time at which the sled sets off for a write while the data still cross the bus.
    WriteStart, "write_start" {
        "buffered" => Buffered, "the speed-matching buffer holds the sled back until no row has to wait for data"; // 001-F9
        "at-dispatch" => AtDispatch, "DiskSim's way: the first pass writes the blocks that have arrived when the sled sets off; the other blocks of that row need another pass";
    }
}

choice! {
    /// Handling of writes on a medium with erase blocks.
    EraseManagement, "erase_management" {
        "in-place" => InPlace, "each write first erases its erase block, then restores the other data of that block";
        "log" => Log, "writes go to erased blocks; blocks with replaced data are erased in idle time"; // 001-F31
    }
}

choice! {
    /// Selection of the tips that draw power while a row passes under them.
    TipSupply, "tip_supply" {
        "block-tips" => BlockTips, "all tips of the requested blocks; other tips are switched off"; // 001-F4
        "wanted-tips" => WantedTips, "reads: tips that hold the requested part of a block; writes: all tips of a block"; // 003-F10
        "active-tips" => ActiveTips, "all active tips, because the power net has no switches"; // 004-F12
    }
}
