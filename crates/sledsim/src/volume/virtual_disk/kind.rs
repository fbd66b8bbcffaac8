//! Entry of the virtual disk in the table of volumes.

use super::segment_table::Table;
use super::shape::Shape;
use super::slot::Slot;
use super::{Counts, VirtualDisk};
use crate::error::{ensure, Result};
use crate::hashing::ByNumber;
use crate::options::{OptionRow, Options};
use crate::volume::links::{Links, List};
use crate::volume::per_job::PerJob;
use crate::volume::replacement::{self, POLICY};
use crate::volume::shared_bus::SHARED_BUS;
use crate::volume::waiting::Waiting;
use crate::volume::{Kept, Members, Promises, RoleRow, Start, Volume, VolumeKind, VolumeRow};

const OPTIONS: &[OptionRow] = &[
    OptionRow::whole(
        "segment_kib",
        "1024",
        [1, 1 << 20],
        "size of a segment, the unit in which the disk is cached",
    )
    .unit("KiB"),
    OptionRow::number(
        "cache_mb",
        "device",
        [0.0, f64::INFINITY],
        "size of the cache on the MEMS device; device: the whole MEMS device",
    )
    .unit("MB")
    .above()
    .or("device"),
    OptionRow::number(
        "size_ratio",
        "device",
        [0.0, 1.0],
        "size of the cache on the MEMS device, as a fraction of the disk's size; device: the whole MEMS device",
    )
    .above()
    .or("device"),
    POLICY,
    OptionRow::number(
        "dirty_low",
        "5",
        [0.0, 100.0],
        "share of all slots that may be dirty; above this share, segments are written back while the disk is idle",
    )
    .unit("%"),
    OptionRow::number(
        "dirty_high",
        "80",
        [0.0, 100.0],
        "share of all slots that may be dirty; above this share, segments are written back even while requests wait",
    )
    .unit("%"),
];

const ROLES: &[RoleRow] = &[
    RoleRow::one("disk", "atlas10k", "the disk behind the cache"),
    RoleRow::one("mems", "hong03", "the MEMS device that caches the disk and serves all requests"),
];

/// Entry of the virtual disk in the table of volumes.
pub const ROW: VolumeRow = VolumeRow::new(
    "virtual-disk",
    "disk behind a MEMS device that caches segments of the disk; a segment is copied to the MEMS device when a request needs it",
    VolumeKind {
        roles: ROLES,
        counters: &[Counts::COUNTERS],
        promises: Promises {
            options: "segment_kib=4",
            members: &[&[300], &[51]],
            start: Start::Home(0),
            largest: 24,
            metadata: 0.1,
            after_power: |_| Kept::All,
            after_failure: |member, _| if member == 0 { Kept::Refused } else { Kept::PerhapsOlder },
            failures: false,
        },
        build,
    },
)
.source("003-F9")
.options(&[OPTIONS, SHARED_BUS]);

fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let shape = Shape::new(options, members)?;
    let make_policy = replacement::named(options)?;
    let (low, high) = (options.number("dirty_low")?, options.number("dirty_high")?);
    ensure!(low <= high, options.fault("dirty_low", &format!("at most {high}, the value of dirty_high")));
    let of_slots = |share: f64| (share / 100.0 * f64::from(shape.slots)) as usize;
    Ok(Box::new(VirtualDisk {
        shape,
        make_policy,
        policy: make_policy(shape.slots),
        places: ByNumber::default(),
        slots: vec![Slot::default(); shape.slots as usize],
        empty: (0..shape.slots).rev().collect(),
        table: Table::new(shape.slots),
        pieces: Waiting::default(),
        open: PerJob::default(),
        starved: List::default(),
        dirty: List::default(),
        links: Links::new(shape.slots as usize),
        cleaned: [None; 2],
        dirty_low: of_slots(low),
        dirty_high: of_slots(high),
        disk_parts: 0,
        stragglers: 0,
        epoch: 0,
        is_without_mems: false,
        held: List::default(),
        noted_slots: Vec::new(),
        counts: Counts::default(),
    }))
}
