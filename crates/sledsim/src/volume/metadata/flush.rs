//! The flush: now and then changed metadata also go to the disk, when it is idle (003-F3, D5).

use super::table::{runs_of, Table};
use super::work::Phase;
use super::{tag, WithMetadata};
use crate::request::Op;
use crate::time::{Span, Time};
use crate::volume::back::{Back, DISK, FOREIGN_TAG, MEMS};
use crate::volume::pieces::Piece;
use crate::volume::ranges::{Hold, Ticket};
use crate::volume::{Io, Job, Part, Urgency};

/// Units that are read and written at once.
const TOGETHER: usize = 64;

/// Sectors that are read from the MEMS device and written to the disk.
#[derive(Clone, Copy, Debug)]
struct Run {
    mems: u64,
    sector: u64,
    sectors: u64,
    /// Where in memory.
    at: u64,
}

/// What is to be flushed, and what is being flushed.
#[derive(Debug, Default)]
pub(super) struct Flush {
    every: Option<Span>,
    is_timed: bool,
    /// Slots that have changed.
    changed: Vec<u32>,
    /// Those of them that this flush has still to write, the last first.
    rest: Vec<u32>,
    job: Option<Job>,
    runs: Vec<Run>,
    tickets: Vec<Ticket>,
    /// Whether it waits for the store behind to forget.
    stalled: bool,
    /// Whether the MEMS device has failed, and something is on its way to the disk that is newer than what is there.
    outlives_mems: bool,
}

impl Flush {
    pub fn new(every: Option<Span>) -> Self {
        Self { every, ..Self::default() }
    }

    pub fn is_stalled(&self) -> bool {
        self.stalled
    }

    pub fn is(&self, job: Job) -> bool {
        self.job == Some(job)
    }

    /// A slot has changed.
    pub fn add(&mut self, slot: u32) {
        self.changed.push(slot);
    }

    /// Nothing is to be flushed any more; what is on its way to the disk arrives.
    pub fn lose(&mut self) {
        self.changed.clear();
        self.rest.clear();
        self.stalled = false;
        self.outlives_mems = self.job.is_some();
    }

    pub fn outlives_mems(&self) -> bool {
        self.outlives_mems
    }

    /// Sectors of which the disk has something older.
    pub fn dirty(&self, table: &Table) -> u64 {
        table.dirty_sectors()
            + self.runs.iter().filter(|_| self.job.is_some()).map(|run| run.sectors).sum::<u64>()
    }
}

impl<B: Back> WithMetadata<B> {
    /// The next flush comes when the clock shows a multiple of the period, if there is something to do.
    pub(super) fn schedule_flush(&mut self, now: Time, io: &mut Io) {
        let flush = &mut self.flush;
        let Some(Span(every)) = flush.every.filter(|_| !flush.is_timed && !flush.changed.is_empty()) else {
            return;
        };
        flush.is_timed = true;
        io.wake(Time((now.0 / every + 1) * every), FOREIGN_TAG);
    }

    pub(super) fn flush_is_due(&mut self, now: Time, io: &mut Io) {
        self.flush.is_timed = false;
        if self.flush.job.is_some() || self.flush.stalled {
            return self.schedule_flush(now, io);
        }
        self.counts.flushes += 1;
        let flush = &mut self.flush;
        flush.rest.append(&mut flush.changed);
        let table = &self.table;
        flush.rest.sort_unstable_by_key(|slot| std::cmp::Reverse(table.home(*slot)));
        self.next_flush(now, io);
    }

    /// Begins with the next units. Nothing that was written before they were metadata may still be on its way to the
    /// disk, where it could arrive after them.
    pub(super) fn next_flush(&mut self, now: Time, io: &mut Io) {
        self.flush.stalled = !self.flush.rest.is_empty() && !self.back.has_forgotten();
        if self.flush.rest.is_empty() || self.flush.stalled {
            return self.schedule_flush(now, io);
        }
        let mut at = 0;
        self.flush.runs.clear();
        for _ in 0..TOGETHER {
            let Some(slot) = self.flush.rest.pop() else { break };
            let (home, first) = (self.table.home(slot), self.table.sector(slot));
            let dirty = std::mem::take(&mut self.table.row(slot).dirty);
            for (from, sectors) in runs_of(dirty) {
                self.flush.runs.push(Run { mems: first + from, sector: home + from, sectors, at });
                at += sectors;
            }
        }
        let job = io.begin();
        let piece = Piece { job, at: 0, sector: 0, sectors: at, op: Op::Write, metadata: true };
        self.works.begin(&piece, Phase::FlushReads, true);
        self.flush.job = Some(job);
        self.send_flush(job, MEMS, io);
    }

    pub(super) fn flush_goes_on(&mut self, now: Time, job: Job, io: &mut Io) {
        let work = self.works.of(job);
        match work.phase {
            Phase::FlushReads => {
                work.phase = Phase::FlushEnters;
                self.enter_flush(job);
            }
            Phase::FlushEnters => {
                work.phase = Phase::FlushWrites;
                self.send_flush(job, DISK, io);
            }
            _ => {
                self.counts.flushed_sectors += work.piece.sectors;
                self.end(now, job, io);
            }
        }
    }

    /// Nobody else is to write to the disk where the flush does.
    fn enter_flush(&mut self, job: Job) {
        self.desk.wait(job);
        for run in 0..self.flush.runs.len() {
            let Run { sector, sectors, .. } = self.flush.runs[run];
            let (ticket, _) = self.enter(job, sector, sectors, Hold::Alone);
            self.flush.tickets.push(ticket);
        }
        self.desk.end(job);
    }

    /// Reads from the MEMS device or writes to the disk, runs that go on there as one.
    fn send_flush(&mut self, job: Job, member: u32, io: &mut Io) {
        let (op, tag) =
            if member == MEMS { (Op::Read, tag::FLUSH_READ) } else { (Op::Write, tag::FLUSH_WRITE) };
        let place = |run: &Run| if member == MEMS { run.mems } else { run.sector };
        for runs in self.flush.runs.chunk_by(|a, b| place(a) + a.sectors == place(b)) {
            let sectors = runs.iter().map(|run| run.sectors).sum::<u64>() as u32;
            let (sector, at, urgency) = (place(&runs[0]), runs[0].at, Urgency::Background);
            self.desk.wait(job);
            self.works.of(job).on_mems += u32::from(member == MEMS);
            io.submit(Part { member, sector, sectors, op, urgency, metadata: true, job, at, tag });
        }
    }

    /// Some units are on the disk, or the MEMS device has failed.
    pub(super) fn flush_ended(&mut self, now: Time, io: &mut Io) {
        self.flush.job = None;
        self.flush.outlives_mems = false;
        for ticket in std::mem::take(&mut self.flush.tickets) {
            self.leave(ticket);
        }
        self.next_flush(now, io);
    }
}
