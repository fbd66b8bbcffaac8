//! A disk with a MEMS device in front: all is kept when the power is lost, and what had been written back when the
//! MEMS device fails.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

/// A disk of 38 segments, the last of which is short, and a MEMS device for a few of them.
pub const FEW: Kind = Kind {
    volume: "virtual-disk",
    options: "segment_kib=4",
    members: &[&[300], &[51]],
    start: Start::Home(0),
    largest: 24,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |member, _| if member == 0 { Kept::Refused } else { Kept::PerhapsOlder },
    failures: false,
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
};

/// With the MEMS device failing, too.
const FAILING: Kind = Kind {
    failures: true,
    reached: &["direct_pieces", "hits", "evicted_segments", "whole_segment_writes"],
    ..FEW
};

pub const KINDS: &[Kind] = &[
    FEW,
    FAILING,
    Kind { options: "segment_kib=4,policy=arc,dirty_low=0,dirty_high=30", ..FEW },
    Kind { options: "segment_kib=4,policy=2q,dirty_low=100,dirty_high=100", ..FEW },
    // As few slots as there can be.
    Kind { options: "segment_kib=4,policy=clock", members: &[&[100], &[17]], ..FEW },
    // A table of several sectors.
    Kind { options: "segment_kib=1,policy=fifo,size_ratio=0.6", members: &[&[300], &[200]], ..FAILING },
];

#[test]
fn virtual_disk() {
    KINDS[..3].iter().for_each(campaign::run);
}

#[test]
fn virtual_disk_of_other_shapes() {
    KINDS[3..].iter().for_each(campaign::run);
}
