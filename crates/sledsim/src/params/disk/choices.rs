//! The parameters with named choices.

use crate::choice::choice;

choice! {
    /// Order in which the tracks of a cylinder are used.
    HeadOrder, "head_order" {
        "same" => Same, "first head to last in every cylinder";
        "serpentine-by-zone" => SerpentineByZone, "backwards in every other cylinder, counted from the start of the zone";
        "serpentine" => Serpentine, "backwards in cylinders of odd number";
    }
}

choice! {
    /// Places of spare sectors, and the slipping of bad ones. The name of the choice says what the spares of a zone
    /// count.
    Sparing, "sparing" {
        "none" => None, "no spares; nothing is slipped";
        "tracks" => Tracks, "spare tracks of the zone; a bad track is left out as a whole";
        "cylinder" => Cylinder, "sectors at the end of each cylinder; slips push on within it";
        "track" => Track, "sectors at the end of each track; slips push on within it";
        "cylinder-slip-zone" => CylinderSlipZone, "sectors at the end of each cylinder; slips push on to the end of the zone";
        "cylinder-front" => CylinderFront, "sectors at the front of each cylinder; slips push towards them";
        "cylinder-front-slip-zone" => CylinderFrontSlipZone, "sectors at the front of each cylinder; slips push on to the end of the zone";
        "disk" => Disk, "no spares in the zones; slips push on to the end of the zone";
        "range" => Range, "sectors at the end of every `spare_range_cylinders` cylinders; slips push on within them";
        "zone" => Zone, "sectors of the zone, including slipped ones; slips push on to the end of the zone";
        "zone-and-slips" => ZoneAndSlips, "sectors of the zone, excluding slipped ones; slips push on to the end of the zone";
    }
}

choice! {
    /// Data read into the cache behind a read.
    ReadAhead, "read_ahead" {
        "none" => None, "no read-ahead";
        "track" => Track, "the rest of the track";
        "cylinder" => Cylinder, "the rest of the cylinder";
        "segment" => Segment, "the most that `read_ahead_blocks` and the segment allow";
        "adaptive" => Adaptive, "the whole track and the next one, from the second sequential read on";
        "to-track-end" => ToTrackEnd, "the rest of the track after any read, and one more track after sequential reads, beyond the segment if necessary";
    }
}

choice! {
    /// Handling of data in the cache that the host has received.
    Delivered, "delivered" {
        "keep" => Keep, "data stay in the cache; read-ahead stops before it overwrites them";
        "overwrite" => Overwrite, "data are dropped; only `read_ahead_blocks` limits read-ahead";
        "reuse" => Reuse, "data are dropped; read-ahead may fill the segment";
    }
}

choice! {
    /// Writes that take the overhead of a hit, on a drive with `write_back`; the others take that of a miss.
    WriteHits, "write_hits" {
        "every" => Every, "all writes";
        "sequential" => Sequential, "writes that begin where the write before ended";
    }
}

choice! {
    /// Place where requests wait for the drive.
    Queue, "queue" {
        "host" => Host, "at the host: the drive has one request, until the host has its data";
        "drive" => Drive, "in the drive, which processes commands on arrival and orders the requests (`queue_depth`, `preseeks`)";
    }
}

choice! {
    /// Quantity of which the watermark of reads is a fraction.
    WatermarkOf, "watermark_of" {
        "request" => Request, "the blocks of the request";
        "segment" => Segment, "the blocks of a segment";
    }
}
