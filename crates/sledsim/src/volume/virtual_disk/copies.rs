//! Copies of segments from the disk to slots on the MEMS device, and back.

use super::segment_table::Entry;
use super::slot::{CopySource, Copying, State};
use super::{Does, VirtualDisk};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::{DISK, MEMS};
use crate::volume::{Io, Job, Part, Urgency};

/// Largest number of dirty slots that are examined in search of a slot that may be written back.
const LOOKED_AT: usize = 16;

impl VirtualDisk {
    /// Assigns a slot to the segment of the piece `id`, and starts to copy the segment from the disk. Returns false if
    /// every slot is busy.
    pub(super) fn bring(&mut self, id: u32, now: Time, io: &mut Io) -> bool {
        let piece = self.pieces.get(id);
        if !piece.is_missed {
            self.pieces.get_mut(id).is_missed = true;
            self.policy.missed(piece.segment);
        }
        let (slots, policy) = (&self.slots, &mut self.policy);
        let found = self
            .empty
            .pop()
            .or_else(|| policy.victim(slots.len() * 2, &mut |slot| slots[slot as usize].is_quiet()));
        let Some(slot) = found else {
            return false;
        };
        self.places.insert(piece.segment, slot);
        self.policy.insert(slot, piece.segment);
        let is_whole =
            piece.part.op == Op::Write && piece.part.sectors == u64::from(self.shape.sectors(piece.segment));
        let urgency = io.urgency(piece.part.job);
        let source = if is_whole { CopySource::Host(id) } else { CopySource::Disk(io.begin_as(urgency)) };
        self.slots[slot as usize].next = Some((piece.segment, source));
        if let CopySource::Disk(job) = source {
            self.wait(id, slot, io);
            self.counts.fetched_segments += 1;
            self.send_segment(DISK, (slot, piece.segment), Op::Read, (job, Does::Fetch), io);
        }
        if self.slots[slot as usize].state == State::Resident {
            self.leave(slot, urgency, io);
        }
        self.advance(slot, now, io);
        true
    }

    /// Starts to evict the segment in a slot; a dirty segment is first written back to the disk.
    fn leave(&mut self, slot: u32, urgency: Urgency, io: &mut Io) {
        self.counts.evicted_segments += 1;
        self.slots[slot as usize].state = State::Leaving;
        if self.slots[slot as usize].is_dirty {
            self.copy(slot, urgency, io);
        } else {
            self.write_entry(slot, Entry::Empty, io);
        }
    }

    /// Changes the entry of a slot in the table, and writes it to the MEMS device.
    pub(super) fn write_entry(&mut self, slot: u32, entry: Entry, io: &mut Io) {
        let epoch = self.tag(Does::Table, 0);
        self.table.set(slot, entry, |sheet| epoch | u64::from(sheet) << super::DOES_BITS, io);
    }

    /// Continues the replacement of the segment in a slot by the next one, as far as possible: drops the old segment,
    /// then writes the new one.
    pub(super) fn advance(&mut self, slot: u32, now: Time, io: &mut Io) {
        let known = &mut self.slots[slot as usize];
        let is_left = known.state == State::Leaving && !known.is_dirty && self.table.says(slot, Entry::Empty);
        if is_left {
            self.places.remove(&known.segment);
            known.state = State::Empty;
        }
        if known.state == State::Empty {
            match known.next {
                Some((segment, CopySource::Memory(job))) => {
                    known.state = State::Filling;
                    self.send_segment(MEMS, (slot, segment), Op::Write, (job, Does::Fill), io);
                }
                Some((_, CopySource::Host(id))) => {
                    known.state = State::Filling;
                    let tag = self.tag(Does::Fill, slot);
                    self.send(self.pieces.get(id).part.part(MEMS, self.shape.start(slot), tag), io);
                }
                _ => {}
            }
        }
        if is_left {
            // Pieces that waited for the evicted segment must bring it to a slot again.
            self.wake(slot, now, io);
        }
    }

    /// Handles the completion of the read of a segment from the disk, for the slot `slot`.
    pub(super) fn fetched(&mut self, slot: u32, now: Time, io: &mut Io) {
        let known = &mut self.slots[slot as usize];
        if let Some((segment, CopySource::Disk(job))) = known.next {
            known.next = Some((segment, CopySource::Memory(job)));
        }
        self.advance(slot, now, io);
    }

    /// Handles the completion of the write of a new segment to the slot `slot`.
    pub(super) fn filled(&mut self, slot: u32, now: Time, io: &mut Io) {
        let known = &mut self.slots[slot as usize];
        let (segment, source) = known.next.take().expect("a slot that was filled has a next segment");
        (known.segment, known.state) = (segment, State::Resident);
        let mut is_dirty = std::mem::take(&mut known.is_to_be_written);
        match source {
            CopySource::Host(id) => {
                known.users += 1;
                is_dirty = true;
                self.counts.whole_segment_writes += 1;
                self.pieces.get_mut(id).is_written = true;
                self.wait(id, slot, io);
                self.soil(slot);
            }
            CopySource::Disk(job) | CopySource::Memory(job) => {
                let waiting = || self.pieces.iter(&self.slots[slot as usize].waiting);
                let mut left = waiting().map(|piece| piece.part.sectors).sum();
                for piece in waiting() {
                    io.credit(piece.part.job, job, piece.part.sectors, left);
                    left -= piece.part.sectors;
                }
                io.complete(job, now);
            }
        }
        self.write_entry(slot, if is_dirty { Entry::Dirty(segment) } else { Entry::Clean(segment) }, io);
        self.wake(slot, now, io);
    }

