//! Striping with rotating parity: RAID-5.

mod access;
mod accessing;
mod catch_up;
mod counts;
mod extents;
mod flow;
mod method;
#[cfg(test)]
mod model;
mod parity;
mod planning;
mod stripe_map;
mod target;
#[cfg(test)]
mod tests;

use super::array::{
    alike, bit, devices, failed, intent_s, stripe_unit, Intent, Notes, Pass, PerJob, States, FAILED_DEVICE,
    INTENT_S, MOST_DEVICES, REBUILD_MB_S, REPLACED, STRIPE_UNIT_KIB,
};
use super::stripe::too_large;
use super::{
    FindNote, Io, Job, Members, Part, Ranges, RoleRow, Volume, VolumeKind, VolumeRequest, VolumeRow,
};
use crate::error::{Error, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::Time;
use access::Access;
use counts::Counts;
use extents::Extents;
use method::Method;
use method::Preference;
use stripe_map::StripeMap;

/// Its row.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "raid5",
    "RAID-5: striping with rotating parity (left-symmetric); survives the loss of one device, and \
         rebuilds its replacement. Write hole: data of stripes being written can be lost if power fails \
         while degraded, or if a device fails before parity is resynchronised after a power failure",
    VolumeKind {
        roles: &[RoleRow {
            name: "device",
            default: "osdi00",
            description: "the devices with data and parity; the last sector of each is the array's own",
            count: devices,
            alike: true,
        }],
        build: |options, members| Ok(Box::new(Raid5::new(options, members)?)),
    },
)
.options(&[&[
    OptionRow::whole("devices", "5", [3, MOST_DEVICES], "number of devices, all of one size"),
    STRIPE_UNIT_KIB,
    method::OPTION,
    method::MERGE_GAP,
    FAILED_DEVICE,
    REPLACED,
    REBUILD_MB_S,
    INTENT_S,
]]);

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
    layout: StripeMap,
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
        let (devices, unit) = (devices(options)?, stripe_unit(options)?);
        let size = alike("raid5", &members[0])?;
        let gap = options.whole("merge_gap_kib")? * 1024 / SECTOR_BYTES;
        let stripes = (size - 1) / unit;
        if stripes == 0 {
            return Err(too_large("raid5", options, size - 1));
        }
        let rows = stripes * unit;
        let intent = intent_s(options)?.map(|kept_s| Intent::new(rows, kept_s));
        Ok(Self {
            layout: StripeMap { devices: u64::from(devices), unit, gap },
            stripes,
            preference: method::preference(options)?,
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

impl Raid5 {
    /// The names and values for the summary of a run.
    pub(super) fn sums(&self) -> Vec<(&'static str, f64)> {
        let rebuild = self.states.unfilled() != 0;
        let left = self.pass.left() as f64;
        let method = |method: Method| self.counts.by_method[method as usize] as f64;
        vec![
            ("rmw_writes", method(Method::Rmw)),
            ("reconstruct_writes", method(Method::Reconstruct)),
            ("full_writes", method(Method::Full)),
            ("everything_writes", method(Method::Everything)),
            ("no_parity_writes", method(Method::NoParity)),
            ("degraded_reads", self.counts.mended as f64),
            ("accesses_waited", self.counts.waited as f64),
            ("notes_written", self.notes.written as f64),
            ("passed_sectors", self.pass.done as f64),
            // The last moment of it is when the others note that it is over.
            ("rebuild_left_sectors", if rebuild { left.max(1.0) } else { 0.0 }),
            ("resync_left_sectors", if rebuild { 0.0 } else { left }),
        ]
    }
}
