//! The parameters that are one of a few names.

use crate::choice::choice;

choice! {
    /// What moves to position the tips over the medium.
    Mechanism, "mechanism" {
        "sled" => Sled, "the medium, on a sled over fixed tips: all tips are at the same place"; // 002-F2
        "cantilevers" => Cantilevers, "each group of tips by itself, on cantilevers over a fixed medium"; // 002-F1
    }
}

choice! {
    /// In which directions of y the rows of a request may be accessed (000-D10).
    AccessMode, "access_mode" {
        "bidirectional" => Bidirectional, "either way, whichever serves the whole request soonest"; // 001-F3
        "serpentine" => Serpentine, "a request of several rows alternates from track to track, a single row either way"; // 001-D15
        "parity" => Parity, "upwards on even cylinders, downwards on odd ones"; // 000-F8
        "unidirectional" => Unidirectional, "upwards only";
    }
}

choice! {
    /// In which order the rows of a request are accessed.
    RowOrder, "row_order" {
        "sweep" => Sweep, "as the sled sweeps over them, in the directions that serve the whole request soonest: the buffer puts them in order";
        "lbn" => Lbn, "by LBN, each in the direction that reaches it soonest, without a look at the next (as DiskSim)";
    }
}

choice! {
    /// The cost in x of going on to the neighbouring cylinder inside a request (002-D7).
    CylinderSwitch, "cylinder_switch" {
        "tip-deflection" => TipDeflection, "nothing: the tips deflect by a bit while the sled turns around"; // 002-F10
        "seek" => Seek, "a seek of the sled by one bit, and settling";
    }
}

choice! {
    /// What the sled does when no request waits and it is not shut down.
    Idle, "idle" {
        "hold" => Hold, "the next seek starts where and in the direction in which the last access ended, however long ago: the sled bounces about that point, and its phase in the bounce is not charged";
        "sweep" => Sweep, "keeps sweeping its column up and down at access speed; the next seek starts wherever it is by then";
    }
}

choice! {
    /// When a write may start on the medium while its data still cross the bus.
    WriteStart, "write_start" {
        "buffered" => Buffered, "the speed-matching buffer holds the sled back until no row has to wait for data"; // 001-F9
        "at-dispatch" => AtDispatch, "as DiskSim: the first pass takes the blocks that are there when the sled sets off, the rest of that row needs another pass";
    }
}

choice! {
    /// What becomes of writes on a medium that has to be erased.
    EraseManagement, "erase_management" {
        "in-place" => InPlace, "each write erases where it goes, and writes back what else was there";
        "log" => Log, "writes go to erased blocks, and what they leave behind is erased in idle time"; // 001-F31
    }
}

choice! {
    /// Which tips take power while a row passes.
    TipSupply, "tip_supply" {
        "block-tips" => BlockTips, "those of the blocks that are wanted: the others are switched off"; // 001-F4
        "wanted-tips" => WantedTips, "of blocks that are read those that hold what is wanted; of blocks that are written all"; // 003-F10
        "active-tips" => ActiveTips, "all active ones, wanted or not: a power net without switches"; // 004-F12
    }
}
