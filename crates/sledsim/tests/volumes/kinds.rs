//! The kinds of volumes under test, with the data that each promises to keep.

use std::sync::LazyLock;

use sledsim::volume::{Kept, Promises, Start, VOLUMES};

use crate::{cache, campaign, merge, metadata, mirror, raid5, stripe, virtual_disk, write_buffer};

/// A kind of volume under test, with its options and the sizes of its members.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Name of the volume in `VOLUMES`.
    pub volume: &'static str,
    /// Options of the volume, as users give them.
    pub options: &'static str,
    /// Sizes of the members in sectors, by role: a few hundred, so that requests often meet the same data and borders.
    pub members: &'static [&'static [u64]],
    /// Initial contents of the members.
    pub start: Start,
    /// Largest number of sectors of a request.
    pub largest: u32,
    /// Fraction of the requests that access metadata.
    pub metadata: f64,
    /// Data that survive a power failure while the members `down` are down or being rebuilt.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// Data that survive the failure of a member while the members `down` are down or being rebuilt. An empty member
    /// replaces the failed one some time later. After a power failure, no member fails before the volume has
    /// resynchronised (see [`LEFT`]).
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// True if members also fail during the requests of a history, and not only at its end.
    pub failures: bool,
    /// Number of sectors to read and check at least, over all histories.
    pub reads: u64,
    /// Counts of the volume that must be above 0 at the end: they show that the tests reach these parts of the code.
    pub reached: &'static [&'static str],
}

/// Counts of the sectors that a volume still has to rebuild after the replacement of a member, and to resynchronise
/// after a power failure.
pub const LEFT: [&str; 2] = ["rebuild_left_sectors", "resync_left_sectors"];

impl Kind {
    /// The kind of volume with this name, with the promises that the table of volumes states.
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

/// Kinds of volumes that have a test file of their own, because their options matter.
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

/// All other volumes, with the promises that the table of volumes states.
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
