//! Striping with rotating parity: RAID-5.

mod access;
mod catch_up;
mod counts;
mod extents;
mod flow;
mod layout;
#[cfg(test)]
mod model;
mod parity;
mod plan;
mod target;
#[cfg(test)]
mod tests;

use super::array::{
    alike, bit, count, devices, failed, intent_s, stripe_unit, Intent, Notes, Pass, PerJob, States,
    FAILED_DEVICE, INTENT_S, REBUILD_MB_S, REPLACED, STRIPE_UNIT_KIB,
};
use super::stripe::too_large;
use super::{FindNote, Io, Job, Members, Part, Ranges, RoleRow, Volume, VolumeRequest, VolumeRow};
use crate::error::{Error, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::Time;
use access::Access;
use counts::Counts;
use extents::Extents;
use layout::Layout;
use plan::Preference;

/// Its row.
pub(super) const ROW: VolumeRow = VolumeRow {
    name: "raid5",
    alias: None,
    description: "stripe units on each device in turn, with parity that rotates (left-symmetric): goes on without one \
                  device, and fills the one that comes in its place (001-F25, 001-F27). Power lost while a device \
                  is missing may cost what it held of stripes being written, and so may a device that fails before \
                  the parity is in step again after a loss of power",
    options: &[
        OptionRow {
            name: "devices",
            unit: "",
            default: "5",
            description: "how many devices, all alike, 3 at least (001-F27: 5)",
        },
        STRIPE_UNIT_KIB,
        plan::OPTION,
        plan::MERGE_GAP,
        FAILED_DEVICE,
        REPLACED,
        REBUILD_MB_S,
        INTENT_S,
    ],
    roles: &[RoleRow {
        name: "device",
        default: "osdi00",
        description: "what holds data and parity in turn; its last sector is the array's own",
        count: count::<3>, alike: true,
    }],
    build: |options, members| Ok(Box::new(Raid5::new(options, members)?)),
};

/// The token of the pass, when it is woken.
const PASS: u64 = 0;
/// The token of regions to be forgotten.
const TICK: u64 = 1;
/// The tag of a note on its way.
const NOTE: u64 = 1;

/// Striping with rotating parity.
///
/// A request is one access, and so is a piece of the pass. Of each device it reads at most once, and then writes at most
/// once, what touches or lies near: strips of consecutive stripes are neighbours on a device. Accesses that write, or
/// put data together, wait for one another where their rows overlap, as parity goes over all devices; plain reads do
/// not wait. A small write reads the old data and the old parity at once, then writes both at once, and is complete
/// when both are written; whether a device can do that in one pass (001-F26) is its own affair.
pub(super) struct Raid5 {
    layout: Layout,
    stripes: u64,
    preference: Preference,
    states: States,
    ranges: Ranges,
    accesses: PerJob<Access>,
    /// What the access that sets off wants; nothing between.
    wanted: Extents,
    notes: Notes,
    pass: Pass,
    /// Whether the parity may be wrong where the intent is dirty.
    differ: bool,
    ready: Vec<u64>,
    counts: Counts,
}

impl Raid5 {
    fn new(options: &Options, members: &Members) -> Result<Self> {
        let (devices, unit) = (devices(options, 3)?, stripe_unit(options)?);
        let size = alike("raid5", &members[0])?;
        let gap = options.whole_within("merge_gap_kib", 0, 1 << 20)? * 1024 / SECTOR_BYTES;
        let stripes = (size - 1) / unit;
        if stripes == 0 {
            return Err(too_large("raid5", options, size - 1));
        }
        let rows = stripes * unit;
        let intent = intent_s(options)?.map(|kept_s| Intent::new(rows, kept_s));
        Ok(Self {
            layout: Layout { devices: u64::from(devices), unit, gap },
            stripes,
            preference: plan::preference(options)?,
            states: States::new(devices, failed(options, devices)?),
            ranges: Ranges::new(unit.next_power_of_two()),
            accesses: PerJob::new(),
            wanted: Extents::default(),
            notes: Notes::new(size - 1, NOTE, intent),
            pass: Pass::new(rows, unit, options)?,
            differ: false,
            ready: Vec::new(),
            counts: Counts::default(),
        })
    }

    /// Whether a device holds what it should in a stripe.
    fn usable(&self, device: u32, stripe: u64) -> bool {
        let (out, filled) = (self.states.out & bit(device) != 0, self.states.unfilled() & bit(device) != 0);
        !out || filled && self.pass.has_passed((stripe + 1) * self.layout.unit)
    }

    fn note(&mut self, io: &mut Io) {
        self.notes.write(self.states.present(), self.states.out_noted(), io);
    }

    fn noted(&mut self, now: Time, member: u32, io: &mut Io) {
        let mut ready = std::mem::take(&mut self.ready);
        if let Some((out, again)) = self.notes.came_back(now, member, io, &mut ready) {
            self.states.noted(out);
            if self.states.unfilled() == 0 && self.pass.left() == 0 {
                self.pass.stop();
            }
            if again {
                self.note(io);
            }
        }
        for job in ready.drain(..) {
            self.read_old(now, Job(job as u32), io);
        }
        self.ready = ready;
    }

    /// Sees to it that regions are forgotten some time.
    fn tick_later(&mut self, now: Time, io: &mut Io) {
        if let Some(at) = self.notes.intent.as_mut().and_then(|intent| intent.tick_at(now)) {
            io.wake(at, TICK);
        }
    }
}

impl Volume for Raid5 {
    fn sectors(&self) -> u64 {
        self.stripes * self.layout.unit * self.layout.columns()
    }

    fn begin(&mut self, now: Time, io: &mut Io) {
        if self.differ {
            self.note(io);
        }
        self.start_pass(now, io);
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        self.ask(now, job, request, io);
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        if part.tag == NOTE {
            return self.noted(now, part.member, io);
        }
        self.came_back(now, part, io);
    }

    fn promoted(&mut self, _now: Time, job: Job, io: &mut Io) {
        self.hurry(job, io);
    }

    fn woken(&mut self, now: Time, token: u64, io: &mut Io) {
        if token == PASS {
            self.pass.woken();
            return self.next_piece(now, io);
        }
        let Some(intent) = &mut self.notes.intent else { return };
        let forgotten = intent.tick(self.differ);
        self.tick_later(now, io);
        if forgotten {
            self.note(io);
        }
    }

    fn fail(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        if self.states.out & !bit(member) != 0 {
            return Err(Error::Parameter(format!(
                "raid5: device {member} has failed, and another one is not in order: one can be missing at most"
            )));
        }
        self.fail_member(now, member, io);
        Ok(())
    }

    fn replace(&mut self, now: Time, member: u32, io: &mut Io) {
        self.states.replace(member);
        self.start_pass(now, io);
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        if let Some(out) = self.notes.recover(self.states.present(), read) {
            self.states.recover(out);
        }
        self.differ = true;
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        self.sums()
    }
}
