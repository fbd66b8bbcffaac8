//! The volume for metadata on a MEMS device beside a disk, alone and together with a write buffer.

use std::sync::LazyLock;

use sledsim::volume::{Kept, Start};

use crate::campaign;
use crate::kinds::Kind;

const PATHS: &[&str] = &[
    "metadata_requests",
    "metadata_hits",
    "metadata_area_sectors",
    "other_sectors",
    "moved_sectors",
    "table_pages_written",
    "flushed_sectors",
    "unflushed_sectors",
    "failures_when_clean",
];

/// Counts that kinds with a table in memory must reach; these kinds write no table to the device.
const IN_MEMORY: &[&str] = &[
    "metadata_requests",
    "metadata_hits",
    "metadata_area_sectors",
    "other_sectors",
    "moved_sectors",
    "flushed_sectors",
    "unflushed_sectors",
    "failures_when_clean",
];

fn table() -> Kind {
    Kind { reads: 200_000, reached: PATHS, ..Kind::of("metadata") }
}

/// Data that survive the failure of the disk: only metadata if the MEMS device is there, which must have room for all
/// of them; else the volume stops.
fn without_disk(down: &[u32]) -> Kept {
    if down.is_empty() {
        Kept::OnlyMetadata
    } else {
        Kept::Refused
    }
}

/// Data that survive the failure of a member, if any data may be lost with the MEMS device (then older versions may be
/// found); without the disk the volume stops.
const ANY_MAY_BE_OLDER: fn(u32, &[u32]) -> Kept =
    |member, _| if member == 0 { Kept::Refused } else { Kept::PerhapsOlder };

/// Data that survive the failure of a member, if only metadata may be lost with the MEMS device (then older versions
/// may be found); without the disk the volume stops.
const ANY_METADATA_MAY_BE_OLDER: fn(u32, &[u32]) -> Kept =
    |member, _| if member == 0 { Kept::Refused } else { Kept::MetadataPerhapsOlder };

fn both() -> Kind {
    Kind {
        volume: "metadata+write-buffer",
        options: "metadata_mb=0.07,unit_kib=1,at_start=disk,flush_every_s=0.05,buffer_mb=0.05,segment_kib=8",
        after_failure: ANY_MAY_BE_OLDER,
        ..table()
    }
}

/// Kinds for metadata, most of which lose no data in a power failure. A failure of the MEMS device loses metadata that
/// are not flushed, and data of the write buffer that are not cleaned.
pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        table(),
    Kind {
        options: "metadata_mb=0.05,unit_kib=1,at_start=disk,flush_every_s=0.01",
        after_failure: |member, _| if member == 0 { Kept::Refused } else { Kept::MetadataPerhapsOlder },
        reached: &["units_without_room", "fetched_sectors"],
        ..table()
    },
    Kind {
        options: "metadata_mb=0.18,mapping=direct,unit_kib=1,zone_kib=3,zone_every_kib=7,at_start=disk,flush_every_s=0.1",
        after_failure: ANY_MAY_BE_OLDER,
        ..table()
    },
    Kind {
        options: "metadata_mb=0.18,unit_kib=16,flush_every_s=0.1",
        start: Start::Zeros,
        after_failure: |member, down| if member == 0 { without_disk(down) } else { Kept::PerhapsOlder },
        reached: &["starts_with_metadata_only", "metadata_hits", "flushed_sectors", "failures_when_clean"],
        ..table()
    },
    // All places are computed: one write of a table records that.
    Kind {
        options: "metadata_mb=0.18,mapping=direct,unit_kib=1,zone_kib=3,zone_every_kib=7,flush_every_s=0.1",
        start: Start::Zeros,
        after_failure: ANY_MAY_BE_OLDER,
        ..table()
    },
    // The table is lost with the power, together with unflushed data.
    Kind {
        options: "metadata_mb=0.18,unit_kib=2,table=memory,at_start=disk,flush_every_s=0.05",
        after_power: |_| Kept::MetadataPerhapsOlder,
        after_failure: ANY_METADATA_MAY_BE_OLDER,
        reached: IN_MEMORY,
        ..table()
    },
    Kind {
        options: "metadata_mb=0.18,mapping=direct,table=memory,unit_kib=1,zone_kib=3,zone_every_kib=7,flush_every_s=0.1",
        start: Start::Zeros,
        after_power: |_| Kept::PerhapsOlder,
        after_failure: ANY_MAY_BE_OLDER,
        reached: IN_MEMORY,
        ..table()
    },
        both(),
    Kind {
        options: "metadata_mb=0.16,unit_kib=1,at_start=disk,flush_every_s=0.2,buffer_mb=0.05,segment_kib=16",
        members: &[&[300], &[420]],
        after_failure: |member, down| if member == 0 { without_disk(down) } else { Kept::PerhapsOlder },
        reached: &["starts_with_metadata_only", "cleaned_sectors", "flushed_sectors", "failures_when_clean"],
        ..both()
    },
    Kind {
        options: "metadata_mb=0.07,unit_kib=4,buffer_mb=0.05,segment_kib=8,acknowledge=memory,flush_every_s=0.2",
        start: Start::Zeros,
        after_power: |_| Kept::PerhapsOlder,
        ..both()
    },
    Kind {
        options: "metadata_mb=0.07,unit_kib=1,table=memory,at_start=disk,flush_every_s=0.05,buffer_mb=0.05,segment_kib=8",
        after_power: |_| Kept::MetadataPerhapsOlder,
        reached: IN_MEMORY,
        ..both()
    },]
});

#[test]
fn metadata_in_a_table() {
    campaign::run(&KINDS[0]);
}

#[test]
fn metadata_in_a_table_that_is_full() {
    campaign::run(&KINDS[1]);
}

#[test]
fn metadata_in_zones() {
    campaign::run(&KINDS[2]);
}

#[test]
fn metadata_that_have_been_there() {
    campaign::run(&KINDS[3]);
}

#[test]
fn metadata_in_zones_that_have_been_there() {
    campaign::run(&KINDS[4]);
}

#[test]
fn metadata_in_a_table_in_memory() {
    campaign::run(&KINDS[5]);
}

#[test]
fn metadata_in_zones_in_memory() {
    campaign::run(&KINDS[6]);
}

#[test]
fn metadata_and_a_write_buffer() {
    campaign::run(&KINDS[7]);
}

#[test]
fn metadata_and_a_write_buffer_after_the_disk() {
    campaign::run(&KINDS[8]);
}

#[test]
fn metadata_and_a_write_buffer_in_memory() {
    campaign::run(&KINDS[9]);
}

#[test]
fn metadata_in_memory_and_a_write_buffer() {
    campaign::run(&KINDS[10]);
}
