//! RAID-5: striping with rotating parity.

mod access;
mod extents;
mod flow;
mod method;
mod parity;
mod planning;
mod redundancy;
mod stripe_map;
mod target;
#[cfg(test)]
mod tests;

use super::array::{alike, bit, stripe_unit, Array, ArrayCounts, MOST_DEVICES, RECOVERY, STRIPE_UNIT_KIB};
use super::per_job::PerJob;
use super::shared_bus::SHARED_BUS;
use super::stripe::too_large;
use super::{Kept, Members, Promises, RoleRow, Start, VolumeKind, VolumeRow};
use crate::counts::counts;
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use access::Access;
use extents::Extents;
use method::Method;
use stripe_map::StripeMap;

/// Entry of RAID-5 in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "raid5",
    "RAID-5: striping with rotating parity (left-symmetric); survives the loss of one device, and \
         rebuilds its replacement. Write hole: data of stripes being written can be lost if power fails \
         while degraded, or if a device fails before parity is resynchronised after a power failure",
    VolumeKind {
        roles: &[RoleRow {
            alike: true,
            ..RoleRow::devices("the devices with data and parity; the array keeps its own state in the last sector of each device")
        }],
        counters: &[Counts::COUNTERS, ArrayCounts::COUNTERS],
        promises: Promises {
            options: "stripe_unit_kib=4",
            members: &[&[83, 83, 83, 83, 83]],
            start: Start::Zeros,
            // The largest request covers more than two stripes.
            largest: 80,
            metadata: 0.1,
            after_power: |down| if down.is_empty() { Kept::All } else { Kept::AllIfQuiet },
            after_failure: |_, down| if down.is_empty() { Kept::All } else { Kept::Refused },
            failures: true,
        },
        build: |options, members| Ok(Box::new(Raid5::new(options, members)?)),
    },
)
.options(&[
    &[
        OptionRow::whole("devices", "5", [3, MOST_DEVICES], "number of devices, all of one size"),
        STRIPE_UNIT_KIB,
        method::OPTION,
        method::MERGE_GAP,
    ],
    RECOVERY,
    SHARED_BUS,
]);

counts! {
    /// Counts of a RAID-5, besides the counts that every array has.
    Counts {
        /// writes to a stripe row (sectors that share parity) that first read the old data and the old parity
        rmw_writes: u64,
        /// writes to a stripe row that first read the unchanged data of the row (reconstruct-write)
        reconstruct_writes: u64,
        /// writes of a whole stripe row, for which nothing is read first
        full_writes: u64,
        /// writes to a stripe row that first read all other members, to reconstruct data of the missing member
        everything_writes: u64,
        /// writes to a stripe row without a write of its parity, because the parity is on the missing member
        no_parity_writes: u64,
        /// reads of data on the missing member, which were reconstructed from all other members
        degraded_reads: u64,
        /// accesses that waited for other accesses to the same stripe rows
        accesses_waited: u64,
    }
}

impl Counts {
    /// The counter of the writes that use the method `method`.
    fn writes(&mut self, method: Method) -> &mut u64 {
        match method {
            Method::NoParity => &mut self.no_parity_writes,
            Method::Full => &mut self.full_writes,
            Method::Rmw => &mut self.rmw_writes,
            Method::Reconstruct => &mut self.reconstruct_writes,
            Method::Everything => &mut self.everything_writes,
        }
    }
}

/// A volume with striping and rotating parity.
///
/// Each request is one access, and so is each piece of a rebuild or resynchronisation. An access first reads and then
/// writes, with at most one part per device if its ranges there touch or are near: data of consecutive stripes are
/// neighbours on a device. Accesses that write or reconstruct wait for one another where their sectors overlap, because
/// parity spans all devices; plain reads do not wait. A small write reads old data and old parity in parallel, then
/// writes new data and new parity in parallel, and is complete when both are written. The device decides if that takes
/// one pass of the sled (001-F26).
#[derive(Clone)]
pub(super) struct Raid5 {
    array: Array,
    layout: StripeMap,
    stripes: u64,
    /// Method by which all writes compute parity; `None` if the volume chooses the method for each write (write=auto).
    preferred: Option<Method>,
    accesses: PerJob<Access>,
    /// Ranges of sectors that the access which is being started must read or write; empty otherwise.
    wanted: Extents,
    counts: Counts,
}

impl Raid5 {
    fn new(options: &Options, members: &Members) -> Result<Self> {
        let (devices, unit) = (&members[0], stripe_unit(options)?);
        let size = alike(devices)?;
        let gap = options.whole("merge_gap_kib")? * 1024 / SECTOR_BYTES;
        let stripes = (size - 1) / unit;
        ensure!(stripes > 0, too_large("raid5", options, size - 1));
        Ok(Self {
            array: Array::new(options, devices, stripes * unit, unit, false)?,
            layout: StripeMap { devices: devices.len() as u64, unit, gap },
            stripes,
            preferred: method::preferred(options)?,
            accesses: PerJob::default(),
            wanted: Extents::default(),
            counts: Counts::default(),
        })
    }

    /// True if the device `device` has correct data and parity in the stripe `stripe`.
    fn usable(&self, device: u32, stripe: u64) -> bool {
        let states = &self.array.states;
        let (out, filled) = (states.out & bit(device) != 0, states.unfilled() & bit(device) != 0);
        !out || filled && self.array.pass.has_passed((stripe + 1) * self.layout.unit)
    }
}
