//! Parameters of disk drives that take one of several names.

use crate::choice::choice;

choice! {
    /// Order in which the tracks of a cylinder are used.
    HeadOrder, "head_order" {
        "same" => Same, "first head to last head in every cylinder";
        "serpentine-by-zone" => SerpentineByZone, "first head to last head in the first cylinder of a zone, last head to first in the next cylinder, and so on";
        "serpentine" => Serpentine, "first head to last head in even cylinders of the disk, last head to first in odd cylinders";
    }
}

choice! {
    /// Places of spare sectors, and the sectors that take over the blocks of a bad sector that is slipped.
    /// The choice also determines what the number of spares of a zone counts.
    Sparing, "sparing" {
        "none" => None, "no spare sectors; bad sectors are not slipped";
        "tracks" => Tracks, "spare tracks in each zone; a track with a bad sector is skipped as a whole";
        "cylinder" => Cylinder, "spare sectors at the end of each cylinder; a bad sector is skipped, and the blocks after it in the cylinder move by one sector";
        "track" => Track, "spare sectors at the end of each track; a bad sector is skipped, and the blocks after it on the track move by one sector";
        "cylinder-slip-zone" => CylinderSlipZone, "spare sectors at the end of each cylinder; a bad sector is skipped, and all blocks after it in the zone move by one sector";
        "cylinder-front" => CylinderFront, "spare sectors at the front of each cylinder; a bad sector is skipped, and the blocks before it in the cylinder move back by one sector";
        "cylinder-front-slip-zone" => CylinderFrontSlipZone, "spare sectors at the front of each cylinder; a bad sector is skipped, and all blocks after it in the zone move by one sector";
        "disk" => Disk, "no spare sectors in the zones; a bad sector is skipped, and all blocks after it in the zone move by one sector";
        "range" => Range, "spare sectors at the end of every `spare_range_cylinders` cylinders; a bad sector is skipped, and the blocks after it in these cylinders move by one sector";
        "zone" => Zone, "spare sectors in the zone, whose number includes skipped sectors; a bad sector is skipped, and all blocks after it in the zone move by one sector";
        "zone-and-slips" => ZoneAndSlips, "spare sectors in the zone, in addition to skipped sectors; a bad sector is skipped, and all blocks after it in the zone move by one sector";
    }
}

choice! {
    /// Blocks that the drive reads ahead into the cache after a read.
    ReadAhead, "read_ahead" {
        "none" => None, "no read-ahead";
        "track" => Track, "the rest of the track, up to `read_ahead_blocks` blocks";
        "cylinder" => Cylinder, "the rest of the cylinder, up to `read_ahead_blocks` blocks";
        "segment" => Segment, "up to `read_ahead_blocks` blocks, as far as they fit into a segment of the cache";
        "adaptive" => Adaptive, "the whole track of the read and the next track, but only after sequential reads";
        "to-track-end" => ToTrackEnd, "the rest of the track; after sequential reads one more track, even if a segment of the cache is too small";
    }
}

choice! {
    /// Handling of blocks in the cache that the host has already received.
    Delivered, "delivered" {
        "keep" => Keep, "received data stay in the disk's cache; read-ahead stops before it would overwrite them";
        "overwrite" => Overwrite, "received data may be overwritten; only `read_ahead_blocks` limits read-ahead";
        "reuse" => Reuse, "received data may be overwritten; read-ahead may bring as many blocks as a segment of the cache holds";
    }
}

choice! {
    /// Writes that count as hits, on a drive with `write_back`. Hits and other writes (misses) have
    /// different overheads.
    WriteHits, "write_hits" {
        "every" => Every, "all writes";
        "sequential" => Sequential, "writes that begin at the end of the previous write";
    }
}

choice! {
    /// Place where requests wait until the drive serves them.
    Queue, "queue" {
        "host" => Host, "at the host: the drive holds one request at a time, until the host has received the data of the request";
        "drive" => Drive, "in the drive, which processes commands on arrival and orders the requests (`queue_depth`, `preseeks`)";
    }
}

choice! {
    /// Number of blocks of which `read_watermark` is a fraction.
    WatermarkOf, "watermark_of" {
        "request" => Request, "the blocks of the request";
        "segment" => Segment, "the blocks of a segment";
    }
}

choice! {
    /// Time at which the drive moves the data of completed writes from its cache to the medium (destage).
    Destage, "destage" {
        "at-once" => AtOnce, "in the order of arrival, as soon as the medium is free";
        "idle" => Idle, "between requests, once no request has come for `destage_after_ms`";
        "age" => Age, "between requests, once the data have waited for `destage_after_ms`";
        "watermark" => Watermark, "between requests, while more than `destage_watermark` of `write_cache_blocks` wait";
        "on-flush" => OnFlush, "only when a flush comes, or a write finds no room in the cache";
    }
}

choice! {
    /// Order in which the drive moves waiting data from its cache to the medium.
    DestageOrder, "destage_order" {
        "arrival" => Arrival, "the data that came first";
        "nearest" => Nearest, "the data with the shortest positioning time, among the 256 oldest extents";
    }
}
