//! The kinds of volumes that are tried, and what each promises.

use sledsim::volume::VOLUMES;

use crate::{cache, merge, metadata, mirror, raid5, single, sleds, stripe, virtual_disk, write_buffer};

/// What of the data that were acknowledged is still there after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All.
    All,
    /// All, if no write was in flight.
    AllIfQuiet,
    /// Of each sector this version or an earlier one.
    PerhapsOlder,
    /// This version or an earlier one of each sector that was ever read or written as metadata; all of the others.
    MetadataPerhapsOlder,
    /// What was written as metadata, once the volume has started again over an empty member; it says that it cannot go
    /// on as it is.
    OnlyMetadata,
    /// Nothing: the volume says that it cannot go on.
    Refused,
}

/// What the members hold before the first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Zeros: those of an array agree.
    Zeros,
    /// The sectors of the volume lie on this member, each in its own place; the other members hold rubbish.
    Home(u32),
}

/// One kind of volume, with the options and members with which it is tried.
pub struct Kind {
    /// Its name in `VOLUMES`.
    pub volume: &'static str,
    /// Its options, as users give them.
    pub options: &'static str,
    /// Sectors of the members, by role: a few hundred, so that every corner is reached.
    pub members: &'static [&'static [u64]],
    /// What the members hold at first.
    pub start: Start,
    /// Sectors of the largest request.
    pub largest: u32,
    /// Which part of the requests is for metadata.
    pub metadata: f64,
    /// What is kept when the power is lost while these members are down, or not filled again.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// What is kept when a member fails while others are down or not filled again. It comes back empty, some time
    /// later. After a loss of power none fails before the volume is in step again: see [`LEFT`].
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// Whether members fail in the middle of histories; in the end one does.
    pub failures: bool,
    /// Sectors to be read and checked, over all histories.
    pub reads: u64,
    /// Counts of the volume that must not be zero in the end: paths that must have been taken.
    pub reached: &'static [&'static str],
}

/// Counts of sectors that a volume has still to fill after a member was replaced, and to bring in step after a loss
/// of power.
pub const LEFT: [&str; 2] = ["rebuild_left_sectors", "resync_left_sectors"];

/// Every kind that is tried: those of one file together.
pub const KINDS: &[&[Kind]] = &[
    single::KINDS,
    sleds::KINDS,
    stripe::KINDS,
    mirror::KINDS,
    raid5::KINDS,
    write_buffer::KINDS,
    metadata::KINDS,
    virtual_disk::KINDS,
    cache::KINDS,
    merge::KINDS,
];

#[test]
fn every_volume_is_tried() {
    for row in VOLUMES.rows() {
        assert!(KINDS.iter().any(|kinds| kinds.iter().any(|kind| kind.volume == row.name)), "{}", row.name);
    }
}
