//! Writes that go to the device before they are acknowledged.

use super::{Cache, Does, Waiter};
use crate::time::Time;
use crate::volume::{Hold, Io};

impl Cache {
    /// Sends a write to the device, when no other is on its way to the same sectors: the memory is to have what the
    /// device has.
    pub(super) fn write_through(&mut self, waiter: Waiter, io: &mut Io) {
        let id = self.waiters.add(waiter);
        let (ticket, is_free) = self.ranges.enter(waiter.first..waiter.end, Hold::Alone, id.into());
        self.waiters.get_mut(id).ticket = Some(ticket);
        if is_free {
            self.send_through(id, io);
        } else {
            self.counts.write_waits += 1;
            self.hurry_writes(id, io);
        }
    }

    /// Those that a write waits for, if it does, become as urgent.
    pub(super) fn hurry_writes(&self, id: u32, io: &mut Io) {
        let Waiter { job, ticket, .. } = self.waiters.get(id);
        let others = self.ranges.blockers(ticket.expect("it entered when it came"));
        others.for_each(|other| io.wait_for(job, self.waiters.get(other as u32).job));
    }

    fn send_through(&mut self, id: u32, io: &mut Io) {
        let waiter = self.waiters.get(id);
        self.send(self.part(&waiter, (waiter.first, waiter.end), Self::tag(Does::Through, id)), io);
    }

    /// The device has a write: the memory gets it, too.
    pub(super) fn written_through(&mut self, id: u32, now: Time, io: &mut Io) {
        let mut waiter = self.waiters.remove(id);
        for stretch in self.lines.stretches(waiter.first, waiter.end) {
            let known = self.lines.find(stretch.line);
            waiter.is_missed |= known.is_none();
            let Some(slot) = known.or_else(|| self.lines.allot(stretch.line)) else { continue };
            if known.is_some() {
                self.lines.touch(slot);
            }
            let line = &mut self.lines.slots[slot as usize];
            line.valid |= stretch.mask;
            line.is_ahead = false;
            let sectors = u64::from(stretch.mask.count_ones());
            io.copy((waiter.job, stretch.at), self.place(slot, stretch.from), sectors);
        }
        self.count_write(waiter.is_missed);
        io.complete(waiter.job, now);
        let mut ready = std::mem::take(&mut self.ready);
        self.ranges.leave(waiter.ticket.expect("it entered when it came"), &mut ready);
        for id in ready.drain(..) {
            self.send_through(id as u32, io);
        }
        self.ready = ready;
    }
}
