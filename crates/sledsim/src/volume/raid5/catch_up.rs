//! A RAID-5 that loses a device, fills the one that comes, and mends parity after a loss of power.

use std::ops::Range;

use super::access::{Access, Phase};
use super::{bit, Raid5, PASS};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::Step;
use crate::volume::{Hold, Io, Job};

impl Raid5 {
    /// Begins to fill a device that has come; or, if all are there, to mend the parity.
    pub(super) fn start_pass(&mut self, now: Time, io: &mut Io) {
        if self.states.unfilled() != 0 || (self.differ && self.states.out == 0) {
            self.pass.start();
        }
        self.next_piece(now, io);
    }

    /// Goes on with the pass, if there is one and its time has come.
    ///
    /// Its parts are not in the background: a write that waits for the rows of a piece must not wait until nobody
    /// else has anything to do. The rate is what limits them.
    pub(super) fn next_piece(&mut self, now: Time, io: &mut Io) {
        let fill = self.states.unfilled();
        let intent = self.notes.intent.as_ref();
        let needed = |at, sectors| fill != 0 || intent.is_none_or(|intent| intent.is_dirty(at, sectors));
        match self.pass.next(now, needed) {
            Step::None => {}
            Step::Wake(at) => io.wake(at, PASS),
            Step::Finished => self.finished(now, io),
            Step::Work(at, sectors) => {
                let parity = self.layout.parity(at / self.layout.unit);
                let device = if fill == 0 { parity } else { fill.trailing_zeros() };
                let (job, phase) = (io.begin(), Phase::PieceRead(device));
                self.begin_access(job, Access { phase, rows: at..at + sectors, ..Access::default() });
                self.wait(now, job, Hold::Alone, io);
            }
        }
    }

    /// The device is filled; or all parity is right.
    fn finished(&mut self, now: Time, io: &mut Io) {
        self.differ = false;
        if self.states.unfilled() == 0 {
            self.pass.stop();
        } else if self.states.fill() {
            self.note(io);
        }
        self.tick_later(now, io);
    }

    /// All devices but one.
    pub(super) fn others(&self, device: u32) -> impl Iterator<Item = u32> {
        (0..self.layout.devices as u32).filter(move |other| *other != device)
    }

    /// Wants these rows of all devices but one.
    pub(super) fn want_others(&mut self, device: u32, rows: &Range<u64>) {
        for other in self.others(device) {
            self.wanted.want(other, rows.clone());
        }
    }

    /// Reads a piece from all devices but one.
    pub(super) fn read_piece(&mut self, now: Time, job: Job, device: u32, io: &mut Io) {
        let rows = self.accesses.get(job).rows.clone();
        self.want_others(device, &rows);
        self.send(now, job, Op::Read, 0, io);
    }

    /// A piece has been read: what one device should hold is put together and written there.
    pub(super) fn piece_read(&mut self, now: Time, job: Job, device: u32, again: bool, io: &mut Io) {
        let present = self.states.present() & bit(device) != 0;
        if again || !present {
            return self.piece_over(now, job, false, io);
        }
        let rows = self.accesses.get(job).rows.clone();
        self.solve(job, device, &rows, io);
        self.accesses.of(job).phase = Phase::PieceWrite;
        self.wanted.want(device, rows);
        self.send(now, job, Op::Write, 0, io);
    }

    /// A piece is done, or has to be begun again.
    pub(super) fn piece_over(&mut self, now: Time, job: Job, done: bool, io: &mut Io) {
        let rows = &self.accesses.get(job).rows;
        self.pass.finish(rows.end - rows.start, done);
        self.over(now, job, io);
        self.next_piece(now, io);
    }

    /// A member has failed, and all others are in order: what was on its way to it is done without it.
    pub(super) fn fail_member(&mut self, now: Time, member: u32, io: &mut Io) {
        self.states.fail(member);
        // Without it there is no parity to be mended, and nothing to be filled.
        self.pass.stop();
        self.without(now, member, io);
        self.noted(now, member, io);
        self.note(io);
    }
}
