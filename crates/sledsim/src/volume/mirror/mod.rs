//! The mirror (RAID-1): a volume whose members hold copies of the same data.

mod copy_selection;

use std::ops::Range;

use super::array::{alike, bit, each, Array, ArrayCounts, Redundant, MOST_DEVICES, RECOVERY};
use super::per_job::PerJob;
use super::shared_bus::SHARED_BUS;
use super::{
    Hold, Io, Job, Kept, Members, Part, Promises, RoleRow, Start, Ticket, VolumeKind, VolumeRequest,
    VolumeRow,
};
use crate::counts::counts;
use crate::error::{ensure, fault, Result};
use crate::options::{OptionRow, Options};
use crate::request::Op;
use crate::time::Time;
use copy_selection::Choice;

/// Entry of the mirror in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "mirror",
    "RAID-1: the same data on each device; survives while one device is left, and rebuilds replacements. A power failure loses no completed write, but data being written at that moment may read differently if a device fails before the copies are resynchronised",
    VolumeKind {
        roles: &[RoleRow::devices("the devices with the copies; the array keeps its own state in the last sector of each device")],
        counters: &[Counts::COUNTERS, ArrayCounts::COUNTERS],
        promises: Promises {
            options: "",
            members: &[&[301, 301]],
            start: Start::Zeros,
            largest: 24,
            metadata: 0.1,
            after_power: |_| Kept::All,
            after_failure: |_, down| if down.is_empty() { Kept::All } else { Kept::Refused },
            failures: true,
        },
        build: |options, members| Ok(Box::new(Mirror::new(options, members)?)),
    },
)
.aliases(&["raid1"])
.options(&[
    &[
        OptionRow::whole(
            "devices",
            "2",
            [2, MOST_DEVICES],
            "number of devices, each with a copy of the data; all devices have one size",
        ),
        copy_selection::OPTION,
    ],
    RECOVERY,
    SHARED_BUS,
]);

counts! {
    /// Counts of a mirror, besides the counts that every array has.
    Counts {
        /// reads served while a device was missing or not yet rebuilt
        degraded_reads: u64,
        /// writes that waited for other writes to the same sectors
        writes_waited: u64,
    }
}

/// Number of sectors of a piece: the rebuild or resynchronisation copies them with one read and one write of each other
/// member.
const PIECE: u64 = 128;
/// The kind of work that a job does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Work {
    /// The job is complete.
    #[default]
    None,
    Read,
    Write,
    /// A piece of the rebuild or resynchronisation is being read from one member; then it is written to the others.
    PieceRead,
    PieceWrite,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    work: Work,
    sector: u64,
    sectors: u32,
    metadata: bool,
    /// Set of the members that have a part of the job in flight, as bits.
    pending: u64,
    ticket: Option<Ticket>,
    /// True if the piece must be copied again, because a member failed during the copy.
    again: bool,
}

/// A volume whose members each hold a copy of all data.
///
/// Overlapping writes wait for one another, so that all copies end with the same data. After a power failure, copies
/// may differ where writes were in flight: there, data are read from one member only, until the resynchronisation has
/// made the copies equal.
#[derive(Clone)]
pub(super) struct Mirror {
    array: Array,
    sectors: u64,
    entries: PerJob<Entry>,
    choice: Choice,
    counts: Counts,
}

impl Mirror {
    fn new(options: &Options, members: &Members) -> Result<Self> {
        let devices = &members[0];
        let sectors = alike(devices)? - 1;
        ensure!(sectors > 0, "expected devices of at least two sectors, found devices of one sector");
        Ok(Self {
            array: Array::new(options, devices, sectors, PIECE, true)?,
            sectors,
            entries: PerJob::default(),
            choice: Choice::new(options, devices.len() as u32, sectors)?,
            counts: Counts::default(),
        })
    }

    fn send(&mut self, job: Job, member: u32, op: Op, io: &mut Io) {
        let entry = self.entries.of(job);
        entry.pending |= bit(member);
        let Entry { sector, sectors, metadata, .. } = *entry;
        io.submit(Part { member, sector, sectors, op, metadata, job, at: 0, tag: 0 });
    }

    fn read(&mut self, job: Job, io: &mut Io) {
        let Entry { sector, sectors, .. } = *self.entries.of(job);
        let end = sector + u64::from(sectors);
        let Array { states, pass, .. } = &self.array;
        let unsure =
            self.array.differ && end > pass.passed() && self.array.is_dirty(sector, u64::from(sectors));
        let filled = if pass.has_passed(end) { states.unfilled() } else { 0 };
        let able = if unsure { self.source() } else { states.in_step() | filled };
        let member = self.choice.choose(able, sector, end, io);
        self.counts.degraded_reads += u64::from(self.array.states.out != 0);
        self.send(job, member, Op::Read, io);
    }

