//! The way of a request through a mirror.

use super::{Entry, Mirror, Work, TICK};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{bit, each};
use crate::volume::{Io, Job, Part, Ticket};

impl Mirror {
    pub(super) fn send(&mut self, job: Job, member: u32, op: Op, io: &mut Io) {
        let entry = self.entries.of(job);
        entry.pending |= bit(member);
        let Entry { sector, sectors, metadata, .. } = *entry;
        io.submit(Part { member, sector, sectors, op, metadata, job, at: 0, tag: 0 });
    }

    pub(super) fn read(&mut self, job: Job, io: &mut Io) {
        let Entry { sector, sectors, .. } = *self.entries.of(job);
        let end = sector + u64::from(sectors);
        let intent = self.notes.intent.as_ref();
        let unsure = self.differ
            && end > self.pass.passed()
            && intent.is_none_or(|intent| intent.is_dirty(sector, u64::from(sectors)));
        let filled = if self.pass.has_passed(end) { self.states.unfilled() } else { 0 };
        let able = if unsure { self.source() } else { self.states.in_step() | filled };
        let member = self.choice.choose(able, sector, end, io);
        self.degraded_reads += u64::from(self.states.out != 0);
        self.send(job, member, Op::Read, io);
    }

    /// The member, as a set, whose copy counts.
    pub(super) fn source(&self) -> u64 {
        let able = self.states.in_step();
        able & able.wrapping_neg()
    }

    /// Those that a write waits for, if it does, become as urgent.
    pub(super) fn hurry(&mut self, job: Job, io: &mut Io) {
        if let Some(ticket) = self.entries.of(job).ticket {
            self.ranges.blockers(ticket).for_each(|other| io.wait_for(job, Job(other as u32)));
        }
    }

    /// A write has its range for itself: it begins as soon as its regions are noted.
    pub(super) fn enter(&mut self, job: Job, io: &mut Io) {
        let Entry { sector, sectors, .. } = *self.entries.of(job);
        let intent = self.notes.intent.as_mut();
        if intent.is_none_or(|intent| intent.enter(sector, u64::from(sectors))) {
            return self.write(job, io);
        }
        self.notes.wait(u64::from(job.0));
        self.note(io);
    }

    pub(super) fn write(&mut self, job: Job, io: &mut Io) {
        for member in each(self.states.present()) {
            self.send(job, member, Op::Write, io);
        }
    }

    /// The last part of a job has come back.
    pub(super) fn finish(&mut self, now: Time, job: Job, io: &mut Io) {
        match self.entries.of(job).work {
            Work::None => unreachable!("a job that is over has no parts"),
            Work::Read => {}
            Work::Write => {
                let Entry { sector, sectors, .. } = *self.entries.of(job);
                if let Some(intent) = &mut self.notes.intent {
                    intent.leave(sector, u64::from(sectors));
                    if let Some(at) = intent.tick_at(now) {
                        io.wake(at, TICK);
                    }
                }
            }
            Work::PieceRead => return self.piece_read(now, job, io),
            Work::PieceWrite => self.piece_written(job),
        }
        let entry = self.entries.of(job);
        let (ticket, piece) = (entry.ticket.take(), entry.work == Work::PieceWrite);
        entry.work = Work::None;
        io.complete(job, now);
        if let Some(ticket) = ticket {
            self.leave(ticket, io);
        }
        if piece {
            self.go_on(now, io);
        }
    }

    pub(super) fn leave(&mut self, ticket: Ticket, io: &mut Io) {
        let mut ready = std::mem::take(&mut self.ready);
        self.ranges.leave(ticket, &mut ready);
        for job in ready.drain(..) {
            let job = Job(job as u32);
            match self.entries.of(job).work {
                Work::Write => self.enter(job, io),
                _ => self.read_piece(job, io),
            }
        }
        self.ready = ready;
    }

    pub(super) fn note(&mut self, io: &mut Io) {
        self.notes.write(self.states.present(), self.states.out_noted(), io);
    }

    pub(super) fn noted(&mut self, now: Time, member: u32, io: &mut Io) {
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
            self.write(Job(job as u32), io);
        }
        self.ready = ready;
    }
}
