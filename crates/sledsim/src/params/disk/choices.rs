//! The parameters that are one of a few names.

use crate::choice::choice;

choice! {
    /// In which order the tracks of a cylinder are used.
    HeadOrder, "head_order" {
        "same" => Same, "from the first head to the last in every cylinder";
        "serpentine-by-zone" => SerpentineByZone, "backwards in every other cylinder, counted from the start of the zone";
        "serpentine" => Serpentine, "backwards in cylinders of odd number";
    }
}

choice! {
    /// Where spare sectors lie, and how bad ones are slipped. The spares of a zone count what the name says.
    Sparing, "sparing" {
        "none" => None, "no spares; nothing is slipped";
        "tracks" => Tracks, "spare tracks of the zone; a bad track is left out as a whole";
        "cylinder" => Cylinder, "sectors at the end of each cylinder; slips push on within it";
        "track" => Track, "sectors at the end of each track; slips push on within it";
        "cylinder-slip-zone" => CylinderSlipZone, "sectors at the end of each cylinder; slips push on to the end of the zone";
        "cylinder-front" => CylinderFront, "sectors at the front of each cylinder; slips push towards them";
        "cylinder-front-slip-zone" => CylinderFrontSlipZone, "sectors at the front of each cylinder; slips push on to the end of the zone";
        "disk" => Disk, "none in the zones; slips push on to the end of the zone";
        "range" => Range, "sectors at the end of every `spare_range_cylinders` cylinders; slips push on within them";
        "zone" => Zone, "sectors of the zone, the slipped ones among them; slips push on to its end";
        "zone-and-slips" => ZoneAndSlips, "sectors of the zone besides the slipped ones; slips push on to its end";
    }
}

choice! {
    /// What is read into the cache behind a read.
    ReadAhead, "read_ahead" {
        "none" => None, "nothing";
        "track" => Track, "on to the end of the track";
        "cylinder" => Cylinder, "on to the end of the cylinder";
        "segment" => Segment, "as much as `read_ahead_blocks` and the segment allow";
        "adaptive" => Adaptive, "from the second of sequential reads on, the whole track and the one behind it";
        "to-track-end" => ToTrackEnd, "on to the end of the track after any read, and one track more once they are sequential, over what the segment holds if need be";
    }
}

choice! {
    /// What becomes of data in the cache that the host has got.
    Delivered, "delivered" {
        "keep" => Keep, "they stay; reading ahead stops short of overwriting them";
        "overwrite" => Overwrite, "they are gone; `read_ahead_blocks` alone limits reading ahead";
        "reuse" => Reuse, "they are gone; reading ahead may fill the segment";
    }
}

choice! {
    /// Which writes of a drive with `write_back` take the overhead of a hit; the others take that of a miss.
    WriteHits, "write_hits" {
        "every" => Every, "all of them";
        "sequential" => Sequential, "those that begin where the write before ended";
    }
}

choice! {
    /// Where requests wait for the drive.
    Queue, "queue" {
        "host" => Host, "at the host: the drive has one request, until the host has its data";
        "drive" => Drive, "in the drive: their commands are processed as they come, and it orders them (`queue_depth`, `preseeks`)";
    }
}

choice! {
    /// What the watermark of reads is a part of.
    WatermarkOf, "watermark_of" {
        "request" => Request, "the blocks of the request";
        "segment" => Segment, "the blocks of a segment";
    }
}
