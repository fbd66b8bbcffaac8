//! Writes of a cache: with writes=back into memory, with writes=through first to the device.

use super::{Cache, Does, Waiter};
use crate::time::Time;
use crate::volume::{Hold, Io, Urgency};

/// Largest number of parts in flight with which lines are written back while the device is busy.
pub(super) const BACKS: usize = 8;

impl Cache {
    pub(super) fn write(&mut self, now: Time, mut waiter: Waiter, io: &mut Io) {
        let is_first = self.starved.is_empty();
        if is_first && self.store(&mut waiter, now, io) {
            return self.tidy(now, io);
        }
        self.counts.write_waits += 1;
        let id = self.waiters.add(waiter);
        self.waiters.push(&mut self.starved, id);
        self.press(io);
    }

    /// Copies the sectors of a write to memory until no slot is free for the next line. Returns true if all of them are
    /// in memory.
    fn store(&mut self, waiter: &mut Waiter, now: Time, io: &mut Io) -> bool {
        for stretch in self.lines.stretches(waiter.from, waiter.end) {
            let known = self.lines.find(stretch.line);
            let Some(slot) = known.or_else(|| self.lines.allot(stretch.line)) else {
                return false;
            };
            if known.is_some() {
                self.lines.touch(slot);
            }
            waiter.is_missed |= known.is_none();
            self.lines.slots[slot as usize].is_ahead = false;
            let sectors = u64::from(stretch.mask.count_ones());
            io.copy((waiter.job, waiter.from - waiter.first), self.place(slot, stretch.from), sectors);
            self.lines.soil(slot, stretch.mask, now);
            waiter.from += sectors;
        }
        self.count_write(waiter.is_missed);
        io.complete(waiter.job, now + self.hit);
        true
    }

    /// Continues the writes that wait for a free slot, the oldest first.
    pub(super) fn feed(&mut self, now: Time, io: &mut Io) {
        while let Some(id) = self.waiters.pop(&mut self.starved) {
            let mut waiter = self.waiters.get(id);
            if !self.store(&mut waiter, now, io) {
                *self.waiters.get_mut(id) = waiter;
                self.waiters.push_front(&mut self.starved, id);
                return self.press(io);
            }
            self.waiters.remove(id);
        }
    }

    /// Writes back the line that became dirty first, so that its slot can be reused. If a foreground write waits for a
    /// slot, all write-backs become foreground.
    pub(super) fn press(&mut self, io: &mut Io) {
        let is_urgent = |waiter: Waiter| io.urgency(waiter.job) == Urgency::Foreground;
        let waits = self.waiters.iter(&self.starved).any(is_urgent);
        if waits {
            self.background.iter().for_each(|(job, _)| io.promote(*job));
        }
        if self.in_flight.len() < BACKS {
            let is_urgent = waits || self.starved.is_empty();
            self.write_back(if is_urgent { Urgency::Foreground } else { Urgency::Background }, io);
        }
    }

    /// Starts a write-back if too many lines are dirty, or if the device is idle and a line has been dirty for too
    /// long. A wake-up is requested if the latter will be due later.
    pub(super) fn tidy(&mut self, now: Time, io: &mut Io) {
        let Some(oldest) = self.lines.dirty.first() else { return };
        if self.lines.dirty.len() > self.dirty_max {
            return self.press(io);
        }
        if !self.in_flight.is_empty() || self.is_alarmed || !io.is_idle(0) {
            return;
        }
        let due = self.lines.slots[oldest as usize].dirty_since + self.dirty_for;
        if due > now {
            self.is_alarmed = true;
            return io.wake(due, 0);
        }
        self.write_back(Urgency::Background, io);
    }

    /// Sends a write to the device as soon as no other write to one of its sectors is in flight. Otherwise memory and
    /// the device could end with the data of different writes.
    pub(super) fn write_through(&mut self, waiter: Waiter, io: &mut Io) {
        let id = self.waiters.add(waiter);
        let (ticket, is_free) = self.ranges.enter(waiter.first..waiter.end, Hold::Exclusive, id.into());
        self.waiters.get_mut(id).ticket = Some(ticket);
        if is_free {
            self.send_through(id, io);
        } else {
            self.counts.write_waits += 1;
            self.hurry_writes(id, io);
        }
    }

    /// Promotes to foreground all writes for which the write `id` waits, if the write `id` itself is foreground.
    pub(super) fn hurry_writes(&self, id: u32, io: &mut Io) {
        let Waiter { job, ticket, .. } = self.waiters.get(id);
        let others = self.ranges.blockers(ticket.expect("a write takes its ticket when it arrives"));
        others.for_each(|other| io.wait_for(job, self.waiters.get(other as u32).job));
    }

    fn send_through(&mut self, id: u32, io: &mut Io) {
        let waiter = self.waiters.get(id);
        self.send(self.part(&waiter, (waiter.first, waiter.end), Self::tag(Does::Through, id)), io);
    }

    /// Handles the completion of a write by the device: copies its data to memory, and lets the writes continue that
    /// waited for it.
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
        self.ranges.leave(waiter.ticket.expect("a write takes its ticket when it arrives"), &mut ready);
        for id in ready.drain(..) {
            self.send_through(id as u32, io);
        }
        self.ready = ready;
    }
}
