//! What happens to a strip until it is done.

use super::plan::Target;
use super::strips::{Phase, Strip};
use super::Raid5;
use crate::request::Op;
use crate::time::Time;
use crate::volume::{Hold, Io};

impl Raid5 {
    /// Reads data from where they lie, or puts them together.
    pub(super) fn read(&mut self, now: Time, id: u32, io: &mut Io) {
        let Strip { job, stripe, column, ref rows, ref ticket, .. } = self.strips[id as usize];
        let (rows, entered) = (rows.clone(), ticket.is_some());
        let device = self.layout.device(stripe, column);
        if self.usable(device, stripe) {
            let at = self.layout.start(stripe, column) + rows.start - self.asked.of(job).sector;
            self.strips[id as usize].phase = Phase::Read;
            return self.send(id, Op::Read, device, &rows, at, io);
        }
        self.strips[id as usize].phase = Phase::Mend;
        if entered {
            self.counts.mended += 1;
            return self.read_others(id, device, io);
        }
        self.wait(now, id, Hold::Shared, io);
    }

    /// Reads what a parity needs, if anything, of a strip that has its rows for itself and whose regions are noted.
    pub(super) fn plan(&mut self, now: Time, id: u32, io: &mut Io) {
        let target = self.target(id);
        let method =
            target.method(&self.layout, self.preference, |device| self.usable(device, target.stripe));
        let parity = self.layout.parity(target.stripe);
        let strip = &mut self.strips[id as usize];
        (strip.phase, strip.method) = (Phase::ReadOld, method);
        for column in 0..self.layout.columns() {
            let rows = target.read(&self.layout, method, column);
            let device = self.layout.behind(parity, column);
            if !rows.is_empty() && self.usable(device, target.stripe) {
                let at = self.slot(id, column) + rows.start - target.rows.start;
                self.send(id, Op::Read, device, &rows, at, io);
            }
        }
        if method.reads_parity() {
            let at = self.slot(id, self.layout.columns());
            self.send(id, Op::Read, parity, &target.rows, at, io);
        }
        if self.strips[id as usize].pending == 0 {
            self.go_on(now, id, io);
        }
    }

    pub(super) fn target(&mut self, id: u32) -> Target {
        let strip = &self.strips[id as usize];
        let asked = self.asked.of(strip.job);
        let range = asked.sector..asked.sector + u64::from(asked.sectors);
        Target { stripe: strip.stripe, rows: strip.rows.clone(), range }
    }

    /// Writes the data and the parity, to the devices that hold what they should.
    pub(super) fn write(&mut self, id: u32, io: &mut Io) {
        self.compute(id, io);
        let target = self.target(id);
        let strip = &mut self.strips[id as usize];
        strip.phase = Phase::Write;
        self.counts.by_method[strip.method as usize] += 1;
        let asked = self.asked.of(strip.job).sector;
        let parity = self.layout.parity(target.stripe);
        for column in 0..self.layout.columns() {
            let rows = target.written(&self.layout, column);
            let device = self.layout.behind(parity, column);
            if !rows.is_empty() && self.usable(device, target.stripe) {
                let at = self.layout.start(target.stripe, column) + rows.start - asked;
                self.send(id, Op::Write, device, &rows, at, io);
            }
        }
        if self.usable(parity, target.stripe) {
            let at = self.slot(id, self.layout.columns());
            self.send(id, Op::Write, parity, &target.rows, at, io);
        }
    }

    /// The last part of a strip has come back.
    pub(super) fn go_on(&mut self, now: Time, id: u32, io: &mut Io) {
        let strip = &mut self.strips[id as usize];
        let again = std::mem::take(&mut strip.again);
        match strip.phase {
            Phase::Read => self.over(now, id, io),
            Phase::Mend if again => self.read(now, id, io),
            Phase::Mend => {
                self.mend(id, io);
                self.over(now, id, io);
            }
            Phase::ReadOld if again => self.plan(now, id, io),
            Phase::ReadOld => self.write(id, io),
            Phase::Write => {
                let (row, sectors) = (strip.stripe * self.layout.unit + strip.rows.start, strip.sectors());
                if let Some(intent) = &mut self.notes.intent {
                    intent.leave(row, sectors);
                }
                self.tick_later(now, io);
                self.over(now, id, io);
            }
            Phase::PieceRead(device) => self.piece_read(now, id, device, again, io),
            Phase::PieceWrite => self.piece_over(now, id, !again, io),
        }
    }
}
