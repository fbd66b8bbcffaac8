//! The kinds of volumes that are tried, and what each promises.

use std::sync::LazyLock;

use sledsim::volume::{Kept, Promises, Start, VOLUMES};

use crate::{cache, campaign, merge, metadata, mirror, raid5, stripe, virtual_disk, write_buffer};

/// One kind of volume, with the options and members with which it is tried.
#[derive(Clone, Copy)]
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

impl Kind {
    /// The volume as the promises in its row have it.
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

/// Kinds with options that matter, each of which its own file tries.
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

/// All other volumes, each as its row has it.
static OTHERS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let is_other = |name| SEVERAL.iter().all(|kind| kind.volume != name);
    let names = VOLUMES.built_in().iter().map(|row| row.name);
    names.filter(|name| is_other(*name)).map(Kind::of).collect()
});

/// Every kind that is tried.
pub static KINDS: LazyLock<Vec<&'static Kind>> =
    LazyLock::new(|| SEVERAL.iter().copied().chain(OTHERS.iter()).collect());

#[test]
fn volumes_without_a_file_here_keep_the_promises_of_their_row() {
    assert!(OTHERS.iter().any(|kind| kind.volume == "single"));
    OTHERS.iter().for_each(campaign::run);
}
