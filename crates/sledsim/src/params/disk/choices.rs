//! Parameters of disk drives whose values are names.

use crate::choice::choice;

choice! {
    /// Order in which the tracks of a cylinder are used.
    HeadOrder, "head_order" {
        "same" => Same, "the same order in every cylinder: from the first head to the last";
        "serpentine-by-zone" => SerpentineByZone, "forwards and backwards in alternate cylinders, counted from the start of the zone";
        "serpentine" => Serpentine, "forwards in even cylinders, backwards in odd cylinders";
    }
}

choice! {
    /// Places of spare sectors, and the slipping of bad sectors. The choice also determines what
    /// the number of spares of a zone counts.
    Sparing, "sparing" {
        "none" => None, "no spare sectors; bad sectors are not slipped";
        "tracks" => Tracks, "spare tracks in each zone; a bad track is skipped as a whole";
        "cylinder" => Cylinder, "spare sectors at the end of each cylinder; a slip moves the later sectors of the cylinder";
        "track" => Track, "spare sectors at the end of each track; a slip moves the later sectors of the track";
        "cylinder-slip-zone" => CylinderSlipZone, "spare sectors at the end of each cylinder; a slip moves all later sectors of the zone";
        "cylinder-front" => CylinderFront, "spare sectors at the front of each cylinder; a slip moves the earlier sectors of the cylinder";
        "cylinder-front-slip-zone" => CylinderFrontSlipZone, "spare sectors at the front of each cylinder; a slip moves all later sectors of the zone";
        "disk" => Disk, "no spare sectors in the zones; a slip moves all later sectors of the zone";
        "range" => Range, "spare sectors at the end of every `spare_range_cylinders` cylinders; a slip moves the later sectors of these cylinders";
        "zone" => Zone, "spare sectors of the zone, including slipped sectors; a slip moves all later sectors of the zone";
        "zone-and-slips" => ZoneAndSlips, "spare sectors of the zone, excluding slipped sectors; a slip moves all later sectors of the zone";
    }
}

choice! {
    /// Data that are read into the cache after a read.
    ReadAhead, "read_ahead" {
        "none" => None, "no read-ahead";
        "track" => Track, "the rest of the track, up to `read_ahead_blocks` blocks";
        "cylinder" => Cylinder, "the rest of the cylinder, up to `read_ahead_blocks` blocks";
        "segment" => Segment, "up to `read_ahead_blocks` blocks, within the segment";
        "adaptive" => Adaptive, "the whole track and the next one, from the second sequential read on";
        "to-track-end" => ToTrackEnd, "the rest of the track after any read, and one more track after sequential reads, beyond the segment if necessary";
    }
}

choice! {
    /// Handling of data in the cache that the host has already received.
    Delivered, "delivered" {
        "keep" => Keep, "received data stay in the disk's cache; read-ahead stops before it would overwrite them";
        "overwrite" => Overwrite, "received data may be overwritten; only `read_ahead_blocks` limits read-ahead";
        "reuse" => Reuse, "received data may be overwritten; read-ahead may fill the segment";
    }
}

choice! {
    /// Writes that count as hits on a drive with `write_back` and take the overhead of a hit; other
    /// writes take the overhead of a miss.
    WriteHits, "write_hits" {
        "every" => Every, "all writes";
        "sequential" => Sequential, "writes that begin at the end of the previous write";
    }
}

choice! {
    /// Place where requests wait for the drive.
    Queue, "queue" {
        "host" => Host, "at the host: the drive holds one request at a time, until the host has received the data of the request";
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
