//! The parameters with named choices.

use crate::choice::choice;

choice! {
    /// Moving part that positions the tips over the medium.
    Mechanism, "mechanism" {
        "sled" => Sled, "the medium, on a sled over fixed tips: all tips are at the same place"; // 002-F2
        "cantilevers" => Cantilevers, "each group of tips by itself, on cantilevers over a fixed medium"; // 002-F1
    }
}

choice! {
    /// Directions of y in which the rows of a request may be accessed (000-D10).
    AccessMode, "access_mode" {
        "bidirectional" => Bidirectional, "either way, whichever serves the whole request soonest"; // 001-F3
        "serpentine" => Serpentine, "a request of several rows alternates from track to track, a single row either way"; // 001-D15
        "parity" => Parity, "upwards on even cylinders, downwards on odd ones"; // 000-F8
        "unidirectional" => Unidirectional, "upwards only";
    }
}

choice! {
    /// Order in which the rows of a request are accessed.
    RowOrder, "row_order" {
        "sweep" => Sweep, "order of the sled's sweep, in the directions that serve the whole request soonest; the buffer sorts the data";
        "lbn" => Lbn, "order of LBN, each row in the direction that reaches it soonest, without look-ahead (like DiskSim)";
    }
}

choice! {
    /// Cost in x of a step to the next cylinder within a request (002-D7).
    CylinderSwitch, "cylinder_switch" {
        "tip-deflection" => TipDeflection, "no cost: the tips deflect by a bit while the sled turns around"; // 002-F10
        "seek" => Seek, "a seek of the sled by one bit, and settling";
    }
}

choice! {
    /// Motion of the sled while no request waits and the device is not shut down.
    Idle, "idle" {
        "hold" => Hold, "the sled bounces about the end of the last access; the next seek starts there, in the same direction, and the phase of the bounce costs no time";
        "sweep" => Sweep, "the sled keeps sweeping its column at access speed; the next seek starts from its place at that time";
    }
}

choice! {
    /// Start of a write on the medium while its data still cross the bus.
    WriteStart, "write_start" {
        "buffered" => Buffered, "the speed-matching buffer holds the sled back until no row has to wait for data"; // 001-F9
        "at-dispatch" => AtDispatch, "like DiskSim: the first pass takes the blocks that have arrived when the sled sets off; the rest of that row needs another pass";
    }
}

choice! {
    /// Handling of writes on a medium with erase blocks.
    EraseManagement, "erase_management" {
        "in-place" => InPlace, "each write erases its erase block first, and restores the other data there";
        "log" => Log, "writes go to erased blocks; the blocks that they replace are erased in idle time"; // 001-F31
    }
}

choice! {
    /// Tips that take power while a row passes.
    TipSupply, "tip_supply" {
        "block-tips" => BlockTips, "tips of the wanted blocks; the others are switched off"; // 001-F4
        "wanted-tips" => WantedTips, "tips that hold the wanted part of a block read, all tips of a block written"; // 003-F10
        "active-tips" => ActiveTips, "all active tips, wanted or not: a power net without switches"; // 004-F12
    }
}
