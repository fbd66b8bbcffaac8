//! Reads of a cache: from memory, or from the device into memory.

use super::cache_lines::LinePart;
use super::{Cache, Does, Waiter};
use crate::time::Time;
use crate::volume::sector_bits::runs;
use crate::volume::{Io, Job};

impl Cache {
    /// Serves a read: from memory, by a read of the missing sectors from the device, or after sectors in flight have
    /// arrived.
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

    /// Copies the sectors from `from` up to but excluding `to` from memory to the buffer of a request.
    fn give(&mut self, (from, to): (u64, u64), waiter: &Waiter, io: &mut Io) {
        for stretch in self.lines.stretches(from, to) {
            let slot = self.lines.find(stretch.line).expect("a valid sector is in a line with a slot");
            let is_ahead = std::mem::take(&mut self.lines.slots[slot as usize].is_ahead);
            self.counts.read_ahead_used_lines += u64::from(is_ahead);
            let at = from - waiter.first + stretch.at;
            io.copy(self.place(slot, stretch.from), (waiter.job, at), u64::from(stretch.mask.count_ones()));
        }
    }

    /// Assigns a slot to each line of the sectors from `from` up to but excluding `to`, which are to be read from the
    /// device. Returns the number of the first line for which no slot was free; the largest number if every line has a
    /// slot.
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

    /// Handles the completion of the part that read missing sectors for the read `id`. Copies them from the buffer of
    /// the request to memory, and newer sectors from memory to the buffer.
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

    /// Copies the sectors `stretch` from the buffer of a job to their line in memory; `at` is their place in the
    /// buffer. Sectors that memory already has stay unchanged.
    pub(super) fn keep(&mut self, stretch: &LinePart, (job, at): (Job, u64), io: &mut Io) {
        let slot =
            self.lines.find(stretch.line).expect("a line stays in its slot while its sectors are being read");
        let line = &mut self.lines.slots[slot as usize];
        let new = stretch.mask & !line.valid;
        line.valid |= new;
        line.fetching &= !stretch.mask;
        line.pins -= 1;
        for (from, sectors) in runs(new) {
            io.copy((job, at + u64::from(from - stretch.from)), self.place(slot, from), sectors.into());
        }
    }

    /// Serves the reads that waited until sectors of the line with the number `line` had been read from the device.
    pub(super) fn wake(&mut self, line: u64, now: Time, io: &mut Io) {
        let Some(slot) = self.lines.find(line) else { return };
        let mut waiting = std::mem::take(&mut self.lines.slots[slot as usize].waiting);
        while let Some(id) = self.waiters.pop(&mut waiting) {
            let waiter = self.waiters.remove(id);
            self.read(now, waiter, true, io);
        }
    }
}
