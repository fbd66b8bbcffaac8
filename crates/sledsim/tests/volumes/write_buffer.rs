//! A write buffer on a MEMS device before a disk.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

const PATHS: &[&str] = &[
    "log_read_sectors",
    "disk_read_sectors",
    "bypassed_sectors",
    "overwritten_sectors",
    "cleaned_segments",
    "tail_moves",
    "confirmations",
    "dirty_sectors",
    "failures_when_clean",
];

const LOG: Kind = Kind {
    volume: "write-buffer",
    options: "buffer_mb=0.05,segment_kib=16",
    members: &[&[300], &[120]],
    start: Start::Home(0),
    largest: 24,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |member, _| if member == 0 { Kept::Refused } else { Kept::PerhapsOlder },
    failures: true,
    reads: 400_000,
    reached: PATHS,
};

/// With `acknowledge=log` whatever was acknowledged is there after a loss of power. What was only in the log is lost
/// with the MEMS device; without the disk nothing goes on.
pub const KINDS: &[Kind] = &[
    LOG,
    Kind { options: "buffer_mb=0.06,segment_kib=8,clean_after_ms=0,clean_above=0.3,clean_to=0.1", ..LOG },
    Kind {
        options: "buffer_mb=0.05,acknowledge=memory,clean_after_ms=2,clean_idle_to=0.4",
        after_power: |_| Kept::PerhapsOlder,
        ..LOG
    },
];

#[test]
fn write_buffers_that_fill_up() {
    campaign::run(&KINDS[0]);
}

#[test]
fn write_buffers_that_are_cleaned_early() {
    campaign::run(&KINDS[1]);
}

#[test]
fn write_buffers_that_acknowledge_in_memory() {
    campaign::run(&KINDS[2]);
}
