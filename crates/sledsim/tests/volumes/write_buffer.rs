//! A write buffer: a log on a MEMS device before a disk.

use std::sync::LazyLock;

use sledsim::volume::Kept;

use crate::campaign;
use crate::kinds::Kind;

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

fn log() -> Kind {
    Kind { reads: 400_000, reached: PATHS, ..Kind::of("write-buffer") }
}

/// Kinds of write buffers. With `acknowledge=log`, acknowledged data survive a power failure. If the MEMS device fails,
/// data that are only in the log are lost; without the disk the volume stops.
pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        log(),
        Kind {
            options: "buffer_mb=0.06,segment_kib=8,clean_after_ms=0,clean_above=0.3,clean_to=0.1",
            ..log()
        },
        Kind {
            options: "buffer_mb=0.05,acknowledge=memory,clean_after_ms=2,clean_idle_to=0.4",
            after_power: |_| Kept::PerhapsOlder,
            ..log()
        },
    ]
});

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
