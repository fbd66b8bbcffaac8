//! The arithmetic of parity, in the buffer of a job.

use super::plan::Method;
use super::Raid5;
use crate::volume::Io;

impl Raid5 {
    /// Where a strip keeps the rows of a column; behind the columns, those of the parity.
    pub(super) fn slot(&self, id: u32, column: u64) -> u64 {
        let strip = &self.strips[id as usize];
        strip.scratch + column * strip.sectors()
    }

    /// Adds up slots, but for one, into a slot: the sum of all that others hold is what one lacks.
    fn sum(&self, id: u32, into: u64, io: &mut Io) {
        if !io.follows_data() {
            return;
        }
        let strip = &self.strips[id as usize];
        let mut others = (0..self.layout.devices).filter(|slot| *slot != into);
        let first = others.next().expect("an array has several devices");
        let into = (strip.job, self.slot(id, into));
        io.copy((strip.job, self.slot(id, first)), into, strip.sectors());
        for other in others {
            io.xor((strip.job, self.slot(id, other)), into, strip.sectors());
        }
    }

    /// The slot of a device in a stripe.
    pub(super) fn slot_of(&self, stripe: u64, device: u32) -> u64 {
        let behind = u64::from(device) + self.layout.devices - u64::from(self.layout.parity(stripe)) - 1;
        behind % self.layout.devices
    }

    /// Puts together the slot of a device from those of all others.
    pub(super) fn solve(&self, id: u32, device: u32, io: &mut Io) {
        self.sum(id, self.slot_of(self.strips[id as usize].stripe, device), io);
    }

    /// Puts together what is missing, and where the request wants it.
    pub(super) fn mend(&mut self, id: u32, io: &mut Io) {
        let strip = &self.strips[id as usize];
        let (job, column, sectors) = (strip.job, strip.column, strip.sectors());
        let at = self.layout.start(strip.stripe, column) + strip.rows.start - self.asked.of(job).sector;
        self.sum(id, column, io);
        io.copy((job, self.slot(id, column)), (job, at), sectors);
    }

    /// The new parity of a strip that is to be written, into its slot.
    pub(super) fn compute(&mut self, id: u32, io: &mut Io) {
        let target = self.target(id);
        let (job, method) = (self.strips[id as usize].job, self.strips[id as usize].method);
        let (asked, columns) = (self.asked.of(job).sector, self.layout.columns());
        if method == Method::NoParity || !io.follows_data() {
            return;
        }
        if method == Method::Everything {
            let missing = (0..columns).map(|column| self.layout.device(target.stripe, column));
            let missing = missing.filter(|device| !self.usable(*device, target.stripe));
            missing.for_each(|device| self.solve(id, device, io));
        }
        for column in 0..columns {
            let rows = target.written(&self.layout, column);
            if rows.is_empty() {
                continue;
            }
            let (sectors, offset) = (rows.end - rows.start, rows.start - target.rows.start);
            let new = (job, self.layout.start(target.stripe, column) + rows.start - asked);
            let (slot, parity) = (self.slot(id, column) + offset, self.slot(id, columns) + offset);
            if method == Method::Rmw {
                io.xor((job, slot), (job, parity), sectors);
                io.xor(new, (job, parity), sectors);
            } else {
                io.copy(new, (job, slot), sectors);
            }
        }
        if method != Method::Rmw {
            self.sum(id, columns, io);
        }
    }
}
