//! Service of requests, divided into pieces.

use super::pieces::{Does, SegmentPart};
use super::segment_table::Entry;
use super::slot::State;
use super::VirtualDisk;
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::{DISK, MEMS};
use crate::volume::pieces::RequestPart;
use crate::volume::{Io, Job};

impl VirtualDisk {
    /// Divides a request into pieces at the borders of segments, and starts to serve each piece.
    pub(super) fn cut(&mut self, now: Time, job: Job, io: &mut Io) {
        let request = self.open.get(job).request.expect("a job to be served has a request");
        let whole = RequestPart::whole(job, &request);
        let (mut from, size) = (0, self.shape.segment);
        while from < whole.sectors {
            let sector = whole.sector + from;
            let (segment, sectors) = (sector / size, (size - sector % size).min(whole.sectors - from));
            let part = whole.stretch(from, sectors);
            let (is_missed, is_written, is_direct) = (false, false, false);
            let id = self.pieces.add(SegmentPart { part, segment, is_missed, is_written, is_direct });
            self.open.of(job).pieces += 1;
            self.arrive(id, now, io);
            from += sectors;
        }
    }

    pub(super) fn arrive(&mut self, id: u32, now: Time, io: &mut Io) {
        if self.stragglers > 0 {
            return self.pieces.push(&mut self.held, id);
        }
        if self.is_without_mems {
            return self.pass(id, io);
        }
        let segment = self.pieces.get(id).segment;
        let place = self.places.get(&segment).map(|&slot| (slot, &self.slots[slot as usize]));
        match place {
            Some((slot, known)) if known.heir() == segment => {
                let is_hit = known.state == State::Resident;
                *(if is_hit { &mut self.counts.hits } else { &mut self.counts.misses }) += 1;
                self.policy.touch(slot);
            }
            _ => self.counts.misses += 1,
        }
        self.dispatch(id, now, io);
    }

    /// Serves the piece `id` if its segment is in a slot. Otherwise the piece waits for its segment, or for a free
    /// slot.
    pub(super) fn dispatch(&mut self, id: u32, now: Time, io: &mut Io) {
        let piece = self.pieces.get(id);
        let Some(&slot) = self.places.get(&piece.segment) else {
            if !self.starved.is_empty() || !self.bring(id, now, io) {
                self.counts.waits_for_slot += 1;
                self.pieces.push(&mut self.starved, id);
                self.hurry_all(piece.part.job, io);
            }
            return;
        };
        if self.slots[slot as usize].state != State::Resident {
            return self.wait(id, slot, io);
        }
        let dirty = Entry::Dirty(piece.segment);
        if piece.part.op == Op::Read || self.table.says(slot, dirty) {
            return if piece.is_written { self.served(id, now, io) } else { self.serve(id, slot, io) };
        }
        self.wait(id, slot, io);
        self.write_entry(slot, dirty, io);
    }

    /// Lets the piece `id` wait until the slot `slot` changes its state.
    pub(super) fn wait(&mut self, id: u32, slot: u32, io: &mut Io) {
        let SegmentPart { part: RequestPart { job, op, .. }, segment, .. } = self.pieces.get(id);
        let known = &mut self.slots[slot as usize];
        known.is_to_be_written |= op == Op::Write && known.heir() == segment;
        self.pieces.push(&mut known.waiting, id);
        self.hurry(job, slot, io);
    }

    /// Continues the pieces that wait for a change of the slot `slot`.
    pub(super) fn wake(&mut self, slot: u32, now: Time, io: &mut Io) {
        let mut waiting = std::mem::take(&mut self.slots[slot as usize].waiting);
        while let Some(id) = self.pieces.pop(&mut waiting) {
            self.dispatch(id, now, io);
        }
    }

    fn serve(&mut self, id: u32, slot: u32, io: &mut Io) {
        let piece = self.pieces.get(id);
        self.slots[slot as usize].users += 1;
        if piece.part.op == Op::Write {
            self.soil(slot);
        }
        let sector = self.shape.start(slot) + piece.part.sector % self.shape.segment;
        let tag = self.tag(Does::Serve, id);
        self.send(piece.part.part(MEMS, sector, tag), io);
        if self.dirty.len() > self.dirty_high {
            self.clean(io);
        }
    }

    /// Marks the segment in the slot `slot` as newer than on the disk.
    pub(super) fn soil(&mut self, slot: u32) {
        let known = &mut self.slots[slot as usize];
        known.is_rewritten = true;
        if !std::mem::replace(&mut known.is_dirty, true) {
            self.links.push(&mut self.dirty, slot);
        }
    }

    /// Sends the piece `id` to the disk, because the MEMS device is missing.
    fn pass(&mut self, id: u32, io: &mut Io) {
        self.counts.direct_pieces += 1;
        self.pieces.get_mut(id).is_direct = true;
        let piece = self.pieces.get(id);
        let tag = self.tag(Does::Direct, id);
        self.send(piece.part.part(DISK, piece.part.sector, tag), io);
    }

    /// Handles the completion of the piece `id` on the MEMS device.
    pub(super) fn served(&mut self, id: u32, now: Time, io: &mut Io) {
        let slot = self.places[&self.pieces.get(id).segment];
        self.slots[slot as usize].users -= 1;
        self.finish(id, now, io);
    }

    pub(super) fn finish(&mut self, id: u32, now: Time, io: &mut Io) {
        let job = self.pieces.remove(id).part.job;
        let open = self.open.of(job);
        open.pieces -= 1;
        if open.pieces == 0 {
            io.complete(job, now);
        }
    }
}
