//! The way of a request, or of a piece of the pass, through a mirror.

use std::ops::Range;

use super::{Entry, Mirror, Work};
use crate::error::{Error, Result};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{bit, each, Array, Redundant};
use crate::volume::{Hold, Io, Job, Part, Ticket, VolumeRequest};

impl Mirror {
    fn read(&mut self, job: Job, io: &mut Io) {
        let Entry { sector, sectors, .. } = *self.entries.of(job);
        let end = sector + u64::from(sectors);
        let Array { states, pass, .. } = &self.array;
        let unsure =
            self.array.differ && end > pass.passed() && self.array.is_dirty(sector, u64::from(sectors));
        let filled = if pass.has_passed(end) { states.unfilled() } else { 0 };
        let able = if unsure { self.source() } else { states.in_step() | filled };
        let member = self.choice.choose(able, sector, end, io);
        self.degraded_reads += u64::from(self.array.states.out != 0);
        self.send(job, member, Op::Read, io);
    }

    /// The member, as a set, whose copy counts.
    fn source(&self) -> u64 {
        let able = self.array.states.in_step();
        able & able.wrapping_neg()
    }

    /// A piece has been read: it is written to all others, whether they lack it or not.
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

    /// The last part of a job has come back.
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
        self.writes_waited += u64::from(!self.wait(now, job, rows, Hold::Alone, io));
    }

    fn begin_piece(&mut self, now: Time, rows: Range<u64>, io: &mut Io) {
        let (job, sectors) = (io.begin(), (rows.end - rows.start) as u32);
        let entry = Entry { work: Work::PieceRead, sector: rows.start, sectors, ..Entry::default() };
        *self.entries.of(job) = entry;
        self.wait(now, job, rows, Hold::Alone, io);
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
        Err(Error::Parameter(format!(
            "mirror: device {member} has failed, and no other has all the data: take more devices"
        )))
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
        vec![("degraded_reads", self.degraded_reads as f64), ("writes_waited", self.writes_waited as f64)]
    }
}
