//! A mirror that loses members, fills those that come, and makes copies agree after a loss of power.

use super::{bit, Entry, Hold, Io, Job, Mirror, Work, PASS};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{each, Step};

impl Mirror {
    /// Goes on with the pass, if there is one and its time has come.
    ///
    /// Its parts are not in the background: a write that waits for the range of a piece must not wait until nobody
    /// else has anything to do. The rate is what limits them.
    pub(super) fn go_on(&mut self, now: Time, io: &mut Io) {
        let all = self.states.unfilled() != 0;
        let intent = self.notes.intent.as_ref();
        let needed = |at, sectors| all || intent.is_none_or(|intent| intent.is_dirty(at, sectors));
        match self.pass.next(now, needed) {
            Step::None => {}
            Step::Wake(at) => io.wake(at, PASS),
            Step::Finished => self.finished(now, io),
            Step::Work(sector, sectors) => {
                let job = io.begin();
                let entry =
                    Entry { work: Work::PieceRead, sector, sectors: sectors as u32, ..Entry::default() };
                *self.entries.of(job) = entry;
                let range = sector..sector + sectors;
                let (ticket, now) = self.ranges.enter(range, Hold::Alone, u64::from(job.0));
                self.entries.of(job).ticket = Some(ticket);
                if now {
                    self.read_piece(job, io);
                } else {
                    self.hurry(job, io);
                }
            }
        }
    }

    /// All members agree, and those that were to be filled are.
    fn finished(&mut self, now: Time, io: &mut Io) {
        self.differ = false;
        if self.states.unfilled() == 0 {
            self.pass.stop();
        } else if self.states.fill() {
            self.note(io);
        }
        if let Some(at) = self.notes.intent.as_mut().and_then(|intent| intent.tick_at(now)) {
            io.wake(at, super::TICK);
        }
    }

    pub(super) fn read_piece(&mut self, job: Job, io: &mut Io) {
        let source = self.source().trailing_zeros();
        self.send(job, source, Op::Read, io);
    }

    /// A piece has been read: it is written to all others, whether they lack it or not.
    pub(super) fn piece_read(&mut self, now: Time, job: Job, io: &mut Io) {
        let entry = self.entries.of(job);
        entry.work = Work::PieceWrite;
        let targets = if entry.again { 0 } else { self.states.present() & !self.source() };
        for member in each(targets) {
            self.send(job, member, Op::Write, io);
        }
        if targets == 0 {
            self.finish(now, job, io);
        }
    }

    pub(super) fn piece_written(&mut self, job: Job) {
        let Entry { sectors, again, .. } = *self.entries.of(job);
        self.pass.finish(u64::from(sectors), !again);
    }

    /// A member has failed, and there are others: what was on its way to it is done without it.
    pub(super) fn fail_member(&mut self, now: Time, member: u32, io: &mut Io) {
        self.states.fail(member);
        if self.states.unfilled() == 0 && !self.differ {
            self.pass.stop();
        }
        for job in (0..self.entries.len()).map(Job) {
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
        self.noted(now, member, io);
        self.note(io);
    }
}
