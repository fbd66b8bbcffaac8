//! Reads of a cache: from memory, or from the device into memory.

use super::cache_lines::LinePart;
use super::{Cache, Does, Waiter};
use crate::time::Time;
use crate::volume::sector_bits::runs;
use crate::volume::{Io, Job};

impl Cache {
    /// Answers a read from memory, or reads the missing sectors from the device, or lets the read wait for
    /// sectors in flight.
    pub(super) fn read(&mut self, now: Time, mut waiter: Waiter, has_waited: bool, io: &mut Io) {
        let (mut from, mut to) = (waiter.end, waiter.first);
        for stretch in self.lines.stretches(waiter.first, waiter.end) {
            let slot = self.lines.find(stretch.line);
            let line = slot.map(|slot| &mut self.lines.slots[slot as usize]);
            let missing = stretch.mask & !line.as_ref().map_or(0, |line| line.valid);
            if missing == 0 {
                continue;
            }
            if let Some(line) = line.filter(|line| line.fetching & missing != 0) {
                self.counts.read_waits += u64::from(!has_waited);
                let id = self.waiters.add(waiter);
                self.waiters.push(&mut line.waiting, id);
                let start = stretch.line << self.lines.shift;
                return self.hurry(waiter.job, &(start..start + (1 << self.lines.shift)), io);
            }
            let start = stretch.line << self.lines.shift;
            from = from.min(start + u64::from(missing.trailing_zeros()));
            to = start + u64::from(u64::BITS - missing.leading_zeros());
        }
        // All lines of a read count as used before slots for its missing lines are sought, so that these do
        // not evict the former.
        for stretch in self.lines.stretches(waiter.first, waiter.end) {
            if let Some(slot) = self.lines.find(stretch.line) {
                self.lines.touch(slot);
            }
        }
        if from >= to {
            self.counts.read_hits += u64::from(!has_waited);
            self.give((waiter.first, waiter.end), &waiter, io);
            return io.complete(waiter.job, now + self.hit);
        }
        self.counts.read_misses += u64::from(!has_waited);
        self.give((waiter.first, from), &waiter, io);
        self.give((to, waiter.end), &waiter, io);
        waiter.cached_to = self.expect(from, to);
        (waiter.from, waiter.to) = (from, to);
        let id = self.waiters.add(waiter);
        self.send(self.part(&waiter, (from, to), Self::tag(Does::Read, id)), io);
    }

    /// Copies the sectors from `from` to before `to` from memory to the buffer of a request.
    fn give(&mut self, (from, to): (u64, u64), waiter: &Waiter, io: &mut Io) {
        for stretch in self.lines.stretches(from, to) {
            let slot = self.lines.find(stretch.line).expect("a valid sector lies in a line with a slot");
            let is_ahead = std::mem::take(&mut self.lines.slots[slot as usize].is_ahead);
            self.counts.read_ahead_used_lines += u64::from(is_ahead);
            let at = from - waiter.first + stretch.at;
            io.copy(self.place(slot, stretch.from), (waiter.job, at), u64::from(stretch.mask.count_ones()));
        }
    }

    /// Gives a slot to each line of the sectors from `from` to before `to`, which will come from the device.
    /// Returns the first line for which no slot was free.
    pub(super) fn expect(&mut self, from: u64, to: u64) -> u64 {
        let mut stretches = self.lines.stretches(from, to);
        let stopped = stretches.find(|stretch| {
            let Some(slot) = self.lines.allot(stretch.line) else {
                return true;
            };
            let line = &mut self.lines.slots[slot as usize];
            line.pins += 1;
            line.fetching |= stretch.mask & !line.valid;
            false
        });
        stopped.map_or(u64::MAX, |stretch| stretch.line)
    }

    /// Copies the missing sectors of the read `id`, which the device has read into the buffer of the request,
    /// to memory.
    pub(super) fn has_read(&mut self, id: u32, now: Time, io: &mut Io) {
        let waiter = self.waiters.remove(id);
        let stretches = self.lines.stretches(waiter.from, waiter.to);
        let before = waiter.from - waiter.first;
        for stretch in stretches.clone() {
            let Some(slot) = self.lines.find(stretch.line) else { continue };
            for (from, sectors) in runs(stretch.mask & self.lines.slots[slot as usize].valid) {
                let at = before + stretch.at + u64::from(from - stretch.from);
                io.copy(self.place(slot, from), (waiter.job, at), sectors.into());
            }
        }
        let kept = stretches.take_while(|stretch| stretch.line < waiter.cached_to);
        for stretch in kept.clone() {
            self.keep(&stretch, (waiter.job, before + stretch.at), io);
        }
        io.complete(waiter.job, now);
        for stretch in kept {
            self.wake(stretch.line, now, io);
        }
    }

    /// Copies sectors from the buffer of a job to a line in memory, except sectors that are newer in memory.
    pub(super) fn keep(&mut self, stretch: &LinePart, (job, at): (Job, u64), io: &mut Io) {
        let slot =
            self.lines.find(stretch.line).expect("a line stays while parts in flight bring its sectors");
        let line = &mut self.lines.slots[slot as usize];
        let new = stretch.mask & !line.valid;
        line.valid |= new;
        line.fetching &= !stretch.mask;
        line.pins -= 1;
        for (from, sectors) in runs(new) {
            io.copy((job, at + u64::from(from - stretch.from)), self.place(slot, from), sectors.into());
        }
    }

    /// Retries the requests that wait for a transfer to a line.
    pub(super) fn wake(&mut self, line: u64, now: Time, io: &mut Io) {
        let Some(slot) = self.lines.find(line) else { return };
        let mut waiting = std::mem::take(&mut self.lines.slots[slot as usize].waiting);
        while let Some(id) = self.waiters.pop(&mut waiting) {
            let waiter = self.waiters.remove(id);
            self.read(now, waiter, true, io);
        }
    }
}
