//! What a virtual disk counts.

use crate::volume::counting::counts;

counts! {
    /// What happened to pieces of requests and to segments, and what lies where.
    {
        hits: u64,
        misses: u64,
        fetched_segments: u64,
        whole_segment_writes: u64,
        evicted_segments: u64,
        written_back_segments: u64,
        waits_for_slot: u64,
        table_writes: u64,
        direct_pieces: u64,
        resident_segments: u64,
        dirty_sectors: u64,
    }
}
