//! A RAID-5 that loses a device, fills the one that comes, and mends parity after a loss of power.

use super::strips::Phase;
use super::{bit, Asked, Raid5, PASS};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::Step;
use crate::volume::{Hold, Io};

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
                let stripe = at / self.layout.unit;
                let device = if fill == 0 { self.layout.parity(stripe) } else { fill.trailing_zeros() };
                let job = io.begin();
                *self.asked.of(job) = Asked::default();
                let strip = self.strip(job, Phase::PieceRead(device), stripe, 0..sectors);
                self.wait(now, strip, Hold::Alone, io);
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

    /// Reads the rows of a strip from all devices but one, each into its slot.
    pub(super) fn read_others(&mut self, id: u32, device: u32, io: &mut Io) {
        let (stripe, rows) = (self.strips[id as usize].stripe, self.strips[id as usize].rows.clone());
        for other in (0..self.layout.devices as u32).filter(|other| *other != device) {
            let at = self.slot(id, self.slot_of(stripe, other));
            self.send(id, Op::Read, other, &rows, at, io);
        }
    }

    /// A piece has been read: what one device should hold is put together and written there.
    pub(super) fn piece_read(&mut self, now: Time, id: u32, device: u32, again: bool, io: &mut Io) {
        let present = self.states.present() & bit(device) != 0;
        if again || !present {
            return self.piece_over(now, id, false, io);
        }
        self.solve(id, device, io);
        let strip = &mut self.strips[id as usize];
        strip.phase = Phase::PieceWrite;
        let (stripe, rows) = (strip.stripe, strip.rows.clone());
        let at = self.slot(id, self.slot_of(stripe, device));
        self.send(id, Op::Write, device, &rows, at, io);
    }

    /// A piece is done, or has to be begun again.
    pub(super) fn piece_over(&mut self, now: Time, id: u32, done: bool, io: &mut Io) {
        self.pass.finish(self.strips[id as usize].sectors(), done);
        self.over(now, id, io);
        self.next_piece(now, io);
    }

    /// A member has failed, and all others are in order: what was on its way to it is done without it.
    pub(super) fn fail_member(&mut self, now: Time, member: u32, io: &mut Io) {
        self.states.fail(member);
        // Without it there is no parity to be mended, and nothing to be filled.
        self.pass.stop();
        for id in 0..self.strips.len() as u32 {
            let strip = &mut self.strips[id as usize];
            if strip.pending & bit(member) == 0 {
                continue;
            }
            strip.pending &= !bit(member);
            strip.again = true;
            match strip.phase {
                Phase::Read => self.read(now, id, io),
                _ if strip.pending == 0 => self.go_on(now, id, io),
                _ => {}
            }
        }
        self.noted(now, member, io);
        self.note(io);
    }
}
