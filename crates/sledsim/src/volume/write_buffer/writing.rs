//! Writes of a write buffer: they are collected in memory, and one part appends them to the log when the MEMS device is
//! ready.

use super::{notes, tag, Buffer};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::MEMS;
use crate::volume::pieces::{PendingJobs, RequestPart};
use crate::volume::{Io, Part};

impl Buffer {
    /// Adds a write to a batch in memory, if the log has room for its data; otherwise the write bypasses the log.
    pub(super) fn write(&mut self, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io) {
        self.counts.writes += 1;
        desk.wait(piece.job);
        if self.bypass.ranges.is_empty() && self.has_room(piece) {
            self.append(piece, desk, io);
        } else {
            self.bypass.enter(piece, self.log.head, io);
            self.take_turns(desk, io);
        }
    }

    pub(super) fn has_room(&self, piece: &RequestPart) -> bool {
        // Each crossing of the end of the ring and each note may take one more sector or several.
        !self.is_down && piece.sectors + 4 <= self.log.free()
    }

    /// Adds a write to a batch in memory; the log must have room for its data.
    pub(super) fn append(&mut self, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io) {
        if !self.batches.is_waiting() {
            self.urgent_ahead = io.urgent(MEMS);
        }
        self.counts.appended_writes += 1;
        let memory = self.settings.acknowledges_in_memory;
        self.batches.add(piece, memory.then_some(&mut self.memory), &mut self.log, io);
        self.batches.hurry(piece.job, io);
        if memory {
            desk.end(piece.job);
        }
    }

    /// Sends the oldest waiting batch to the log, if no batch is in flight. The batch waits for the foreground parts
    /// that the MEMS device had before it, but not for later ones, of which there might always be some.
    pub(super) fn send_batch(&mut self, io: &mut Io) {
        let may = self.urgent_ahead == 0 || io.is_idle(MEMS);
        if self.batches.is_flying || !may || !self.batches.is_waiting() {
            return;
        }
        self.batches.is_flying = true;
        let batch = &self.batches.queue[0];
        let (job, data, before) = (batch.job, batch.data, self.log.stored);
        io.seal((job, data), data, || notes::append_note(batch.start, before, &batch.extents));
        let sectors = (self.log.sector(batch.start), data as u32 + 1);
        io.submit(Part::own(job, MEMS, Op::Write, sectors, tag::APPEND));
    }

    /// Handles the completion of an append: the writes that waited for it are complete, and their sectors are in the
    /// log.
    pub(super) fn landed(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        let batch = self.batches.landed();
        self.counts.appends += 1;
        self.counts.appended_sectors += batch.data;
        for extent in &batch.extents {
            let (sector, sectors) = (extent.sector, u64::from(extent.sectors));
            let place = self.log.place(extent.position);
            self.stored.set(sector, sectors, place);
            if !self.memory.is_empty() {
                self.memory.remove(sector, sectors, Some(place));
            }
        }
        self.log.push(batch.append(), &batch.extents);
        for &(sector, sectors, _) in &self.forgotten {
            self.stored.remove(sector, sectors, None);
        }
        while self.forgotten.front().is_some_and(|(.., head)| *head <= self.log.stored) {
            self.forgotten.pop_front();
        }
        let mut left = batch.data;
        for (job, sectors) in &batch.shares {
            io.credit(*job, batch.job, *sectors, left);
            left -= sectors;
        }
        batch.waiting.iter().for_each(|piece| desk.end(piece.job));
        io.complete(batch.job, now);
        self.flush_up_to(batch.start, io);
        self.batches.recycle(batch);
        self.retry(desk, io);
    }
}