    /// Promotes to foreground the work that currently changes the slot `slot`, if `job`, which waits for the slot, is
    /// foreground.
    pub(super) fn hurry(&self, job: Job, slot: u32, io: &mut Io) {
        let known = &self.slots[slot as usize];
        match known.next {
            Some((_, CopySource::Disk(other) | CopySource::Memory(other))) => io.wait_for(job, other),
            Some((_, CopySource::Host(id))) => io.wait_for(job, self.pieces.get(id).part.job),
            None => {}
        }
        if let (State::Leaving, Copying::Reading(other) | Copying::Writing(other)) =
            (known.state, known.copying)
        {
            io.wait_for(job, other);
        }
    }

    /// Promotes to foreground all work that keeps slots busy, if `job`, which waits for any slot, is foreground.
    pub(super) fn hurry_all(&self, job: Job, io: &mut Io) {
        if io.urgency(job) == Urgency::Foreground {
            self.promote_all(io);
        }
    }

    pub(super) fn promote_all(&self, io: &mut Io) {
        self.pieces.numbers().for_each(|id| io.promote(self.pieces.get(id).part.job));
        for slot in &self.slots {
            if let Some((_, CopySource::Disk(job) | CopySource::Memory(job))) = slot.next {
                io.promote(job);
            }
            if let Copying::Reading(job) | Copying::Writing(job) = slot.copying {
                io.promote(job);
            }
        }
    }

    /// Starts to write the segment in a slot back to the disk.
    fn copy(&mut self, slot: u32, urgency: Urgency, io: &mut Io) {
        let job = io.begin_as(urgency);
        let known = &mut self.slots[slot as usize];
        (known.copying, known.is_rewritten) = (Copying::Reading(job), false);
        let segment = known.segment;
        self.send_segment(MEMS, (slot, segment), Op::Read, (job, Does::CopyOut), io);
    }

    pub(super) fn copied_out(&mut self, slot: u32, part: &Part, io: &mut Io) {
        let known = &mut self.slots[slot as usize];
        known.copying = Copying::Writing(part.job);
        let segment = known.segment;
        self.send_segment(DISK, (slot, segment), Op::Write, (part.job, Does::CopyBack), io);
    }

    /// Handles the completion of the write-back of a segment. If a request wrote to the segment meanwhile, the segment
    /// stays dirty.
    pub(super) fn copied_back(&mut self, slot: u32, now: Time, job: Job, io: &mut Io) {
        io.complete(job, now);
        self.counts.written_back_segments += 1;
        let known = &mut self.slots[slot as usize];
        known.copying = Copying::No;
        self.links.remove(&mut self.dirty, slot);
        if known.is_rewritten {
            self.links.push(&mut self.dirty, slot);
        } else {
            known.is_dirty = false;
        }
        if known.state == State::Leaving {
            self.write_entry(slot, Entry::Empty, io);
        }
        if let Some(cleaned) = self.cleaned.iter_mut().find(|cleaned| **cleaned == Some(slot)) {
            *cleaned = None;
            self.clean(io);
        }
    }

    /// Writes dirty segments back before they must be evicted: if more than `dirty_low` slots are dirty and the disk is
    /// idle, or if more than `dirty_high` are.
    pub(super) fn clean(&mut self, io: &mut Io) {
        let is_late = self.dirty.len() > self.dirty_high;
        let is_wanted = is_late || (self.dirty.len() > self.dirty_low && io.is_idle(DISK));
        // A write-back in idle time must not prevent a write-back that is due.
        if !is_wanted || self.cleaned[usize::from(is_late)].is_some() {
            return;
        }
        let is_quiet = |slot: &u32| self.slots[*slot as usize].is_quiet();
        let quiet = self.links.iter(&self.dirty).take(LOOKED_AT).find(is_quiet);
        let Some(slot) = quiet else {
            return;
        };
        self.cleaned[usize::from(is_late)] = Some(slot);
        self.copy(slot, if is_late { Urgency::Foreground } else { Urgency::Background }, io);
    }

    /// Reads or writes a whole segment, on the disk or in the slot `slot`. Its data are at the start of the buffer of
    /// `job`.
    fn send_segment(
        &mut self,
        member: u32,
        (slot, segment): (u32, u64),
        op: Op,
        (job, does): (Job, Does),
        io: &mut Io,
    ) {
        let sector = if member == DISK { segment * self.shape.segment } else { self.shape.start(slot) };
        let (sectors, tag) = (self.shape.sectors(segment), self.tag(does, slot));
        self.send(Part::own(job, member, op, (sector, sectors), tag), io);
    }
}
