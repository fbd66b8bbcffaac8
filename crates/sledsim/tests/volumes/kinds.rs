//! The kinds of volumes under test, and their promises.

use std::sync::LazyLock;

use sledsim::volume::{Kept, Promises, Start, VOLUMES};

use crate::{cache, campaign, merge, metadata, mirror, raid5, stripe, virtual_disk, write_buffer};

/// A kind of volume, with its options and members in the test.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Name of the volume in `VOLUMES`.
    pub volume: &'static str,
    /// Options of the volume, as users give them.
    pub options: &'static str,
    /// Number of sectors of the members, by role: a few hundred, so that every corner is reached.
    pub members: &'static [&'static [u64]],
    /// Initial contents of the members.
    pub start: Start,
    /// Number of sectors of the largest request.
    pub largest: u32,
    /// Fraction of the requests that are for metadata.
    pub metadata: f64,
    /// Data kept when the power is lost while these members are down, or not filled again.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// Data kept when a member fails while others are down or not filled again. An empty member returns some time
    /// later. After a power failure none fails before the volume is in step again: see [`LEFT`].
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// True if members fail in the middle of histories; in the end one does.
    pub failures: bool,
    /// Number of sectors to be read and checked, over all histories.
    pub reads: u64,
    /// Counts of the volume that must be positive in the end: paths that must have been taken.
    pub reached: &'static [&'static str],
}

/// Counts of sectors that a volume has still to fill after a member was replaced, and to resynchronise after a power
/// failure.
pub const LEFT: [&str; 2] = ["rebuild_left_sectors", "resync_left_sectors"];

impl Kind {
    /// The volume with the promises of its row.
    pub fn of(volume: &'static str) -> Self {
        let row = VOLUMES.find(volume).expect("a known volume");
        let Promises { options, members, start, largest, metadata, after_power, after_failure, failures } =
            row.make.promises;
        let (reads, reached) = (60_000, [].as_slice());
        Self {
            volume,
            options,
            members,
            start,
            largest,
            metadata,
            after_power,
            after_failure,
            failures,
            reads,
            reached,
        }
    }
}

/// Kinds with relevant options, each of which has its own test file.
static SEVERAL: LazyLock<Vec<&'static Kind>> = LazyLock::new(|| {
    let files = [
        &stripe::KINDS,
        &mirror::KINDS,
        &raid5::KINDS,
        &write_buffer::KINDS,
        &metadata::KINDS,
        &virtual_disk::KINDS,
        &cache::KINDS,
        &merge::KINDS,
    ];
    files.into_iter().flat_map(|kinds| kinds.iter()).collect()
});

/// All other volumes, each with the promises of its row.
static OTHERS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let is_other = |name| SEVERAL.iter().all(|kind| kind.volume != name);
    let names = VOLUMES.built_in().iter().map(|row| row.name);
    names.filter(|name| is_other(*name)).map(Kind::of).collect()
});

/// Every kind under test.
pub static KINDS: LazyLock<Vec<&'static Kind>> =
    LazyLock::new(|| SEVERAL.iter().copied().chain(OTHERS.iter()).collect());

#[test]
fn volumes_without_a_file_here_keep_the_promises_of_their_row() {
    assert!(OTHERS.iter().any(|kind| kind.volume == "single"));
    OTHERS.iter().for_each(campaign::run);
}