    /// The member from which data are copied in a rebuild or resynchronisation, as a set of one bit.
    fn source(&self) -> u64 {
        let able = self.array.states.in_step();
        able & able.wrapping_neg()
    }

    /// Continues a piece that was read from one member: writes it to all other members, even to members that may
    /// already have the same data.
    fn piece_read(&mut self, now: Time, job: Job, io: &mut Io) {
        let entry = self.entries.of(job);
        entry.work = Work::PieceWrite;
        let targets = if entry.again { 0 } else { self.array.states.present() & !self.source() };
        for member in each(targets) {
            self.send(job, member, Op::Write, io);
        }
        if targets == 0 {
            self.finish(now, job, io);
        }
    }

    /// Ends a job after its last part has completed.
    fn finish(&mut self, now: Time, job: Job, io: &mut Io) {
        let Entry { work, sector, sectors, again, .. } = *self.entries.of(job);
        let sectors = u64::from(sectors);
        if work == Work::PieceRead {
            return self.piece_read(now, job, io);
        }
        self.entries.of(job).work = Work::None;
        if work == Work::PieceWrite {
            return self.piece_over(now, job, sectors, !again, io);
        }
        if work == Work::Write {
            self.array.leave_regions(now, sector, sectors, io);
        }
        self.over(now, job, io);
    }
}

impl Redundant for Mirror {
    fn array(&self) -> &Array {
        &self.array
    }

    fn array_mut(&mut self) -> &mut Array {
        &mut self.array
    }

    fn ticket(&mut self, job: Job) -> &mut Option<Ticket> {
        &mut self.entries.of(job).ticket
    }

    fn offered(&self) -> u64 {
        self.sectors
    }

    fn ask(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        let work = if op == Op::Read { Work::Read } else { Work::Write };
        *self.entries.of(job) = Entry { work, sector, sectors, metadata, ..Entry::default() };
        if op == Op::Read {
            return self.read(job, io);
        }
        let rows = sector..sector + u64::from(sectors);
        self.counts.writes_waited += u64::from(!self.wait(now, job, rows, Hold::Exclusive, io));
    }

    fn begin_piece(&mut self, now: Time, rows: Range<u64>, io: &mut Io) {
        let (job, sectors) = (io.begin(), (rows.end - rows.start) as u32);
        let entry = Entry { work: Work::PieceRead, sector: rows.start, sectors, ..Entry::default() };
        *self.entries.of(job) = entry;
        self.wait(now, job, rows, Hold::Exclusive, io);
    }

    fn entered(&mut self, now: Time, job: Job, io: &mut Io) {
        let Entry { work, sector, sectors, .. } = *self.entries.of(job);
        if work == Work::Write {
            return self.note_regions(now, job, sector, u64::from(sectors), io);
        }
        let source = self.source().trailing_zeros();
        self.send(job, source, Op::Read, io);
    }

    fn regions_noted(&mut self, _now: Time, job: Job, io: &mut Io) {
        for member in each(self.array.states.present()) {
            self.send(job, member, Op::Write, io);
        }
    }

    fn came_back(&mut self, now: Time, part: &Part, io: &mut Io) {
        let entry = self.entries.of(part.job);
        entry.pending &= !bit(part.member);
        if entry.pending == 0 {
            self.finish(now, part.job, io);
        }
    }

    fn spare(&self, member: u32) -> Result<()> {
        if self.array.states.in_step() & !bit(member) != 0 {
            return Ok(());
        }
        fault(format!("mirror: device {member} has failed, and no other device has all the data; raise the number of devices"))
    }

    fn without(&mut self, now: Time, member: u32, io: &mut Io) {
        for job in self.entries.jobs() {
            let entry = self.entries.of(job);
            if entry.work == Work::None || entry.pending & bit(member) == 0 {
                continue;
            }
            entry.pending &= !bit(member);
            entry.again = true;
            match entry.work {
                Work::Read => self.read(job, io),
                _ if entry.pending == 0 => self.finish(now, job, io),
                _ => {}
            }
        }
    }

    fn own_counts(&self) -> Vec<(&'static str, f64)> {
        self.counts.rows()
    }
}
