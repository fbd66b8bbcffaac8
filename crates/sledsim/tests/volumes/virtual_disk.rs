//! A disk with a MEMS device before it. All data survive a power failure; if the MEMS device fails, the data survive
//! that have been written back to the disk.

use std::sync::LazyLock;

use crate::campaign;
use crate::kinds::Kind;

/// A disk of 38 segments, the last of which is short, and a MEMS device that holds a few segments.
pub fn few() -> Kind {
    Kind {
        reads: 60_000,
        reached: &[
            "hits",
            "fetched_segments",
            "whole_segment_writes",
            "evicted_segments",
            "written_back_segments",
            "waits_for_slot",
            "table_writes",
        ],
        ..Kind::of("virtual-disk")
    }
}

/// A virtual disk whose MEMS device may fail during a history.
fn failing() -> Kind {
    Kind {
        failures: true,
        reached: &["direct_pieces", "hits", "evicted_segments", "whole_segment_writes"],
        ..few()
    }
}

pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        few(),
        failing(),
        Kind { options: "segment_kib=4,policy=arc,dirty_low=0,dirty_high=30", ..few() },
        Kind { options: "segment_kib=4,policy=2q,dirty_low=100,dirty_high=100", ..few() },
        // The least possible number of slots.
        Kind { options: "segment_kib=4,policy=clock", members: &[&[100], &[17]], ..few() },
        // A table of several sectors.
        Kind { options: "segment_kib=1,policy=fifo,size_ratio=0.6", members: &[&[300], &[200]], ..failing() },
    ]
});

#[test]
fn virtual_disk() {
    KINDS[..3].iter().for_each(campaign::run);
}

#[test]
fn virtual_disk_of_other_shapes() {
    KINDS[3..].iter().for_each(campaign::run);
}
