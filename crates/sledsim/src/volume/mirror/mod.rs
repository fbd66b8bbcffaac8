//! Copies of the same data: RAID-1.

mod catch_up;
mod copy_selection;
mod requests;

use super::array::{
    alike, bit, devices, failed, intent_s, Intent, Notes, Pass, PerJob, States, FAILED_DEVICE, INTENT_S,
    MOST_DEVICES, REBUILD_MB_S, REPLACED,
};
use super::{
    FindNote, Hold, Io, Job, Members, Part, Ranges, RoleRow, Ticket, Volume, VolumeKind, VolumeRequest,
    VolumeRow,
};
use crate::error::{Error, Result};
use crate::options::{OptionRow, Options};
use crate::request::Op;
use crate::time::Time;
use copy_selection::Choice;

/// Its row.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "mirror",
    "RAID-1: the same data on each device; survives the loss of all but one, and rebuilds \
         replacements. A power failure loses nothing, but what was being written then may read \
         differently if a device fails before the copies are resynchronised",
    VolumeKind {
        roles: &[RoleRow {
            name: "device",
            default: "osdi00",
            description: "the devices with the copies; the last sector of each is the array's own",
            count: devices,
            alike: false,
        }],
        build: |options, members| Ok(Box::new(Mirror::new(options, members)?)),
    },
)
.aliases(&["raid1"])
.options(&[&[
    OptionRow::whole("devices", "2", [2, MOST_DEVICES], "number of copies, on devices of one size"),
    copy_selection::OPTION,
    FAILED_DEVICE,
    REPLACED,
    REBUILD_MB_S,
    INTENT_S,
]]);

/// Sectors that are brought in step at a time.
const PIECE: u64 = 128;
/// The token of the pass, when it is woken.
const PASS: u64 = 0;
/// The token of regions to be forgotten.
const TICK: u64 = 1;
/// The tag of a note on its way.
const NOTE: u64 = 1;

/// What a job is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Work {
    /// The job is over.
    #[default]
    None,
    Read,
    Write,
    /// A piece of the pass: it is read from one member, then written to others.
    PieceRead,
    PieceWrite,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    work: Work,
    sector: u64,
    sectors: u32,
    metadata: bool,
    /// Members with a part of it on its way.
    pending: u64,
    ticket: Option<Ticket>,
    /// Of a piece: a member has failed meanwhile, so it has to be done again.
    again: bool,
}

/// Copies of the same data.
///
/// Writes that overlap wait for one another, so that the copies agree. After a loss of power they may differ where
/// writes were in flight: until a pass has made them agree, such places are read from one member only.
pub(super) struct Mirror {
    sectors: u64,
    states: States,
    ranges: Ranges,
    entries: PerJob<Entry>,
    choice: Choice,
    notes: Notes,
    pass: Pass,
    /// Whether copies may differ that should not, where the intent is dirty.
    differ: bool,
    ready: Vec<u64>,
    degraded_reads: u64,
    waited: u64,
}

impl Mirror {
    fn new(options: &Options, members: &Members) -> Result<Self> {
        let devices = devices(options)?;
        let size = alike("mirror", &members[0])?;
        let states = States::new(devices, failed(options, devices)?);
        let sectors = size - 1;
        if sectors == 0 {
            return Err(Error::Parameter("mirror: expected devices of two sectors at least, found 1".into()));
        }
        let intent = intent_s(options)?.map(|kept_s| Intent::new(sectors, kept_s));
        Ok(Self {
            sectors,
            states,
            ranges: Ranges::new(PIECE),
            entries: PerJob::new(),
            choice: Choice::new(options, devices, sectors)?,
            notes: Notes::new(sectors, NOTE, intent),
            pass: Pass::new(sectors, PIECE, options)?,
            differ: false,
            ready: Vec::new(),
            degraded_reads: 0,
            waited: 0,
        })
    }
}

impl Volume for Mirror {
    fn sectors(&self) -> u64 {
        self.sectors
    }

    fn begin(&mut self, now: Time, io: &mut Io) {
        if self.differ {
            self.note(io);
        }
        if self.differ || self.states.unfilled() != 0 {
            self.pass.start();
        }
        self.go_on(now, io);
    }

    fn submit(&mut self, _now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        let work = if op == Op::Read { Work::Read } else { Work::Write };
        *self.entries.of(job) = Entry { work, sector, sectors, metadata, ..Entry::default() };
        if op == Op::Read {
            return self.read(job, io);
        }
        let range = sector..sector + u64::from(sectors);
        let (ticket, now) = self.ranges.enter(range, Hold::Alone, u64::from(job.0));
        self.entries.of(job).ticket = Some(ticket);
        self.waited += u64::from(!now);
        if now {
            self.enter(job, io);
        } else {
            self.hurry(job, io);
        }
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        if part.tag == NOTE {
            return self.noted(now, part.member, io);
        }
        let entry = self.entries.of(part.job);
        entry.pending &= !bit(part.member);
        if entry.pending == 0 {
            self.finish(now, part.job, io);
        }
    }

    fn promoted(&mut self, _now: Time, job: Job, io: &mut Io) {
        self.hurry(job, io);
    }

    fn woken(&mut self, now: Time, token: u64, io: &mut Io) {
        if token == PASS {
            self.pass.woken();
            return self.go_on(now, io);
        }
        let Some(intent) = &mut self.notes.intent else { return };
        let forgotten = intent.tick(self.differ);
        if let Some(at) = intent.tick_at(now) {
            io.wake(at, TICK);
        }
        if forgotten {
            self.note(io);
        }
    }

    fn fail(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        if self.states.in_step() & !bit(member) == 0 {
            return Err(Error::Parameter(format!(
                "mirror: device {member} has failed, and no other has all the data: take more devices"
            )));
        }
        self.fail_member(now, member, io);
        Ok(())
    }

    fn replace(&mut self, now: Time, member: u32, io: &mut Io) {
        self.states.replace(member);
        self.pass.start();
        self.go_on(now, io);
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        if let Some(out) = self.notes.recover(self.states.present(), read) {
            self.states.recover(out);
        }
        self.differ = true;
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        let rebuild = self.states.unfilled() != 0;
        let left = self.pass.left() as f64;
        vec![
            ("degraded_reads", self.degraded_reads as f64),
            ("writes_waited", self.waited as f64),
            ("notes_written", self.notes.written as f64),
            ("passed_sectors", self.pass.done as f64),
            // The last moment of it is when the others note that it is over.
            ("rebuild_left_sectors", if rebuild { left.max(1.0) } else { 0.0 }),
            ("resync_left_sectors", if rebuild { 0.0 } else { left }),
        ]
    }
}
