//! The row of the virtual disk in the table of volumes.

use super::shape::Shape;
use super::slot::Slot;
use super::table::Table;
use super::{Counts, VirtualDisk};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::volume::hashing::ByNumber;
use crate::volume::links::{Links, List};
use crate::volume::replacement::{self, POLICY};
use crate::volume::waiting::{Queue, Waiting};
use crate::volume::{Members, RoleRow, Volume, VolumeRow};

const OPTIONS: &[OptionRow] = &[
    OptionRow {
        name: "segment_kib",
        unit: "KiB",
        default: "1024",
        description: "what is brought to the MEMS device at a time, in KiB",
    },
    OptionRow {
        name: "cache_mb",
        unit: "MB",
        default: "device",
        description: "how much of the MEMS device is used, in MB; all of it if nothing is said",
    },
    OptionRow {
        name: "size_ratio",
        unit: "",
        default: "device",
        description: "how much of the MEMS device is used, as a part of the size of the disk",
    },
    POLICY,
    OptionRow {
        name: "dirty_low",
        unit: "%",
        default: "5",
        description: "share of segments that may be newer than on the disk when it is idle, in percent",
    },
    OptionRow {
        name: "dirty_high",
        unit: "%",
        default: "80",
        description: "share above which they are written back though requests wait, in percent",
    },
];

const ROLES: &[RoleRow] = &[
    RoleRow {
        name: "disk",
        default: "atlas10k",
        description: "holds what the MEMS device has no room for",
        count: |_| Ok(1),
        alike: false,
    },
    RoleRow {
        name: "mems",
        default: "hong03",
        description: "serves all requests",
        count: |_| Ok(1),
        alike: false,
    },
];

/// The row.
pub const ROW: VolumeRow = VolumeRow {
    name: "virtual-disk",
    alias: None,
    description: "a disk whose segments come to a MEMS device when they are wanted (003-F9)",
    options: OPTIONS,
    roles: ROLES,
    build,
};

fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let shape = Shape::new(options, members)?;
    let make_policy = replacement::named(options)?;
    let share =
        |name: &str| options.number(name, "a share from 0 to 100", |share| (0.0..=100.0).contains(&share));
    let (low, high) = (share("dirty_low")?, share("dirty_high")?);
    if low > high {
        return Err(options.fault("dirty_low", &format!("no more than dirty_high, {high}")));
    }
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
        open: Vec::new(),
        starved: Queue::default(),
        dirty: List::default(),
        links: Links::new(shape.slots as usize),
        cleaned: [None; 2],
        dirty_low: of_slots(low),
        dirty_high: of_slots(high),
        disk_parts: 0,
        stragglers: 0,
        epoch: 0,
        is_without_mems: false,
        held: Queue::default(),
        told: Vec::new(),
        counts: Counts::default(),
    }))
}
